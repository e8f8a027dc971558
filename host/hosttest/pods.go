package hosttest

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
)

// Pods is a ledger of the Pods of a namespace, by the name of the controller
// that owns them.
type Pods struct {
	client    kubernetes.Interface
	namespace string

	mu      sync.Mutex
	created map[string]map[string]bool // UIDs ever seen
	alive   map[string]map[string]bool
	most    map[string]int // alive at once
}

// WatchPods keeps a ledger until the test ends. Where the connection breaks it
// is soon made again.
func WatchPods(tb testing.TB, client kubernetes.Interface, namespace string) *Pods {
	tb.Helper()
	p := &Pods{client: client, namespace: namespace, created: map[string]map[string]bool{}, alive: map[string]map[string]bool{}, most: map[string]int{}}
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	version, err := p.list(ctx, tb)
	if err != nil {
		cancel()
		tb.Fatal(err)
	}
	var ended sync.WaitGroup
	ended.Go(func() { // the cleanup waits
		_ = wait.PollUntilContextCancel(ctx, 100*time.Millisecond, true, func(ctx context.Context) (bool, error) { // it ends by ctx
			if version == "" {
				version, _ = p.list(ctx, tb)
			}
			if version != "" {
				version = p.follow(ctx, tb, version)
			}
			return false, nil
		})
	})
	tb.Cleanup(func() { cancel(); ended.Wait() })
	return p
}

// list takes in all Pods, and gives the version to go on from.
func (p *Pods) list(ctx context.Context, tb testing.TB) (string, error) {
	tb.Helper()
	list, err := p.client.CoreV1().Pods(p.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return "", err
	}
	listed := map[string]bool{}
	for i := range list.Items {
		listed[string(list.Items[i].UID)] = true
		p.seen(tb, &list.Items[i])
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, alive := range p.alive {
		maps.DeleteFunc(alive, func(uid string, _ bool) bool { return !listed[uid] })
	}
	return list.ResourceVersion, nil
}

// follow watches from a version, and gives the one to go on from; empty where
// that needs a list.
func (p *Pods) follow(ctx context.Context, tb testing.TB, version string) string {
	tb.Helper()
	w, err := p.client.CoreV1().Pods(p.namespace).Watch(ctx, metav1.ListOptions{ResourceVersion: version})
	if err != nil {
		if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
			return ""
		}
		return version
	}
	defer w.Stop()
	for e := range w.ResultChan() {
		switch e.Type {
		case watch.Added, watch.Modified:
			p.seen(tb, e.Object)
		case watch.Deleted:
			p.gone(tb, e.Object)
		case watch.Error, watch.Bookmark:
			return ""
		}
		if m, err := meta.Accessor(e.Object); err == nil {
			version = m.GetResourceVersion()
		}
	}
	return version
}

func (p *Pods) seen(tb testing.TB, o any) {
	tb.Helper()
	owner, uid := ownerOf(tb, o)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.created[owner] == nil {
		p.created[owner], p.alive[owner] = map[string]bool{}, map[string]bool{}
	}
	p.created[owner][uid] = true
	if isTerminating(o) {
		delete(p.alive[owner], uid)
		return
	}
	p.alive[owner][uid] = true
	p.most[owner] = max(p.most[owner], len(p.alive[owner]))
}

func (p *Pods) gone(tb testing.TB, o any) {
	tb.Helper()
	owner, uid := ownerOf(tb, o)
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.alive[owner], uid)
}

// isTerminating reports whether a Pod is on its way out. One that is not on a node
// goes at once, but in two steps: an API server that dies between them leaves it
// terminating, and without kube-controller-manager's garbage collector of Pods it
// stays so.
func isTerminating(o any) bool {
	pod, ok := o.(*corev1.Pod)
	return ok && pod.DeletionTimestamp != nil
}

func ownerOf(tb testing.TB, o any) (owner, uid string) {
	tb.Helper()
	pod, ok := o.(*corev1.Pod)
	if !ok {
		tb.Errorf("a %T in a watch of Pods", o)
		return "", ""
	}
	if ref := metav1.GetControllerOf(pod); ref != nil {
		owner = ref.Name
	}
	return owner, string(pod.UID)
}

// Created is how many Pods of an owner there ever were.
func (p *Pods) Created(owner string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.created[owner])
}

// Alive is how many Pods of an owner there are.
func (p *Pods) Alive(owner string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.alive[owner])
}

// Settle lists the Pods live, and waits until the ledger has seen all of them
// and no others.
func (p *Pods) Settle(tb testing.TB) {
	tb.Helper()
	var difference string
	defer func() {
		if tb.Failed() {
			tb.Log(difference)
		}
	}()
	Eventually(tb, "the ledger agrees with a live list", func() bool {
		list, err := p.client.CoreV1().Pods(p.namespace).List(tb.Context(), metav1.ListOptions{})
		if err != nil {
			difference = err.Error()
			return false
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		known, listed := 0, 0
		for _, uids := range p.alive {
			known += len(uids)
		}
		missing := false
		for i := range list.Items {
			owner, uid := ownerOf(tb, &list.Items[i])
			if !isTerminating(&list.Items[i]) {
				listed++
				missing = missing || !p.alive[owner][uid]
			}
		}
		difference = fmt.Sprintf("%d Pods are listed and %d are known", listed, known)
		return !missing && known == listed
	})
}

// Want checks that an owner has so many Pods, that it never had more at once, and
// that so many were ever created.
func (p *Pods) Want(tb testing.TB, owner string, alive, most, created int) {
	tb.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.alive[owner]); n != alive {
		tb.Errorf("%s has %d Pods, want %d", owner, n, alive)
	}
	if n := p.most[owner]; n != most {
		tb.Errorf("%s had up to %d Pods at once, want %d", owner, n, most)
	}
	if n := len(p.created[owner]); n != created {
		tb.Errorf("%d Pods were created for %s, want %d", n, owner, created)
	}
}

// WaitAlive waits until an owner has so many Pods.
func (p *Pods) WaitAlive(tb testing.TB, bound time.Duration, owner string, n int) {
	tb.Helper()
	EventuallyWithin(tb, bound, fmt.Sprintf("%s has %d Pods (it has %d)", owner, n, p.Alive(owner)), func() bool { return p.Alive(owner) == n })
}
