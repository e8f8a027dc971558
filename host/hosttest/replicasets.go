package hosttest

import (
	"context"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

// NewReplicaSet is a ReplicaSet of so many Pods that nothing runs.
func NewReplicaSet(name string, replicas int32) *appsv1.ReplicaSet {
	labels := map[string]string{"app": name}
	return &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}},
			},
		},
	}
}

// CreateReplicaSet creates one.
func CreateReplicaSet(tb testing.TB, client kubernetes.Interface, namespace, name string, replicas int32) *appsv1.ReplicaSet {
	tb.Helper()
	rs, err := client.AppsV1().ReplicaSets(namespace).Create(tb.Context(), NewReplicaSet(name, replicas), metav1.CreateOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	return rs
}

// Scale has a ReplicaSet want so many Pods.
func Scale(ctx context.Context, client kubernetes.Interface, namespace, name string, replicas int) error {
	patch := fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, replicas)
	_, err := client.AppsV1().ReplicaSets(namespace).Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}
