package informercache

import (
	"context"
	"errors"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clocktesting "k8s.io/utils/clock/testing"
)

// served is a discovery that a test sets.
type served struct {
	kinds map[string]string // group version to kind
	err   error
	asked int
}

func (s *served) ServerResourcesForGroupVersionWithContext(_ context.Context, gv string) (*metav1.APIResourceList, error) {
	s.asked++
	if s.err != nil {
		return nil, s.err
	}
	kind, ok := s.kinds[gv]
	if !ok {
		return nil, apierrors.NewNotFound(schema.GroupResource{}, gv)
	}
	return &metav1.APIResourceList{APIResources: []metav1.APIResource{
		{Name: "things/status", Kind: kind},
		{Name: "things", Kind: kind, Namespaced: true, Verbs: metav1.Verbs{"list", "watch"}},
	}}, nil
}

func TestMapperAsksAgainAtItsPace(t *testing.T) {
	clock := clocktesting.NewFakeClock(epoch)
	s := &served{kinds: map[string]string{}}
	m := NewMapper(s, clock)
	gvk := schema.GroupVersionKind{Group: "g", Version: "v1", Kind: "Thing"}
	for range 3 {
		if _, _, err := m.Resource(t.Context(), gvk); !meta.IsNoMatchError(err) {
			t.Fatalf("not served: %v", err)
		}
	}
	if s.asked != 1 {
		t.Errorf("asked %d times at once", s.asked)
	}
	s.kinds["g/v1"] = "Thing"
	clock.Step(mapperPause)
	gvr, namespaced, err := m.Resource(t.Context(), gvk)
	if err != nil || gvr.Resource != "things" || !namespaced {
		t.Errorf("served now: %v %v %v", gvr, namespaced, err)
	}
	clock.Step(time.Hour)
	s.err = errors.New("down")
	if _, _, err := m.Resource(t.Context(), gvk); err != nil || s.asked != 2 {
		t.Errorf("what is known stays known: %v, asked %d times", err, s.asked)
	}
	if _, _, err := m.Resource(t.Context(), schema.GroupVersionKind{Group: "broken", Version: "v1", Kind: "X"}); !errors.Is(err, s.err) || meta.IsNoMatchError(err) {
		t.Errorf("a broken group: %v", err)
	}
	if _, _, err := m.Resource(t.Context(), gvk); err != nil {
		t.Errorf("a broken group breaks another: %v", err)
	}
	s.err, s.kinds = nil, nil
	m.Forget(gvk)
	if _, _, err := m.Resource(t.Context(), gvk); !meta.IsNoMatchError(err) {
		t.Errorf("forgotten: %v", err)
	}
}
