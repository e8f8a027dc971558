package queue_test

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/loopdock/loopdock/host/queue"
)

// TestHammer lets everything happen to a few keys at once. No key is ever with
// two workers, none is handed out while it is parked, and after the noise each
// one that is added comes.
func TestHammer(t *testing.T) {
	const keys, rounds = 8, 2000
	q, err := queue.New[int](queue.Config{BaseDelay: time.Microsecond, MaxDelay: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	var with [keys]atomic.Int32
	var runs atomic.Int64
	var workers, noise sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for k, shutdown := q.Get(); !shutdown; k, shutdown = q.Get() {
				if with[k].Add(1) != 1 {
					t.Errorf("key %d is with two workers", k)
				}
				runs.Add(1)
				switch rand.IntN(5) {
				case 0:
					q.Fail(k)
				case 1:
					q.AddAfter(k, time.Microsecond)
				case 2:
					q.Park(k)
				default:
					q.Forget(k)
				}
				with[k].Add(-1)
				q.Done(k)
			}
		})
	}
	for range 4 {
		noise.Go(func() {
			for range rounds {
				k := rand.IntN(keys)
				switch rand.IntN(4) {
				case 0:
					q.Add(k, queue.Low)
				case 1:
					q.Add(k, queue.Normal)
				case 2:
					q.AddNow(k)
				case 3:
					q.Unpark(k)
				}
			}
		})
	}
	noise.Wait()
	for k := range keys {
		q.AddNow(k)
		q.Unpark(k)
	}
	q.ShutDownWithDrain()
	workers.Wait()
	if runs.Load() < keys {
		t.Errorf("%d runs for %d keys", runs.Load(), keys)
	}
}

func BenchmarkAddGetDone(b *testing.B) {
	q, err := queue.New[int](queue.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer q.ShutDown()
	b.ReportAllocs()
	for i := range b.N {
		q.Add(i&1023, queue.Normal)
		k, _ := q.Get()
		q.Done(k)
	}
}
