package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
)

const (
	// patience bounds each wait of a scenario, unless it says otherwise.
	patience = 60 * time.Second
	// poll is how often a scenario looks.
	poll = 50 * time.Millisecond
	// stepQuiet and lastQuiet are for how long nobody must have written until a
	// step, and the whole scenario, count as settled.
	stepQuiet = 600 * time.Millisecond
	lastQuiet = 1500 * time.Millisecond
)

// A scenario is one story of a controller's, told in steps. Between two steps it
// waits until nobody writes any more.
type scenario struct {
	name  string
	slow  bool // it mostly waits for the clock, so it runs beside the others
	steps []step
}

// A step does something, or waits for something.
type step struct {
	what string
	do   func(context.Context, *stage) error
}

// stage is a scenario on one side.
type stage struct {
	*side
	name string // the scenario's scope and its first namespace

	mu      sync.Mutex
	touched []object                      // cluster-scoped, by the scenario itself
	spaces  []string                      // its namespaces
	beats   map[string]context.CancelFunc // by node

	playing sync.WaitGroup // heartbeats
}

// object names something of the cluster's.
type object struct{ resource, name string }

// play tells a scenario to its end, or to the first step that fails. It cleans
// nothing up but what runs in this process.
func (st *stage) play(ctx context.Context, s *scenario) error {
	if err := st.open(ctx, st.name); err != nil {
		return err
	}
	for i := range s.steps {
		if err := s.steps[i].do(ctx, st); err != nil {
			return fmt.Errorf("step %d, %s: %w", i+1, s.steps[i].what, err)
		}
		if err := st.settle(ctx, stepQuiet); err != nil {
			return fmt.Errorf("after step %d, %s: %w", i+1, s.steps[i].what, err)
		}
	}
	return st.settle(ctx, lastQuiet)
}

// end stops what the stage still does in this process.
func (st *stage) end() {
	st.mu.Lock()
	for _, cancel := range st.beats {
		cancel()
	}
	st.mu.Unlock()
	st.playing.Wait()
}

// open makes a namespace and waits for what every namespace gets.
func (st *stage) open(ctx context.Context, name string) error {
	ns := &unstructured.Unstructured{}
	ns.SetAPIVersion("v1")
	ns.SetKind("Namespace")
	ns.SetName(name)
	if _, err := st.dynamic.Resource(resources["namespaces"]).Create(ctx, ns, metav1.CreateOptions{}); err != nil {
		return err
	}
	st.mu.Lock()
	st.spaces = append(st.spaces, name)
	st.mu.Unlock()
	err := st.await(ctx, patience, func(ctx context.Context) (bool, error) {
		for _, o := range []object{{"serviceaccounts", "default"}, {"configmaps", "kube-root-ca.crt"}} {
			if _, err := st.dynamic.Resource(resources[o.resource]).Namespace(name).Get(ctx, o.name, metav1.GetOptions{}); err != nil {
				return false, ignoreNotFound(err)
			}
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("namespace %s gets no default service account or no root CA: %w", name, err)
	}
	return nil
}

// of is the client for a resource, in the scenario's first namespace where it
// has namespaces.
func (st *stage) of(resource string) dynamic.ResourceInterface {
	client := st.dynamic.Resource(lookUp(st.expand(resource)))
	if clusterScoped[resource] {
		return client
	}
	return client.Namespace(st.name)
}

// touch remembers an object of the cluster's for the comparison.
func (st *stage) touch(resource, name string) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.touched = append(st.touched, object{resource, name})
}

// await polls until done.
func (st *stage) await(ctx context.Context, limit time.Duration, done wait.ConditionWithContextFunc) error {
	err := wait.PollUntilContextTimeout(ctx, poll, limit, true, done)
	if wait.Interrupted(err) && ctx.Err() == nil {
		return fmt.Errorf("waited %s in vain", limit)
	}
	return err
}

// errRestless is settle's error.
var errRestless = errors.New("it does not come to rest")

// settle waits until nobody has written to the scenario's objects for a time.
func (st *stage) settle(ctx context.Context, quiet time.Duration) error {
	begin := time.Now()
	for {
		since := st.audit.last(st.name)
		if since.Before(begin) {
			since = begin
		}
		left := quiet - time.Since(since)
		switch {
		case left <= 0:
			return nil
		case time.Since(begin) > patience:
			return errRestless
		}
		timer := time.NewTimer(left)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// live leaves out what is being deleted.
func live(list []unstructured.Unstructured) []unstructured.Unstructured {
	var out []unstructured.Unstructured
	for i := range list {
		if list[i].GetDeletionTimestamp() == nil {
			out = append(out, list[i])
		}
	}
	return out
}

// podReady tells a pod's condition Ready.
func podReady(pod *unstructured.Unstructured) bool {
	conditions, _, _ := unstructured.NestedSlice(pod.Object, "status", "conditions")
	for _, c := range conditions {
		m, ok := c.(map[string]any)
		if ok && m["type"] == string(corev1.PodReady) {
			return m["status"] == string(corev1.ConditionTrue)
		}
	}
	return false
}
