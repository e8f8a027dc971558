package informercache

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
)

// levelPage is how many objects a page of the consistent list holds.
const levelPage = 500

// levelAttempts is how often the list begins again after its snapshot expired
// between two pages.
const levelAttempts = 3

var errNotLevel = errors.New("the list kept expiring")

// Level brings the watch level with the server: when it returns nil, queries
// show each object as it was when Level was called, or later. It lists the
// metadata of all objects by a consistent read and waits until the watch has
// delivered every difference. It fails if the list does, if versions of the
// kind do not compare, and when the context ends.
func (w *Watch) Level(ctx context.Context) error {
	if err := w.WaitForSync(ctx); err != nil {
		return err
	}
	if err := w.watched.level(ctx); err != nil {
		return fmt.Errorf("cannot bring %s level: %w", w.watched.target, err)
	}
	return nil
}

func (w *watched) level(ctx context.Context) error {
	live, version, err := w.liveMetadata(ctx)
	if err != nil {
		return err
	}
	l, err := w.store.compare(live, version)
	if err != nil {
		return err
	}
	return w.await(ctx, l.done)
}

// liveMetadata lists all objects of the target as they are in etcd.
func (w *watched) liveMetadata(ctx context.Context) ([]*Object, string, error) {
	gvr, err := w.resource(ctx)
	if err != nil {
		return nil, "", err
	}
	for range levelAttempts {
		live, version, err := w.plain.pages(ctx, gvr, w.target.Namespace)
		if !apierrors.IsResourceExpired(err) {
			return live, version, err
		}
	}
	return nil, "", errNotLevel
}

// pages lists the metadata of a resource consistently, page by page. The
// version is that of the snapshot.
func (c *conn) pages(ctx context.Context, r resourcePath, namespace string) ([]*Object, string, error) {
	var all []*Object
	opts := metav1.ListOptions{Limit: levelPage}
	for {
		page, err := c.list(ctx, r, namespace, opts, true)
		if err != nil {
			return nil, "", err
		}
		for _, i := range page.Items {
			all = append(all, i.obj)
		}
		if opts.Continue = page.Continue; opts.Continue == "" {
			return all, page.ResourceVersion, nil
		}
	}
}

// leveling is what a watch has yet to deliver.
type leveling struct {
	snapshot string    // the version of the list: past it nothing is missing
	newest   string    // the newest object that the store lacked
	gone     []*Object // what the store has and the server no longer had
}

// compare finds what the store lacks of a live list. A watch delivers the
// events of one resource in the order of their versions, so that the newest
// missing state stands for all of them; only what is gone must be seen to go.
func (s *store) compare(live []*Object, snapshot string) (*leveling, error) {
	s.mu.RLock()
	stored := s.core.all(make([]*Object, 0, s.core.count))
	version := s.version
	s.mu.RUnlock()

	l := &leveling{snapshot: snapshot}
	alive := make(map[string]bool, len(live))
	known := make(map[string]string, len(stored))
	for _, o := range stored {
		known[o.uid] = o.version
	}
	for _, o := range live {
		alive[o.uid] = true
		if known[o.uid] == o.version {
			continue
		}
		newer, err := isNewer(o.version, version)
		if err != nil {
			return nil, err
		}
		if newer {
			if newest, err := isNewer(o.version, l.newest); err != nil || newest {
				l.newest = o.version
			}
		}
	}
	for _, o := range stored {
		if alive[o.uid] {
			continue
		}
		later, err := isNewer(o.version, snapshot) // made after the list
		if err != nil {
			return nil, err
		}
		if !later {
			l.gone = append(l.gone, o)
		}
	}
	return l, nil
}

// isNewer tells whether version a is after b; everything is after "".
func isNewer(a, b string) (bool, error) {
	if b == "" {
		return true, nil
	}
	order, err := resourceversion.CompareResourceVersion(a, b)
	return order > 0, err
}

// done is called with the store locked.
func (l *leveling) done(s *store) bool {
	if later, err := isNewer(l.snapshot, s.version); err == nil && !later {
		return true
	}
	for len(l.gone) > 0 {
		last := l.gone[len(l.gone)-1]
		if o := s.core.get(last.namespace, last.name); o != nil && o.uid == last.uid {
			return false
		}
		l.gone = l.gone[:len(l.gone)-1]
	}
	if l.newest == "" {
		return true
	}
	later, err := isNewer(l.newest, s.version)
	return err == nil && !later
}
