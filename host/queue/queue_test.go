package queue_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/loopdock/loopdock/host/queue"
)

const (
	base = time.Second
	long = 8 * time.Second
)

// bubble runs f on a queue inside a synctest bubble, where time is exact.
func bubble(t *testing.T, f func(t *testing.T, q *queue.Queue[string])) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		q, err := queue.New[string](queue.Config{Name: "test", BaseDelay: base, MaxDelay: long})
		if err != nil {
			t.Fatal(err)
		}
		defer q.ShutDown()
		f(t, q)
	})
}

// take is the next key, or "" if none is ready now.
func take(t *testing.T, q *queue.Queue[string]) string {
	t.Helper()
	synctest.Wait()
	if q.Len() == 0 {
		return ""
	}
	k, shutdown := q.Get()
	if shutdown {
		t.Fatal("the queue is shut down")
	}
	return k
}

// comesAfter checks that a key comes when d has passed and not earlier.
func comesAfter(t *testing.T, q *queue.Queue[string], key string, d time.Duration) {
	t.Helper()
	if d > 0 {
		time.Sleep(d - time.Nanosecond) //nolint:forbidigo // the bubble's clock
		if got := take(t, q); got != "" {
			t.Fatalf("%q comes before %v have passed", got, d)
		}
		time.Sleep(time.Nanosecond) //nolint:forbidigo // the bubble's clock
	}
	if got := take(t, q); got != key {
		t.Fatalf("after %v %q comes, want %q", d, got, key)
	}
}

func run(t *testing.T, q *queue.Queue[string], key string, f func()) {
	t.Helper()
	q.Add(key, queue.Normal)
	comesAfter(t, q, key, 0)
	f()
	q.Done(key)
}

func TestPriorities(t *testing.T) {
	bubble(t, func(t *testing.T, q *queue.Queue[string]) {
		t.Helper()
		for _, k := range []string{"low1", "low2", "raised", "low3"} {
			q.Add(k, queue.Low)
		}
		q.Add("normal1", queue.Normal)
		q.Add("raised", queue.Normal)
		q.Add("normal2", queue.Normal)
		q.Add("normal1", queue.Low) // nothing sinks
		if q.Len() != 6 {
			t.Errorf("Len = %d, want 6", q.Len())
		}
		for _, want := range []string{"normal1", "raised", "normal2", "low1", "low2", "low3", ""} {
			if got := take(t, q); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	})
}

func TestRaisedKeyDoesNotLeaveATrace(t *testing.T) {
	bubble(t, func(t *testing.T, q *queue.Queue[string]) {
		t.Helper()
		q.Add("a", queue.Low)
		q.Add("b", queue.Low)
		q.Add("a", queue.Normal)
		comesAfter(t, q, "a", 0)
		q.Done("a")
		q.Add("a", queue.Low) // its old place, before b, is void
		for _, want := range []string{"b", "a", ""} {
			if got := take(t, q); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	})
}

func TestOneWorkerAKey(t *testing.T) {
	bubble(t, func(t *testing.T, q *queue.Queue[string]) {
		t.Helper()
		run(t, q, "a", func() {
			q.Add("a", queue.Low)
			q.Add("a", queue.Normal)
			if got := take(t, q); got != "" {
				t.Errorf("%q comes while a worker has it", got)
			}
		})
		comesAfter(t, q, "a", 0)
		q.Done("a")
		if got := take(t, q); got != "" {
			t.Errorf("%q comes twice for one wait", got)
		}
	})
}

func TestBackOffIsNotCutShortByAnEvent(t *testing.T) {
	bubble(t, func(t *testing.T, q *queue.Queue[string]) {
		t.Helper()
		run(t, q, "a", func() {
			q.Add("a", queue.Normal) // an event during the run
			q.Fail("a")
		})
		q.Add("a", queue.Normal) // and one after it
		q.AddAfter("a", base/2)
		if q.Attempt("a") != 1 {
			t.Errorf("Attempt = %d, want 1", q.Attempt("a"))
		}
		comesAfter(t, q, "a", base)
		q.Done("a")
		if got := take(t, q); got != "" {
			t.Errorf("%q comes once more for events that the retry has seen", got)
		}
	})
}

func TestBackOffGrowsToTheMaximumAndIsForgotten(t *testing.T) {
	bubble(t, func(t *testing.T, q *queue.Queue[string]) {
		t.Helper()
		run(t, q, "a", func() { q.Fail("a") })
		for _, d := range []time.Duration{base, 2 * base, 4 * base, long, long} {
			comesAfter(t, q, "a", d)
			q.Fail("a")
			q.Done("a")
		}
		comesAfter(t, q, "a", long)
		q.Forget("a")
		q.Fail("a")
		q.Done("a")
		comesAfter(t, q, "a", base)
	})
}

func TestAddNowCutsBackOffShort(t *testing.T) {
	cases := map[string]struct {
		reason string
		during bool
	}{
		"after the run":  {"the key waits", false},
		"during the run": {"the run that fails saw the old specification", true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, q *queue.Queue[string]) {
				t.Helper()
				run(t, q, "a", func() {
					if tc.during {
						q.AddNow("a")
					}
					q.Fail("a")
				})
				if !tc.during {
					q.AddNow("a")
				}
				comesAfter(t, q, "a", 0)
				if got := q.Attempt("a"); got != 0 {
					t.Errorf("%s: %d failures are remembered", tc.reason, got)
				}
				q.Fail("a")
				q.Done("a")
				comesAfter(t, q, "a", base)
			})
		})
	}
}

