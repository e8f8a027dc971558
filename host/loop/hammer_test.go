package loop_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/hosttest"
	"github.com/loopdock/loopdock/host/loop"
)

// TestNeverTwoAtOnce: events, failures, wishes to come again, writes and swaps
// come down on a few keys from all sides.
func TestNeverTwoAtOnce(t *testing.T) {
	t.Parallel()
	const keys, runs = 4, 60
	f := newFixture(t)
	name := func(i int) string { return fmt.Sprintf("key-%d", i) }
	var mu sync.Mutex
	running, ran := map[string]bool{}, map[string]int{}
	wrote := map[string]int{}
	g := func(c *call) (*abi.Response, error) {
		k := c.name()
		mu.Lock()
		if running[k] {
			t.Errorf("%s runs twice at once", k)
		}
		running[k] = true
		ran[k]++
		n, expected := ran[k], wrote[k]
		mu.Unlock()
		answer := c.read(t, abi.Query{Type: abi.QueryTypeGet, Kind: configMaps, Namespace: f.namespace, Name: k})
		resp := &abi.Response{}
		switch n % 5 {
		case 0:
			resp.Error = &abi.Error{Message: "again"}
		case 1:
			resp.RequeueAfterNS = int64(time.Millisecond)
		case 2, 3: // it must see this the next time
			if len(answer.Objects) == 0 && expected > 0 {
				t.Errorf("%s runs on a cache without its own write", k)
			}
			resp.Batches = []abi.Batch{{Actions: []abi.Action{{
				Verb: abi.VerbApply, Kind: configMaps, Namespace: f.namespace, Name: k, Encoding: abi.EncodingJSON,
				Body: fmt.Appendf(nil, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q},"data":{"run":"%d"}}`, k, n),
			}}}}
			resp.Continues = n%5 == 3
			mu.Lock()
			wrote[k] = n
			mu.Unlock()
		}
		mu.Lock()
		running[k] = false
		mu.Unlock()
		return resp, nil
	}
	r := f.run(f.manifest(), g, func(c *loop.Config) { c.Workers, c.MaxBackOff = 8, 10*time.Millisecond })
	for i := range keys {
		f.key(name(i))
	}
	ctx, cancel := context.WithCancel(t.Context())
	var hammers sync.WaitGroup
	var patches atomic.Int64
	for range 3 {
		hammers.Go(func() { // waited for below
			for ctx.Err() == nil {
				n := patches.Add(1)
				patch := fmt.Appendf(nil, `{"metadata":{"labels":{"n":"%d"}}}`, n)
				if n%3 == 0 {
					patch = fmt.Appendf(nil, `{"spec":{"minReadySeconds":%d}}`, n)
				}
				k := name(rand.IntN(keys))
				_, err := f.client.AppsV1().ReplicaSets(f.namespace).Patch(ctx, k, types.MergePatchType, patch, metav1.PatchOptions{})
				if err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			}
		})
	}
	hammers.Go(func() {
		for n := 2; ctx.Err() == nil; n++ {
			v := f.version(f.manifest(), fmt.Sprintf("v%d", n), g, nil)
			if err := r.Swap(ctx, v); err != nil {
				v.Close()
				if ctx.Err() == nil {
					t.Error(err)
				}
			}
		}
	})
	hosttest.Eventually(t, "each key has run often", func() bool {
		mu.Lock()
		defer mu.Unlock()
		for i := range keys {
			if ran[name(i)] < runs {
				return false
			}
		}
		return true
	})
	cancel()
	hammers.Wait()
	hosttest.Eventually(t, "no key waits for ever", func() bool { return r.Status().Parked == 0 })
}
