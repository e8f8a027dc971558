package informercache

import "testing"

// TestGate: what has begun is waited for, and nothing begins after.
func TestGate(t *testing.T) {
	var g gate
	if err := g.enter(); err != nil {
		t.Fatal(err)
	}
	closed := make(chan struct{})
	go func() { // waited for below
		defer close(closed)
		g.close()
	}()
	for g.enter() == nil { // until it is closing
		g.leave()
	}
	select {
	case <-closed:
		t.Fatal("closed while something was under way")
	default:
	}
	g.leave()
	<-closed
}