func TestAddAfter(t *testing.T) {
	bubble(t, func(t *testing.T, q *queue.Queue[string]) {
		t.Helper()
		run(t, q, "a", func() {
			q.AddAfter("a", 3*time.Second)
			q.AddAfter("a", 2*time.Second)
			q.AddAfter("a", 5*time.Second)
		})
		comesAfter(t, q, "a", 2*time.Second)
		q.AddAfter("a", time.Minute)
		q.Done("a")
		q.Add("a", queue.Normal) // runs it earlier, and makes the minute obsolete
		comesAfter(t, q, "a", 0)
		q.AddAfter("a", time.Hour)
		q.Done("a")
		comesAfter(t, q, "a", time.Hour)
		q.Done("a")
		q.AddAfter("a", 0)
		comesAfter(t, q, "a", 0)
	})
}

func TestPark(t *testing.T) {
	bubble(t, func(t *testing.T, q *queue.Queue[string]) {
		t.Helper()
		run(t, q, "a", func() { q.Park("a") })
		q.Unpark("a")
		if got := take(t, q); got != "" {
			t.Fatalf("%q comes though nothing happened to it while parked", got)
		}
		run(t, q, "a", func() {
			q.Add("a", queue.Normal)
			q.Park("a")
		})
		q.AddNow("a")
		if got := take(t, q); got != "" {
			t.Fatalf("%q comes while parked", got)
		}
		q.Unpark("a")
		q.Unpark("a")
		comesAfter(t, q, "a", 0)
		q.Done("a")

		q.Add("a", queue.Low)
		q.Park("a") // it is ready already
		q.Add("b", queue.Low)
		k, _ := q.Get()
		if k != "b" {
			t.Fatalf("got %q, want the key that is not parked", k)
		}
		q.Unpark("a")
		comesAfter(t, q, "a", 0)
	})
}

func TestParkOutlastsBackOffAndRequeue(t *testing.T) {
	bubble(t, func(t *testing.T, q *queue.Queue[string]) {
		t.Helper()
		for _, f := range []func(){func() { q.Fail("a") }, func() { q.AddAfter("a", base) }} {
			run(t, q, "a", func() { f(); q.Park("a") })
			time.Sleep(time.Minute) //nolint:forbidigo // the bubble's clock
			if got := take(t, q); got != "" {
				t.Fatalf("%q comes while parked", got)
			}
			q.Unpark("a")
			comesAfter(t, q, "a", 0)
			q.Forget("a")
			q.Done("a")
		}
		run(t, q, "a", func() { q.Fail("a"); q.Park("a") })
		q.Unpark("a")
		comesAfter(t, q, "a", base)
	})
}

func TestShutDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, err := queue.New[int](queue.Config{})
		if err != nil {
			t.Fatal(err)
		}
		var workers sync.WaitGroup
		for range 3 {
			workers.Go(func() {
				if k, shutdown := q.Get(); !shutdown {
					t.Errorf("got %d, want the end", k)
				}
			})
		}
		synctest.Wait()
		q.ShutDown()
		workers.Wait()
		q.Add(1, queue.Normal)
		q.Fail(1)
		if _, shutdown := q.Get(); !shutdown || !q.ShuttingDown() {
			t.Error("a key comes after the end")
		}
		q.ShutDown()
	})
}

func TestShutDownWithDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, err := queue.New[int](queue.Config{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 10 {
			q.Add(i, queue.Low)
		}
		var workers sync.WaitGroup
		done := make(chan int, 20)
		for range 2 {
			workers.Go(func() {
				for k, shutdown := q.Get(); !shutdown; k, shutdown = q.Get() {
					time.Sleep(time.Second) //nolint:forbidigo // work, by the bubble's clock
					q.Add(k, queue.Normal)  // dropped
					q.Done(k)
					done <- k
				}
			})
		}
		q.ShutDownWithDrain()
		workers.Wait()
		if len(done) != 10 {
			t.Errorf("%d keys were done, want 10", len(done))
		}
	})
}
