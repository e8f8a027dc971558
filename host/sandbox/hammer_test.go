package sandbox

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// TestHammer: many goroutines, a trap in every seventh call, fewer instances than
// callers, and a Close in the middle. Meant for the race detector.
func TestHammer(t *testing.T) {
	const callers, rounds, instances = 16, 200, 5
	m := load(t, newRuntime(t, Config{}), "count")
	p := m.NewPool(PoolConfig{Controller: "hammer", Instances: instances})
	var good, trapped, refused, tooMany atomic.Int64
	var wg sync.WaitGroup
	half := make(chan struct{})
	for n := range callers {
		wg.Go(func() {
			for i := range rounds {
				if n == 0 && i == rounds/2 {
					close(half)
				}
				name := fmt.Sprint("key", i%11)
				if i%7 == n%7 {
					name = "trap"
				}
				_, err := reconcile(t, p, name)
				trap := (*TrapError)(nil)
				switch {
				case err == nil && name != "trap":
					good.Add(1)
				case errors.As(err, &trap) && name == "trap":
					trapped.Add(1)
				case errors.Is(err, errClosed):
					refused.Add(1)
				default:
					t.Errorf("%s: %v", name, err)
				}
				if m.Instances() > instances {
					tooMany.Add(1)
				}
			}
		})
	}
	<-half
	if err := m.Close(t.Context()); err != nil {
		t.Error(err)
	}
	wantNothingLeft(t, m)
	wg.Wait()
	wantNothingLeft(t, m)
	if good.Load() == 0 || trapped.Load() == 0 || tooMany.Load() != 0 {
		t.Errorf("%d good, %d trapped, %d refused, %d times too many instances", good.Load(), trapped.Load(), refused.Load(), tooMany.Load())
	}
}
