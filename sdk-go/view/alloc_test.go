package view_test

import (
	"testing"

	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// samplePod is about as large as pods in a cluster are.
func samplePod() corev1.Pod {
	m := metav1.ObjectMeta(nil).WithName("web-7d4b9c5f6d-x2x9k").WithNamespace("default").WithUID("0f8fad5b-d9cb-469f-a165-70867728950e").
		WithLabel("app", "web").WithLabel("pod-template-hash", "7d4b9c5f6d").
		WithOwnerReferences(metav1.OwnerReference(nil).WithKind("ReplicaSet").WithName("web-7d4b9c5f6d").WithController(true))
	c := corev1.Container(nil).WithName("web").WithImage("registry.example.com/web:1.27").WithPorts(corev1.ContainerPort(nil).WithContainerPort(80))
	return corev1.Pod(nil).WithMetadata(m).
		WithSpec(corev1.PodSpec(nil).WithContainers(c, c).WithNodeName("node-1").WithTerminationGracePeriodSeconds(30)).
		WithStatus(corev1.PodStatus(nil).WithPhase(corev1.PodRunning).WithConditions(corev1.PodCondition(nil).WithType(corev1.PodReady).WithStatus(corev1.ConditionTrue)))
}

func TestReadsDoNotAllocate(t *testing.T) {
	pod := samplePod()
	sum := 0
	reads := map[string]func(){
		"message": func() { sum += len(pod.Spec()) },
		"int":     func() { sum += int(pod.Spec().TerminationGracePeriodSeconds()) },
		"has":     func() { _ = pod.Metadata().HasDeletionTimestamp() },
		"time":    func() { sum += int(pod.Metadata().CreationTimestamp().Unix()) },
		"len":     func() { sum += pod.Spec().ContainersLen() },
		"look-up": func() { v, _ := pod.Metadata().Labels().Lookup("app"); sum += len(v) },
		"messages": func() {
			for c := range pod.Spec().Containers() {
				sum += c.PortsLen()
			}
		},
	}
	for name, read := range reads {
		if n := testing.AllocsPerRun(100, read); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkFiveFields(b *testing.B) {
	pod := samplePod()
	b.ReportAllocs()
	for b.Loop() {
		m := pod.Metadata()
		_, _, _ = m.Name(), m.HasDeletionTimestamp(), m.UID()
		_, _ = pod.Spec().NodeName(), pod.Status().Phase()
	}
}
