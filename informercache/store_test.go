package informercache

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

var epoch = time.Unix(1700000000, 0)

func TestPromise01Identity(t *testing.T) {
	s := newStore()
	s.set(pod(t, "n", "a", 1), epoch)
	s.set(pod(t, "n", "a", 2, withUID("other")), epoch)
	s.set(pod(t, "m", "a", 3), epoch)
	if got := s.run(plan{}); len(got) != 2 || got[0].Namespace() != "m" || got[1].UID() != "other" {
		t.Errorf("got %d objects", len(got))
	}
}

func TestPromise05RebirthInAWatch(t *testing.T) {
	s := newStore()
	s.replace([]*Object{pod(t, "n", "a", 1)}, "1", epoch)
	got := s.set(pod(t, "n", "a", 2, withUID("other")), epoch)
	if len(got) != 2 || got[0].New != nil || got[1].Old != nil || got[1].New.UID() != "other" {
		t.Errorf("got %+v", got)
	}
	if got := s.set(pod(t, "n", "a", 2, withUID("other")), epoch); got != nil {
		t.Errorf("the same state again is no change: %+v", got)
	}
}

// TestPromise03OneMoment has a writer renew all objects by relists, big and
// small ones, while readers look for a mixture.
func TestPromise03OneMoment(t *testing.T) {
	const readers, rounds = 3, 20
	for _, size := range []int{inPlace / 2, inPlace * 4} {
		s := newStore()
		s.widen(Demand{Indexes: []Index{nodeName}}, epoch)
		generation := func(n int) []*Object {
			list := make([]*Object, size)
			for i := range list {
				list[i] = pod(t, "n", fmt.Sprint("p", i), n*size+i+1, withLabels("g", strconv.Itoa(n), "app", "a"), withOwner("o", true), onNode(fmt.Sprint("node", n)))
			}
			return list
		}
		s.replace(generation(0), "1", epoch)
		done := make(chan struct{})
		var wg sync.WaitGroup
		for range readers {
			wg.Go(func() { // the test waits for it
				for {
					select {
					case <-done:
						return
					default:
					}
					checkMoment(t, s, size)
				}
			})
		}
		for n := 1; n <= rounds; n++ {
			s.replace(generation(n), strconv.Itoa(n*size), epoch)
			s.widen(Demand{Observed: []Path{{Numbers: []int32{2, int32(n % 4)}}}}, epoch)
		}
		close(done)
		wg.Wait()
	}
}

func checkMoment(t *testing.T, s *store, size int) {
	t.Helper()
	uid := types.UID("o")
	app := labels.SelectorFromSet(labels.Set{"app": "a"})
	for _, q := range []Query{{}, {Namespace: "n"}, {Selector: app}, {Controller: &uid}, {Owner: uid}} {
		got := s.run(plan{Query: q})
		if len(got) != size {
			t.Errorf("%d of %d objects", len(got), size)
			return
		}
		for _, o := range got {
			if o.Labels().Get("g") != got[0].Labels().Get("g") {
				t.Error("objects of two moments")
				return
			}
		}
	}
	key := nodeName.key()
	got := s.run(plan{Query: Query{Selector: app, IndexValue: "node" + s.run(plan{})[0].Labels().Get("g")}, index: &key})
	if len(got) != 0 && len(got) != size {
		t.Errorf("a declared index found %d of %d", len(got), size)
	}
}

// TestQueriesAgreeWithFilters compares indexes with a naive filter over random
// histories.
func TestQueriesAgreeWithFilters(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := newStore()
	s.widen(Demand{Indexes: []Index{nodeName}}, epoch)
	truth := map[string]*Object{}
	for step := range 3000 {
		ns, name := fmt.Sprint("ns", r.IntN(3)), fmt.Sprint("p", r.IntN(40))
		switch r.IntN(10) {
		case 0, 1:
			s.unset(ns, name, strconv.Itoa(step+1))
			delete(truth, ns+"/"+name)
		case 2:
			if step%50 == 0 {
				s.replace(slices.Collect(maps.Values(truth)), strconv.Itoa(step+1), epoch)
			}
		default:
			o := pod(t, ns, name, step+1, withLabels("app", strconv.Itoa(r.IntN(4)), "tier", strconv.Itoa(r.IntN(2))),
				withOwner(fmt.Sprint("o", r.IntN(4)), r.IntN(2) == 0), onNode(fmt.Sprint("node", r.IntN(3))))
			s.set(o, epoch)
			truth[ns+"/"+name] = o
		}
		if step%10 != 0 {
			continue
		}
		q, index := randomQuery(r)
		p := plan{Query: q}
		if index {
			key := nodeName.key()
			p.index, p.IndexValue = &key, fmt.Sprint("node", r.IntN(3))
		}
		want := []*Object{}
		for _, o := range truth {
			naive := p.matches(o, nil) && (!index || slices.Equal(indexValues(o, nodeName), []string{p.IndexValue}))
			if naive {
				want = append(want, o)
			}
		}
		slices.SortFunc(want, byName)
		if got := s.run(p); !slices.Equal(got, want) {
			t.Fatalf("step %d, %+v: %d objects, want %d", step, q, len(got), len(want))
		}
	}
	checkEmpties(t, s, truth)
}

