package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
)

// patience bounds each step; a step takes a second or two. Where a node dies or a
// CronJob is due it takes up to a minute.
const (
	patience     = time.Minute
	longPatience = 2 * time.Minute
)

// progressEvery is the least time between two lines about the same step.
const progressEvery = 500 * time.Millisecond

// growth is by how many pods a ReplicaSet grows at a time while its controller is
// being replaced.
const growth = 20

const namespace, name = "default", "web"

// story is what the newcomer watches.
type story struct {
	client kubernetes.Interface
	host   *hostProcess
	guests string
}

func (s *story) tell(ctx context.Context) error {
	for _, step := range []func(context.Context) error{s.create, s.scale, s.heal, s.swap} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *story) create(ctx context.Context) error {
	say("A ReplicaSet of 3: the guest creates its pods")
	labels := map[string]string{"app": name}
	rs := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: new(int32), Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "registry.k8s.io/pause:3.10"}}},
			},
		},
	}
	*rs.Spec.Replicas = 3
	if _, err := s.client.AppsV1().ReplicaSets(namespace).Create(ctx, rs, metav1.CreateOptions{}); err != nil {
		return err
	}
	return s.await(ctx, 3)
}

func (s *story) scale(ctx context.Context) error {
	say("Scaled to 10, and down to 5")
	if err := s.setReplicas(ctx, 10); err != nil {
		return err
	}
	if err := s.await(ctx, 10); err != nil {
		return err
	}
	if err := s.setReplicas(ctx, 5); err != nil {
		return err
	}
	return s.await(ctx, 5)
}

func (s *story) heal(ctx context.Context) error {
	pods, err := s.pods(ctx)
	if err != nil {
		return err
	}
	victim := pods[0]
	say("Pod %s is deleted: the guest replaces it", victim.Name)
	if err := s.client.CoreV1().Pods(namespace).Delete(ctx, victim.Name, metav1.DeleteOptions{GracePeriodSeconds: new(int64)}); err != nil {
		return err
	}
	if err := s.poll(ctx, "the deleted pod to go", func(pods []corev1.Pod) bool {
		for i := range pods {
			if pods[i].UID == victim.UID {
				return false
			}
		}
		return true
	}); err != nil {
		return err
	}
	return s.await(ctx, 5)
}

// swap replaces the guest while it creates pods: the ReplicaSet grows until the
// new version runs.
func (s *story) swap(ctx context.Context) error {
	before, err := s.host.release(ctx)
	if err != nil {
		return err
	}
	say("replicaset.wasm (%s) is replaced while pods are being created", before)
	if err := replaceFile(s.host.module("replicaset"), filepath.Join(s.guests, "replicaset-next.wasm")); err != nil {
		return err
	}
	after, n := before, 5
	err = wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		if after, err = s.host.release(ctx); err != nil || after != before {
			return true, err
		}
		n += growth
		return false, s.setReplicas(ctx, n)
	})
	if err != nil {
		return fmt.Errorf("the new version was not docked: %w", err)
	}
	pods, err := s.pods(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("  %s runs now in place of %s, with %d of %d pods there\n", after, before, len(pods), n)
	if err := s.await(ctx, n); err != nil {
		return err
	}
	say("Scaled to 3 by the new version")
	if err := s.setReplicas(ctx, 3); err != nil {
		return err
	}
	return s.await(ctx, 3)
}

func (s *story) setReplicas(ctx context.Context, n int) error {
	patch := fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, n)
	_, err := s.client.AppsV1().ReplicaSets(namespace).Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}

// pods lists the ReplicaSet's pods.
func (s *story) pods(ctx context.Context) ([]corev1.Pod, error) {
	list, err := s.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: "app=" + name})
	if err != nil {
		return nil, err
	}
	return list.Items, nil
}

// poll looks at the pods until they are as wanted.
func (s *story) poll(ctx context.Context, what string, done func([]corev1.Pod) bool) error {
	err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		pods, err := s.pods(ctx)
		return err == nil && done(pods), err
	})
	if wait.Interrupted(err) && ctx.Err() == nil {
		return fmt.Errorf("waited %s for %s in vain", patience, what)
	}
	return err
}

// await waits until exactly n pods run and the ReplicaSet's status says so. More
// than n pods at once, beside those that are going, is an error.
func (s *story) await(ctx context.Context, n int) error {
	start, shown, surplus := time.Now(), -1, false
	var said time.Time
	scalingUp := true
	err := s.poll(ctx, fmt.Sprintf("%d running pods", n), func(pods []corev1.Pod) bool {
		running, live := 0, 0
		for i := range pods {
			if pods[i].DeletionTimestamp != nil {
				continue
			}
			live++
			if pods[i].Status.Phase == corev1.PodRunning {
				running++
			}
		}
		if said.IsZero() {
			scalingUp = live <= n
		}
		surplus = surplus || (scalingUp && live > n)
		if running != shown && (running == n || time.Since(said) >= progressEvery) {
			shown, said = running, time.Now()
			fmt.Printf("  %3d of %d pods run\n", running, n)
		}
		return surplus || (running == n && live == n && len(pods) == n)
	})
	switch {
	case err != nil:
		return err
	case surplus:
		return fmt.Errorf("more than %d pods were created", n)
	}
	if err := s.awaitStatus(ctx, n); err != nil {
		return err
	}
	fmt.Printf("  done in %.2f s\n", time.Since(start).Seconds())
	return nil
}

func (s *story) awaitStatus(ctx context.Context, n int) error {
	err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		rs, err := s.client.AppsV1().ReplicaSets(namespace).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		return int(rs.Status.Replicas) == n && int(rs.Status.ReadyReplicas) == n && rs.Status.ObservedGeneration == rs.Generation, nil
	})
	if wait.Interrupted(err) && ctx.Err() == nil {
		return errors.New("the ReplicaSet's status does not tell of its pods")
	}
	return err
}
