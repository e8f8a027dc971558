package main

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// coldStart: from the start of the process with all controllers to the first thing
// that one of them does. The compiled modules are on disk from an earlier run.
var coldStart = benchmark{
	name: "cold_start", modules: all, late: true,
	figures: []figure{{"cold_start", "s"}},
	do: func(ctx context.Context, s *side) ([]float64, error) {
		if s.name == ours { // so that they are on disk
			if err := s.begin(ctx); err != nil {
				return nil, err
			}
			if err := s.end(); err != nil {
				return nil, err
			}
		}
		one := int32(1)
		match := map[string]string{"app": "web"}
		rs := &appsv1.ReplicaSet{
			ObjectMeta: metav1.ObjectMeta{Name: "web"},
			Spec: appsv1.ReplicaSetSpec{
				Replicas: &one, Selector: &metav1.LabelSelector{MatchLabels: match},
				Template: corev1.PodTemplateSpec{
					ObjectMeta: metav1.ObjectMeta{Labels: match},
					Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "registry.k8s.io/pause:3.10"}}},
				},
			},
		}
		if _, err := s.client.AppsV1().ReplicaSets(namespace).Create(ctx, rs, metav1.CreateOptions{}); err != nil {
			return nil, err
		}
		var start time.Time
		began := make(chan error, 1)
		err := follow(ctx, s.pods("app=web"), func() error {
			start = time.Now()
			go func() { began <- s.begin(ctx) }() // waited for below
			return nil
		}, func(runtime.Object, bool) bool { return true })
		took := time.Since(start)
		if err := <-began; err != nil {
			return nil, err
		}
		return []float64{took.Seconds()}, err
	},
}
