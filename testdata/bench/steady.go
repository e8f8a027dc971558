package main

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
)

// flips is how often a pod's readiness changes.
const flips = 2000

// steady: the pods of a ReplicaSet become ready and unready one at a time. What the
// process spends on it must not grow with the set: it is measured for two sizes.
var steady = benchmark{
	name: "steady_cpu", modules: []string{"replicaset"},
	figures: []figure{{"steady_cpu", "s"}, {"steady_cpu_5000", "s"}},
	do: func(ctx context.Context, s *side) ([]float64, error) {
		var out []float64
		for _, pods := range []int32{1000, 5000} {
			spent, err := s.flip(ctx, fmt.Sprintf("web-%d", pods), pods)
			if err != nil {
				return nil, err
			}
			out = append(out, spent)
		}
		return out, nil
	},
}

// flip makes a ReplicaSet, flips its pods, and gives the CPU seconds of that.
func (s *side) flip(ctx context.Context, name string, n int32) (float64, error) {
	pods, err := s.replicate(ctx, name, n)
	if err != nil {
		return 0, err
	}
	before, err := cpuSeconds(s.pid())
	if err != nil {
		return 0, err
	}
	for i := range flips {
		if err := s.setReady(ctx, pods[i/2%len(pods)], i%2 == 0); err != nil {
			return 0, err
		}
	}
	if err := s.setReady(ctx, pods[0], true); err != nil { // the last of all is seen in the status
		return 0, err
	}
	if err := s.replicated(ctx, name, func(rs *appsv1.ReplicaSet) bool { return rs.Status.ReadyReplicas == 1 }); err != nil {
		return 0, err
	}
	after, err := cpuSeconds(s.pid())
	if err != nil {
		return 0, err
	}
	return after - before, s.client.AppsV1().ReplicaSets(namespace).Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationOrphan)})
}

// replicate makes a ReplicaSet, and gives the names of its pods.
func (s *side) replicate(ctx context.Context, name string, n int32) ([]string, error) {
	match := map[string]string{"app": name}
	rs := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: &n, Selector: &metav1.LabelSelector{MatchLabels: match},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: match},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "registry.k8s.io/pause:3.10"}}},
			},
		},
	}
	if _, err := s.client.AppsV1().ReplicaSets(namespace).Create(ctx, rs, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	if err := s.replicated(ctx, name, func(rs *appsv1.ReplicaSet) bool { return rs.Status.Replicas == n }); err != nil {
		return nil, err
	}
	list, err := s.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: "app=" + name})
	if err != nil {
		return nil, err
	}
	names := make([]string, len(list.Items))
	var unready errgroup.Group
	unready.SetLimit(8)
	for i := range list.Items {
		names[i] = list.Items[i].Name
		unready.Go(func() error { return s.setReady(ctx, names[i], false) })
	}
	return names, unready.Wait()
}

func (s *side) replicated(ctx context.Context, name string, done func(*appsv1.ReplicaSet) bool) error {
	return wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		rs, err := s.client.AppsV1().ReplicaSets(namespace).Get(ctx, name, metav1.GetOptions{})
		return err == nil && done(rs), err
	})
}

// setReady reports a pod's readiness, as its kubelet would.
func (s *side) setReady(ctx context.Context, pod string, ready bool) error {
	status := corev1.ConditionFalse
	if ready {
		status = corev1.ConditionTrue
	}
	body := fmt.Appendf(nil, `{"status":{"phase":"Running","conditions":[{"type":"Ready","status":%q,"lastTransitionTime":%q}]}}`,
		status, time.Now().UTC().Format(time.RFC3339))
	_, err := s.client.CoreV1().Pods(namespace).Patch(ctx, pod, types.StrategicMergePatchType, body, metav1.PatchOptions{}, "status")
	return err
}
