package informercache_test

import (
	"context"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/loopdock/loopdock/cmd/plane/planetest"
	"github.com/loopdock/loopdock/informercache"
)

func TestPromise05RebirthAnd11Relist(t *testing.T) {
	faults, client := newFaults(t, planetest.Shared(t))
	f := start(t, nil, client)
	ns := planetest.Namespace(t)
	f.configMap(t, ns, "reborn", "1")
	f.configMap(t, ns, "dies", "1")
	f.configMap(t, ns, "stays", "1")
	w := f.synced(t, informercache.Target{GVK: configMaps, Namespace: ns}, informercache.Demand{})
	before, stays := w.Get(ns, "reborn"), w.Get(ns, "stays")
	faults.hold()
	f.deleteConfigMap(t, ns, "reborn")
	f.deleteConfigMap(t, ns, "dies")
	f.configMap(t, ns, "born", "2")
	again := f.configMap(t, ns, "reborn", "2")
	faults.expire()
	faults.pass()
	if err := w.WaitFor(within(t), again.ResourceVersion); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the relist is told", func() bool { return f.relists() == 2 })
	changes := f.of("reborn")
	if len(changes) != 3 || changes[1].New != nil || !same(changes[1].Old, before) || changes[2].Old != nil || changes[2].New.UID() != again.UID {
		t.Errorf("want an add, a delete and an add, got %+v", changes)
	}
	if !changes[0].Initial || changes[2].Initial {
		t.Error("initial is for the first list")
	}
	if c := f.of("dies"); len(c) != 2 || c[1].New != nil {
		t.Errorf("a delete that only the relist saw: %+v", c)
	}
	if c := f.of("born"); len(c) != 1 {
		t.Errorf("an add that only the relist saw: %+v", c)
	}
	if c := f.of("stays"); len(c) != 1 || w.Get(ns, "stays") != stays {
		t.Errorf("a relist must leave alone what did not change: %+v", c)
	}
	if p := w.Status().Phase; p != informercache.Synced {
		t.Errorf("phase %s", p)
	}
}

func same(a, b *informercache.Object) bool {
	return a.UID() == b.UID() && a.ResourceVersion() == b.ResourceVersion()
}

func TestPromise12LevelWithAWatchHeldBack(t *testing.T) {
	faults, client := newFaults(t, planetest.Shared(t))
	f := start(t, nil, client)
	ns := planetest.Namespace(t)
	f.configMap(t, ns, "dies", "1")
	f.configMap(t, ns, "changes", "1")
	w := f.synced(t, informercache.Target{GVK: configMaps, Namespace: ns}, informercache.Demand{})
	if err := w.Level(within(t)); err != nil {
		t.Fatalf("level with nothing missing: %v", err)
	}
	faults.hold()
	f.deleteConfigMap(t, ns, "dies")
	cm, err := f.client.CoreV1().ConfigMaps(ns).Get(t.Context(), "changes", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	cm.Data["key"] = "2"
	if cm, err = f.client.CoreV1().ConfigMaps(ns).Update(t.Context(), cm, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- w.Level(within(t)) }() // the receive below waits for it
	eventually(t, "somebody waits", func() bool { return informercache.Waits(w) })
	select {
	case err := <-done:
		t.Fatalf("level (%v) while the watch was held back", err)
	default:
	}
	faults.pass()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if w.Get(ns, "dies") != nil || w.Get(ns, "changes").ResourceVersion() != cm.ResourceVersion {
		t.Error("the store is not level")
	}

	faults.hold()
	f.deleteConfigMap(t, ns, "changes") // alone: no newer object tells
	go func() { done <- w.Level(within(t)) }()
	eventually(t, "somebody waits", func() bool { return informercache.Waits(w) })
	faults.pass()
	if err := <-done; err != nil || w.Get(ns, "changes") != nil {
		t.Errorf("after a lone delete: %v, %v", err, w.Get(ns, "changes"))
	}
}

func TestPromise02Order(t *testing.T) {
	faults, client := newFaults(t, planetest.Shared(t))
	f := start(t, nil, client)
	ns := planetest.Namespace(t)
	w := f.synced(t, informercache.Target{GVK: configMaps, Namespace: ns}, informercache.Demand{})
	cm := f.configMap(t, ns, "moves", "v")
	for i := range 60 {
		cm.Data["key"] = strings.Repeat("x", i)
		var err error
		if cm, err = f.client.CoreV1().ConfigMaps(ns).Update(t.Context(), cm, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		if i%20 == 10 {
			faults.expire()
		}
	}
	if err := w.WaitFor(within(t), cm.ResourceVersion); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the last state is told", func() bool {
		c := f.of("moves")
		return len(c) > 0 && c[len(c)-1].New.ResourceVersion() == cm.ResourceVersion
	})
	var last *informercache.Object
	for i, c := range f.of("moves") {
		if (last == nil) != (c.Old == nil) || last != nil && !same(c.Old, last) {
			t.Fatalf("change %d does not begin where the last one ended", i)
		}
		if last != nil {
			if order, err := resourceversion.CompareResourceVersion(last.ResourceVersion(), c.New.ResourceVersion()); err != nil || order >= 0 {
				t.Fatalf("change %d goes from %s to %s", i, last.ResourceVersion(), c.New.ResourceVersion())
			}
		}
		last = c.New
	}
}

func TestServerOutOfReach(t *testing.T) {
	faults, client := newFaults(t, planetest.Shared(t))
	faults.refusing(true)
	f := start(t, nil, client)
	ns := planetest.Namespace(t)
	made := f.configMap(t, ns, "a", "v")
	w := f.Watch(informercache.Target{GVK: configMaps, Namespace: ns}, informercache.Demand{})
	eventually(t, "the failure shows", func() bool { return w.Status().Phase == informercache.Failing })
	if m := w.Status().Message; !strings.Contains(m, "refused") || !strings.Contains(m, "ConfigMap.v1") {
		t.Errorf("message %q", m)
	}
	faults.refusing(false)
	if err := w.WaitFor(within(t), made.ResourceVersion); err != nil {
		t.Fatal(err)
	}
	if s := w.Status(); s.Phase != informercache.Synced || s.Message != "" {
		t.Errorf("status %+v", s)
	}
}

func TestRunEndsInTheMidstOfAPause(t *testing.T) {
	faults, client := newFaults(t, planetest.Shared(t))
	faults.refusing(true)
	f := start(t, nil, client)
	path := "/api/v1/configmaps"
	f.Watch(informercache.Target{GVK: configMaps}, informercache.Demand{})
	eventually(t, "the pauses are long", func() bool { return faults.requests(path) >= 4 })
	f.stop()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second) // the pause is 3 seconds and more
	defer cancel()
	select {
	case <-f.ended:
	case <-ctx.Done():
		t.Error("it sleeps on")
	}
}