func randomQuery(r *rand.Rand) (Query, bool) {
	var q Query
	if r.IntN(2) == 0 {
		q.Namespace = fmt.Sprint("ns", r.IntN(4))
	}
	switch r.IntN(4) {
	case 0:
		q.Selector = labels.SelectorFromSet(labels.Set{"app": strconv.Itoa(r.IntN(5)), "tier": "1"})
	case 1:
		q.Selector, _ = labels.Parse("app in (1,2),tier!=0")
	case 2:
		q.Selector = labels.Nothing()
	}
	if uid := types.UID(fmt.Sprint("o", r.IntN(4))); r.IntN(3) == 0 {
		q.Owner = uid
	} else if r.IntN(3) == 0 {
		q.Controller = &uid
	} else if none := types.UID(""); r.IntN(3) == 0 {
		q.Controller = &none
	}
	return q, r.IntN(3) == 0
}

// checkEmpties deletes everything and looks for leftovers.
func checkEmpties(t *testing.T, s *store, truth map[string]*Object) {
	t.Helper()
	if count, _ := s.figures(); count != len(truth) {
		t.Errorf("%d objects counted of %d", count, len(truth))
	}
	for _, o := range truth {
		s.unset(o.namespace, o.name, "999999")
	}
	c := s.core
	if c.count != 0 || c.bytes != 0 || len(c.spaces) != 0 || len(c.labels) != 0 || len(c.owners) != 0 || len(c.declared[nodeName.key()].postings) != 0 {
		t.Errorf("left over: %d objects, %d bytes, %v %v %v", c.count, c.bytes, c.spaces, c.labels, c.owners)
	}
}

func TestUnknownIndexFindsNothing(t *testing.T) {
	s := newStore()
	s.set(pod(t, "n", "a", 1), epoch)
	if got := s.run(plan{index: &indexKey{}}); len(got) != 0 {
		t.Errorf("got %d", len(got))
	}
}

func TestPromise13ObservedFields(t *testing.T) {
	renew, holder := Path{Numbers: []int32{2, 4}, Name: "spec.renewTime"}, Path{Numbers: []int32{2, 1}, Name: "spec.holderIdentity"}
	lease := func(version int, renewed int64, holder string) *Object {
		at := metav1.NewMicroTime(time.Unix(renewed, 0))
		return object(t, &coordinationv1.Lease{
			ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: "l", UID: "u", ResourceVersion: strconv.Itoa(version)},
			Spec:       coordinationv1.LeaseSpec{RenewTime: &at, HolderIdentity: &holder},
		}, newInterner())
	}
	at := func(s int) time.Time { return epoch.Add(time.Duration(s) * time.Second) }
	s := newStore()
	s.widen(Demand{Observed: []Path{renew}}, at(0))
	want := func(p Path, second int) {
		t.Helper()
		if got, ok := s.get("n", "l").Observed(p); !ok || !got.Equal(at(second)) {
			t.Errorf("%s was observed at %v, want second %d", p.Name, got, second)
		}
	}
	s.replace([]*Object{lease(1, 1, "a")}, "1", at(1))
	want(renew, 1)
	s.set(lease(2, 1, "b"), at(2))
	want(renew, 1) // another field
	s.set(lease(3, 3, "b"), at(3))
	want(renew, 3)
	s.replace([]*Object{lease(3, 3, "b")}, "9", at(4))
	want(renew, 3) // a relist that brings nothing new
	s.replace([]*Object{lease(5, 3, "c")}, "10", at(5))
	want(renew, 3) // a relist that brings another field
	s.widen(Demand{Observed: []Path{holder, renew}}, at(6))
	want(renew, 3)
	want(holder, 6)
	s.set(lease(7, 3, "d"), at(7))
	want(holder, 7)
	want(renew, 3)
	if _, ok := s.get("n", "l").Observed(Path{Name: "x"}); ok {
		t.Error("an undeclared field is observed")
	}
}

func TestPromise11AnOlderListIsTheTruth(t *testing.T) {
	s := newStore()
	s.replace([]*Object{pod(t, "n", "a", 50), pod(t, "n", "b", 60)}, "60", epoch)
	got := s.replace([]*Object{pod(t, "n", "a", 5)}, "7", epoch)
	if len(got) != 2 || s.get("n", "b") != nil || s.get("n", "a").ResourceVersion() != "5" || s.reached("60") {
		t.Errorf("got %+v", got)
	}
}

