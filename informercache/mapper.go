package informercache

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/clock"
)

// Mapper tells where a kind is served. It is safe for several goroutines.
type Mapper interface {
	// Resource returns the resource of a kind and whether it has namespaces. An
	// error for which meta.IsNoMatchError holds says that the server does not
	// serve the kind.
	Resource(ctx context.Context, gvk schema.GroupVersionKind) (gvr schema.GroupVersionResource, namespaced bool, err error)
}

// forgetter is a Mapper that can be told that its answer did not hold.
type forgetter interface {
	Forget(gvk schema.GroupVersionKind)
}

// Discovery is the part of client-go's discovery client that a mapper asks.
type Discovery interface {
	ServerResourcesForGroupVersionWithContext(ctx context.Context, groupVersion string) (*metav1.APIResourceList, error)
}

// mapperPause is how far apart one group version is asked for.
const mapperPause = 2 * time.Second

// DiscoveryMapper is a Mapper over discovery. Each group version is asked for by
// itself and remembered, so that a broken one is no concern of the others; it
// is asked for again, at most every two seconds, when a kind is not found in it.
type DiscoveryMapper struct {
	discovery Discovery
	clock     clock.PassiveClock

	mu       sync.Mutex
	versions map[schema.GroupVersion]*mappedVersion
}

// mappedVersion is what is known of one group version.
type mappedVersion struct {
	turn  chan struct{} // holds one token: whoever has it may use the rest
	asked time.Time
	kinds map[string]mappedKind
	err   error
}

type mappedKind struct {
	resource   string
	namespaced bool
}

// NewMapper returns a Mapper over a discovery client. It asks nothing yet.
func NewMapper(d Discovery, c clock.PassiveClock) *DiscoveryMapper {
	return &DiscoveryMapper{discovery: d, clock: c, versions: map[schema.GroupVersion]*mappedVersion{}}
}

// Resource implements Mapper.
func (m *DiscoveryMapper) Resource(ctx context.Context, gvk schema.GroupVersionKind) (schema.GroupVersionResource, bool, error) {
	none := schema.GroupVersionResource{}
	v := m.version(gvk.GroupVersion())
	select {
	case <-v.turn:
		defer func() { v.turn <- struct{}{} }()
	case <-ctx.Done():
		return none, false, ctx.Err()
	}
	kind, ok := v.kinds[gvk.Kind]
	if !ok && (v.asked.IsZero() || m.clock.Since(v.asked) >= mapperPause) {
		m.ask(ctx, v, gvk.GroupVersion())
		kind, ok = v.kinds[gvk.Kind]
	}
	switch {
	case ok:
		return gvk.GroupVersion().WithResource(kind.resource), kind.namespaced, nil
	case v.err != nil:
		return none, false, fmt.Errorf("cannot discover %s: %w", gvk.GroupVersion(), v.err)
	}
	return none, false, &meta.NoKindMatchError{GroupKind: gvk.GroupKind(), SearchedVersions: []string{gvk.Version}}
}

// Forget has the kind's group version asked for again, at the usual pace.
func (m *DiscoveryMapper) Forget(gvk schema.GroupVersionKind) {
	v := m.version(gvk.GroupVersion())
	<-v.turn
	v.kinds = nil
	v.turn <- struct{}{}
}

func (m *DiscoveryMapper) version(gv schema.GroupVersion) *mappedVersion {
	m.mu.Lock()
	defer m.mu.Unlock()
	v := m.versions[gv]
	if v == nil {
		v = &mappedVersion{turn: make(chan struct{}, 1)}
		v.turn <- struct{}{}
		m.versions[gv] = v
	}
	return v
}

// ask fetches a group version. What was known stays if the server cannot say.
func (m *DiscoveryMapper) ask(ctx context.Context, v *mappedVersion, gv schema.GroupVersion) {
	list, err := m.discovery.ServerResourcesForGroupVersionWithContext(ctx, gv.String())
	if ctx.Err() != nil {
		v.err = ctx.Err()
		return
	}
	v.asked, v.err = m.clock.Now(), err
	if apierrors.IsNotFound(err) {
		v.err, v.kinds = nil, nil
	}
	if err != nil {
		return
	}
	v.kinds = make(map[string]mappedKind, len(list.APIResources))
	for i := range list.APIResources {
		r := &list.APIResources[i]
		if strings.Contains(r.Name, "/") { // a subresource
			continue
		}
		if _, ok := v.kinds[r.Kind]; !ok || slices.Contains(r.Verbs, "watch") {
			v.kinds[r.Kind] = mappedKind{resource: r.Name, namespaced: r.Namespaced}
		}
	}
}
