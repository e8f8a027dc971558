package informercache

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// servedPoll is how far apart the server is asked whether it serves a kind that
// it did not serve before.
const servedPoll = 2 * time.Second

var errClusterScoped = errors.New("the kind has no namespaces; watch it without one")

// source is where a watch's Reflector lists and watches. A kind that is not
// served is waited for in here, so that the Reflector, and the version it has
// come to, outlive that time.
type source struct {
	*watched
	active gate // what the Reflector begins and does not wait for
}

func (s *source) listerWatcher() *cache.ListWatch {
	return &cache.ListWatch{ListWithContextFunc: s.list, WatchFuncWithContext: s.watch}
}

func (s *source) list(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
	if err := s.active.enter(); err != nil {
		return nil, err
	}
	defer s.active.leave()
	r, err := s.served(ctx)
	if err != nil {
		return nil, err
	}
	l, err := s.conn.list(ctx, r, s.target.Namespace, opts, s.target.MetadataOnly)
	if err != nil {
		s.refused("list", err)
		return nil, err
	}
	return l, nil
}

func (s *source) watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	if err := s.active.enter(); err != nil {
		return nil, err
	}
	defer s.active.leave()
	r, err := s.served(ctx)
	if err != nil {
		return nil, err
	}
	s.watches.Add(1)
	w, err := s.conn.watch(ctx, r, s.target.Namespace, opts, s.target.MetadataOnly)
	if err != nil {
		streaming := opts.SendInitialEvents != nil
		if !streaming || !apierrors.IsInvalid(err) && !apierrors.IsBadRequest(err) {
			s.refused("watch", err)
		} // else the server knows no streaming lists, and the Reflector lists
		return nil, err
	}
	s.status.working()
	return w, nil
}

// refused notes an error of the server. Not found means that the kind is no
// longer served where it was.
func (s *source) refused(verb string, err error) {
	if apierrors.IsNotFound(err) {
		if f, ok := s.mapper.(forgetter); ok {
			f.Forget(s.target.GVK)
		}
	}
	s.status.failed(verb, err)
}

// served returns where the kind is served, and waits for as long as it is not.
func (s *source) served(ctx context.Context) (resourcePath, error) {
	for {
		r, err := s.resource(ctx)
		if err == nil {
			s.status.asking()
			return r, nil
		}
		s.status.failed("find", err)
		if !meta.IsNoMatchError(err) {
			return r, err
		}
		timer := s.clock.NewTimer(servedPoll)
		select {
		case <-timer.C():
		case <-ctx.Done():
			timer.Stop()
			return r, ctx.Err()
		}
	}
}

// resource asks once where the kind is served.
func (w *watched) resource(ctx context.Context) (resourcePath, error) {
	r, namespaced, err := w.mapper.Resource(ctx, w.target.GVK)
	if err == nil && !namespaced && w.target.Namespace != "" {
		err = fmt.Errorf("cannot watch %s: %w", w.target, errClusterScoped)
	}
	return r, err
}