func TestPromise07VersionsThatDoNotCompare(t *testing.T) {
	s := newStore()
	if s.reached("x") || s.reached("1") || s.reached("") {
		t.Error("nothing is reached before the first list")
	}
	s.replace(nil, "5", epoch)
	for version, want := range map[string]bool{"x": true, "": true, "0": true, "4": true, "5": true, "6": false, "10": false} {
		if got := s.reached(version); got != want {
			t.Errorf("reached(%q) = %v at 5", version, got)
		}
	}
}

func TestCompareFindsWhatIsMissing(t *testing.T) {
	cases := map[string]struct {
		reason       string
		stored, live []*Object
		at, snapshot string
		then         func(*store)
	}{
		"newer object": {
			"an object that the watch has yet to deliver",
			nil,
			[]*Object{pod(t, "n", "a", 9)},
			"5", "12",
			func(s *store) { s.set(pod(t, "n", "a", 9), epoch) },
		},
		"deleted meanwhile": {
			"an object that came and went shows by a later version alone",
			nil,
			[]*Object{pod(t, "n", "a", 9)},
			"5", "12",
			func(s *store) { s.unset("n", "a", "11") },
		},
		"gone": {
			"an object that the server deleted",
			[]*Object{pod(t, "n", "a", 3)},
			nil,
			"5", "12",
			func(s *store) { s.unset("n", "a", "11") },
		},
		"reborn": {
			"a name with another UID",
			[]*Object{pod(t, "n", "a", 3)},
			[]*Object{pod(t, "n", "a", 9, withUID("x"))},
			"5", "12",
			func(s *store) { s.set(pod(t, "n", "a", 9, withUID("x")), epoch) },
		},
		"relist": {
			"a relist past the list makes up for all",
			[]*Object{pod(t, "n", "a", 3)},
			[]*Object{pod(t, "n", "b", 9)},
			"5", "12",
			func(s *store) { s.replace(nil, "20", epoch) },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newStore()
			s.replace(slices.Clone(tc.stored), tc.at, epoch)
			l, err := s.compare(tc.live, tc.snapshot)
			if err != nil || l.done(s) {
				t.Fatalf("%s: level at once, %v", tc.reason, err)
			}
			s.set(pod(t, "other", "x", 6), epoch)
			if l.done(s) {
				t.Fatalf("%s: level by an unrelated event", tc.reason)
			}
			tc.then(s)
			if !l.done(s) {
				t.Errorf("%s: not level", tc.reason)
			}
		})
	}
	s := newStore()
	s.replace([]*Object{pod(t, "n", "a", 3), pod(t, "n", "later", 30)}, "30", epoch)
	if l, err := s.compare([]*Object{pod(t, "n", "a", 2)}, "12"); err != nil || !l.done(s) {
		t.Errorf("a store ahead of the list is level: %v", err)
	}
}

// TestPromise04Immutability changes and relists an object that is kept.
func TestPromise04Immutability(t *testing.T) {
	s := newStore()
	s.set(pod(t, "n", "a", 1, withLabels("a", "1")), epoch)
	kept := s.get("n", "a")
	raw := string(kept.Raw())
	s.widen(Demand{Observed: []Path{nodeName.Path}, Indexes: []Index{nodeName}}, epoch)
	s.set(pod(t, "n", "a", 2, withLabels("a", "2")), epoch)
	s.replace([]*Object{pod(t, "n", "a", 3, func(p *corev1.Pod) { p.Labels = nil })}, "3", epoch)
	_ = kept.Field(Path{Numbers: []int32{1, 11}})
	if string(kept.Raw()) != raw || kept.ResourceVersion() != "1" || kept.Labels().Get("a") != "1" {
		t.Error("a kept object changed")
	}
	if _, ok := kept.Observed(nodeName.Path); ok {
		t.Error("a kept object changed")
	}
}

func BenchmarkReplaceFiftyThousand(b *testing.B) {
	list := make([]*Object, 50000)
	for i := range list {
		list[i] = pod(b, fmt.Sprint("ns", i%50), fmt.Sprint("pod-", i), i+1, withLabels("app", strconv.Itoa(i%500), "one", strconv.Itoa(i)), withOwner(strconv.Itoa(i%500), true))
	}
	for b.Loop() {
		newStore().replace(list, "50001", epoch)
	}
}

func BenchmarkSelectorInFiftyThousand(b *testing.B) {
	s := newStore()
	list := make([]*Object, 50000)
	for i := range list {
		list[i] = pod(b, fmt.Sprint("ns", i%50), fmt.Sprint("pod-", i), i+1, withLabels("app", strconv.Itoa(i%500)))
	}
	s.replace(list, "50001", epoch)
	q := plan{Query: Query{Namespace: "ns7", Selector: labels.SelectorFromSet(labels.Set{"app": "7"})}}
	for b.Loop() {
		if len(s.run(q)) != 100 {
			b.Fatal("wrong answer")
		}
	}
}
