package main

import (
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/intstr"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// service is a Service, and what is looked at again and again.
type service struct {
	corev1.Service
	meta metav1.ObjectMeta
	spec corev1.ServiceSpec
	name string
}

func newService(body corev1.Service) *service {
	return &service{Service: body, meta: body.Metadata(), spec: body.Spec(), name: body.Metadata().Name()}
}

// selects reports whether the Service has its endpoints found by its selector.
func (s *service) selects() bool {
	return s.spec.Type() != corev1.ServiceTypeExternalName && s.spec.Selector().Len() > 0
}

// podsQuery asks for the Pods that a Service selects.
func (s *service) podsQuery() sdk.Query {
	return sdk.Query{
		Kind:          kindPod,
		Namespace:     s.meta.Namespace(),
		LabelSelector: metav1.LabelSelector(nil).WithMatchLabels(s.spec.Selector()),
		Wakes:         podWakes,
	}
}

// headless reports whether the Service has no address of its own.
func (s *service) headless() bool {
	ip := s.spec.ClusterIP()
	return ip == "" || ip == corev1.ClusterIPNone
}

// family is the first family of addresses of a Service. One that the API server has
// not given any yet has that of its address, or of the Pod's.
func (s *service) family(pod corev1.Pod) string {
	for family := range s.spec.IPFamilies() {
		return family
	}
	ip := s.spec.ClusterIP()
	if s.headless() {
		ip = pod.Status().PodIP()
	}
	return familyOf(ip)
}

// families are those of which a Service has slices. A headless Service that was
// given none yet has both.
func (s *service) families() []string {
	var out []string
	for family := range s.spec.IPFamilies() {
		if family == corev1.IPv4Protocol || family == corev1.IPv6Protocol {
			out = append(out, family)
		}
	}
	switch {
	case len(out) > 0:
		return out
	case s.headless():
		return []string{corev1.IPv4Protocol, corev1.IPv6Protocol}
	}
	return []string{familyOf(s.spec.ClusterIP())}
}

func familyOf(ip string) string {
	if isIPv6(ip) {
		return corev1.IPv6Protocol
	}
	return corev1.IPv4Protocol
}

// portOn is the number that a Service's port has on a Pod: where it is a name, that
// of a container's port, sidecars included.
func portOn(pod corev1.Pod, port corev1.ServicePort) (number int32, ok bool) {
	target := port.TargetPort()
	if target.Type() == intstr.Int {
		return target.IntVal(), true
	}
	name, protocol := target.StrVal(), port.Protocol()
	for c := range pod.Spec().Containers() {
		if number, ok := containerPort(c, name, protocol); ok {
			return number, true
		}
	}
	for c := range pod.Spec().InitContainers() {
		if c.RestartPolicy() != corev1.ContainerRestartPolicyAlways {
			continue
		}
		if number, ok := containerPort(c, name, protocol); ok {
			return number, true
		}
	}
	return 0, false
}

func containerPort(c corev1.Container, name, protocol string) (int32, bool) {
	for port := range c.Ports() {
		if port.Name() == name && port.Protocol() == protocol {
			return port.ContainerPort(), true
		}
	}
	return 0, false
}
