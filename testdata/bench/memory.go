package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

// cacheMemory: what 50,000 pods take, as a real cluster has them: two containers,
// volumes, a status, managed fields. The figures are per pod, above the process
// without any, all controllers docked; cache_peak is the highest while the first
// list arrives.
var cacheMemory = benchmark{
	name: "cache_rss", modules: all, late: true, rounds: 3,
	figures: []figure{{"cache_rss", "B"}, {"cache_peak", "B"}},
	do: func(ctx context.Context, s *side) ([]float64, error) {
		const pods = 50_000
		idle, _, err := s.footprint(ctx)
		if err != nil {
			return nil, err
		}
		var creates errgroup.Group
		creates.SetLimit(16)
		for i := range pods {
			creates.Go(func() error { return s.createFullPod(ctx, i) })
		}
		if err := creates.Wait(); err != nil {
			return nil, err
		}
		full, peak, err := s.footprint(ctx)
		if err != nil {
			return nil, err
		}
		return []float64{(full - idle) / pods, (peak - idle) / pods}, nil
	},
}

// footprint starts the controllers, waits until they are quiet, and gives their
// memory then and at its peak.
func (s *side) footprint(ctx context.Context) (now, peak float64, err error) {
	if err := s.begin(ctx); err != nil {
		return 0, 0, err
	}
	if err := s.quiet(ctx); err != nil {
		return 0, 0, err
	}
	if now, err = residentBytes(s.pid(), "VmRSS"); err != nil {
		return 0, 0, err
	}
	if peak, err = residentBytes(s.pid(), "VmHWM"); err != nil {
		return 0, 0, err
	}
	return now, peak, s.end()
}

// quiet waits until the process has spent next to no CPU time for a while, in which
// a garbage collector gives memory back.
func (s *side) quiet(ctx context.Context) error {
	const span, little = 20 * time.Second, 0.4
	last, err := cpuSeconds(s.pid())
	if err != nil {
		return err
	}
	return wait.PollUntilContextCancel(ctx, span, false, func(context.Context) (bool, error) {
		now, err := cpuSeconds(s.pid())
		calm := now-last < little
		last = now
		return calm, err
	})
}

// createFullPod makes a pod as kubelets and schedulers leave them.
func (s *side) createFullPod(ctx context.Context, i int) error {
	name := fmt.Sprintf("shop-%d", i)
	container := func(n string) corev1.Container {
		return corev1.Container{
			Name: n, Image: "registry.example.com/team/" + n + ":v1.2.3", ImagePullPolicy: corev1.PullIfNotPresent,
			Command: []string{"/bin/" + n, "--listen=:8080", "--log-level=info"},
			Ports:   []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}},
			Env: []corev1.EnvVar{
				{Name: "POD_NAME", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}},
				{Name: "REGION", Value: "eu-central-1"}, {Name: "LOG_FORMAT", Value: "json"},
			},
			Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("128Mi")},
			},
			VolumeMounts:  []corev1.VolumeMount{{Name: "config", MountPath: "/etc/" + n}, {Name: "scratch", MountPath: "/tmp"}},
			LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"/bin/alive"}}}},
		}
	}
	pods := s.client.CoreV1().Pods(namespace)
	pod, err := pods.Create(ctx, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name:        name,
			Labels:      map[string]string{"app": "shop", "tier": "web", "pod-template-hash": strings.Repeat("5", 9), "team": fmt.Sprintf("t%d", i%50)},
			Annotations: map[string]string{"example.com/config-hash": strings.Repeat("ab", 32)},
		},
		Spec: corev1.PodSpec{
			NodeSelector: map[string]string{"example.com/pool": "none"},
			Containers:   []corev1.Container{container("server"), container("sidecar")},
			Volumes: []corev1.Volume{
				{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: "shop"}}}},
				{Name: "scratch", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	at := metav1.Now()
	condition := func(t corev1.PodConditionType) corev1.PodCondition {
		return corev1.PodCondition{Type: t, Status: corev1.ConditionTrue, LastTransitionTime: at}
	}
	running := func(n string) corev1.ContainerStatus {
		return corev1.ContainerStatus{
			Name: n, Image: "registry.example.com/team/" + n + ":v1.2.3", ImageID: "sha256:" + strings.Repeat("0", 64), Ready: true, Started: new(true),
			ContainerID: "containerd://" + strings.Repeat("1", 64), State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}},
		}
	}
	pod.Status = corev1.PodStatus{
		Phase: corev1.PodRunning, HostIP: "10.0.0.1", PodIP: fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255), StartTime: &at, QOSClass: corev1.PodQOSBurstable,
		Conditions: []corev1.PodCondition{
			condition(corev1.PodScheduled), condition(corev1.PodInitialized), condition(corev1.ContainersReady), condition(corev1.PodReady),
		},
		ContainerStatuses: []corev1.ContainerStatus{running("server"), running("sidecar")},
	}
	_, err = pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	return err
}
