package main

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/loopdock/loopdock/cmd/plane"
)

const namespace = "default"

// workload is what a Deployment's controllers write to.
var workload = []string{"deployments", "replicasets", "pods", "events"}

// convergeOne: a Deployment goes from 0 to 1,000 pods. Time is up to the last pod's
// creation; writes are all until both statuses tell of them.
var convergeOne = benchmark{
	name: "converge_1000", modules: []string{"replicaset", "deployment"},
	figures: []figure{{"converge_1000", "s"}, {"converge_1000_writes", "requests"}},
	do: func(ctx context.Context, s *side) ([]float64, error) {
		const pods = 1000
		if err := s.warm(ctx); err != nil {
			return nil, err
		}
		before, err := s.requests(ctx, true, workload...)
		if err != nil {
			return nil, err
		}
		var start time.Time
		var took time.Duration
		seen := map[string]bool{}
		err = follow(ctx, s.pods("app=web"), func() error {
			start = time.Now()
			return s.deploy(ctx, "web", pods)
		}, func(o runtime.Object, _ bool) bool {
			pod, ok := o.(*corev1.Pod)
			if ok && !seen[pod.Name] {
				seen[pod.Name] = true
				took = time.Since(start)
			}
			return len(seen) == pods
		})
		if err != nil {
			return nil, err
		}
		if err := s.deployed(ctx, "web", func(d *appsv1.Deployment) bool { return d.Status.Replicas == pods }); err != nil {
			return nil, err
		}
		after, err := s.settled(ctx, before, workload...)
		return []float64{took.Seconds(), after - before - 1}, err // the Deployment's creation is not theirs
	},
}

// convergeMany: 500 Deployments of 4 pods become available on fake nodes.
var convergeMany = benchmark{
	name: "converge_many", modules: []string{"replicaset", "deployment"},
	plane:   plane.Config{Nodes: 40, Scheduler: true},
	figures: []figure{{"converge_many", "s"}},
	do: func(ctx context.Context, s *side) ([]float64, error) {
		const deployments, pods = 500, 4
		if err := s.warm(ctx); err != nil {
			return nil, err
		}
		start := time.Now()
		available := map[string]bool{}
		err := follow(ctx, feed{s.client.AppsV1().RESTClient(), "deployments", &appsv1.Deployment{}, "bench=many"}, func() error {
			var creates errgroup.Group
			creates.SetLimit(16)
			for i := range deployments {
				creates.Go(func() error { return s.deploy(ctx, fmt.Sprintf("web-%d", i), pods, "bench", "many") })
			}
			return creates.Wait()
		}, func(o runtime.Object, _ bool) bool {
			d, ok := o.(*appsv1.Deployment)
			if ok && d.Status.AvailableReplicas == pods {
				available[d.Name] = true
			}
			return len(available) == deployments
		})
		return []float64{time.Since(start).Seconds()}, err
	},
}

// warm has the controllers bring a small Deployment about, so that what is measured
// then is no start.
func (s *side) warm(ctx context.Context) error {
	if err := s.deploy(ctx, "warm", 2); err != nil {
		return err
	}
	return s.deployed(ctx, "warm", func(d *appsv1.Deployment) bool { return d.Status.Replicas == 2 })
}

// deploy creates a Deployment; labels come in pairs.
func (s *side) deploy(ctx context.Context, name string, pods int32, labels ...string) error {
	match := map[string]string{"app": name}
	d := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}},
		Spec: appsv1.DeploymentSpec{
			Replicas: &pods, Selector: &metav1.LabelSelector{MatchLabels: match},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: match},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "registry.k8s.io/pause:3.10"}}},
			},
		},
	}
	for i := 0; i+1 < len(labels); i += 2 {
		d.Labels[labels[i]] = labels[i+1]
	}
	_, err := s.client.AppsV1().Deployments(namespace).Create(ctx, d, metav1.CreateOptions{})
	return err
}

// deployed waits until a Deployment is as wanted.
func (s *side) deployed(ctx context.Context, name string, done func(*appsv1.Deployment) bool) error {
	return wait.PollUntilContextCancel(ctx, 20*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		d, err := s.client.AppsV1().Deployments(namespace).Get(ctx, name, metav1.GetOptions{})
		return err == nil && done(d), err
	})
}

// settled waits until no write comes for two seconds, and gives their number.
func (s *side) settled(ctx context.Context, before float64, resources ...string) (float64, error) {
	last, since := before, time.Now()
	err := wait.PollUntilContextCancel(ctx, 200*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		n, err := s.requests(ctx, true, resources...)
		if n != last {
			last, since = n, time.Now()
		}
		return time.Since(since) > 2*time.Second, err
	})
	return last, err
}
