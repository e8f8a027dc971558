package main

import (
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// reachable reports whether a Pod has an address and has not ended.
func reachable(pod corev1.Pod) bool {
	status := pod.Status()
	return !meta.IsPodTerminal(pod) && (status.PodIP() != "" || status.PodIPsLen() > 0)
}

// hostname is the name under which a Pod can be found within a Service, empty for none.
func hostname(pod corev1.Pod, s *service) string {
	if spec := pod.Spec(); spec.Subdomain() == s.name {
		return spec.Hostname()
	}
	return ""
}

// addresses are those of a Pod that are of a family.
func addresses(pod corev1.Pod, family string) []string {
	var out []string
	for podIP := range pod.Status().PodIPs() {
		if ip, ok := parseIP(podIP.IP()); ok && ip.Is6() == (family == corev1.IPv6Protocol) {
			out = append(out, ip.String())
		}
	}
	return out
}

// refTo refers to a Pod.
func refTo(pod corev1.Pod) corev1.ObjectReference {
	m := pod.Metadata()
	return corev1.ObjectReference(nil).WithKind("Pod").WithNamespace(m.Namespace()).WithName(m.Name()).WithUID(m.UID())
}

// sameRef compares references, but for the version that somebody has seen.
func sameRef(a, b corev1.ObjectReference) bool {
	return a.UID() == b.UID() && a.Name() == b.Name() && a.Namespace() == b.Namespace() &&
		a.Kind() == b.Kind() && a.APIVersion() == b.APIVersion() && a.FieldPath() == b.FieldPath()
}
