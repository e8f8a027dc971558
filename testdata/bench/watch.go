package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// A feed is what is followed: objects of a kind by their labels.
type feed struct {
	client   rest.Interface
	resource string
	example  runtime.Object // of the kind
	labels   string
}

// follow watches a feed, calls act when the watch is open, and returns when done
// says so of an object, which is gone or not. It may be told of objects that were
// there before.
func follow(ctx context.Context, f feed, act func() error, done func(o runtime.Object, gone bool) bool) error {
	ctx, cancel := context.WithCancelCause(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel(nil)
	source := cache.NewFilteredListWatchFromClient(f.client, f.resource, namespace, func(o *metav1.ListOptions) { o.LabelSelector = f.labels })
	tell := func(o any, gone bool) {
		if last, ok := o.(cache.DeletedFinalStateUnknown); ok {
			o = last.Obj
		}
		if object, ok := o.(runtime.Object); ok && done(object, gone) {
			cancel(errDone)
		}
	}
	_, informer := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: source, ObjectType: f.example, Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    func(o any) { tell(o, false) },
			UpdateFunc: func(_, o any) { tell(o, false) },
			DeleteFunc: func(o any) { tell(o, true) },
		},
	})
	running.Go(func() { informer.RunWithContext(ctx) }) // waited for on return
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return fmt.Errorf("cannot watch %s: %w", f.resource, context.Cause(ctx))
	}
	if err := act(); err != nil {
		return err
	}
	<-ctx.Done()
	if err := context.Cause(ctx); !errors.Is(err, errDone) {
		return fmt.Errorf("waited for %s in vain: %w", f.resource, err)
	}
	return nil
}

// errDone ends a watch that has shown all that was waited for.
var errDone = errors.New("done")

func (s *side) pods(labels string) feed {
	return feed{s.client.CoreV1().RESTClient(), "pods", &corev1.Pod{}, labels}
}
