package loop

import (
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/queue"
	"github.com/loopdock/loopdock/host/writer"
	"github.com/loopdock/loopdock/informercache"
)

// keyState is what the loop remembers of a key between two reconciles. The
// zero value of a key that has nothing to remember is not kept.
type keyState struct {
	reasons    []abi.Reason
	memo       []byte
	memoSchema uint32
	next       *continuation
	unknown    []writer.Unknown
	span       span
}

// continuation is a reconcile that waits to go on after its writes.
type continuation struct {
	digest  string // of the module that asked for it
	bytes   []byte
	results []abi.Result
	depth   uint32
}

func (s *keyState) empty() bool {
	return len(s.reasons) == 0 && len(s.memo) == 0 && s.next == nil && len(s.unknown) == 0 && !s.span.open
}

// states are the states of all keys.
type states struct {
	mu   sync.Mutex
	keys map[Key]*keyState
}

// with calls f with the key's state under the lock, and forgets an empty one.
func (s *states) with(k Key, f func(*keyState)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.keys[k]
	if st == nil {
		st = &keyState{}
		s.keys[k] = st
	}
	f(st)
	if st.empty() {
		delete(s.keys, k)
	}
}

// remember adds a reason for which the key will run.
func (c *Controller) remember(k Key, reason abi.Reason) {
	c.states.with(k, func(s *keyState) { s.add(reason) })
}

func (s *keyState) add(reason abi.Reason) {
	same := func(r abi.Reason) bool {
		return r.Type == reason.Type && r.Namespace == reason.Namespace && r.Name == reason.Name &&
			(r.Kind == nil) == (reason.Kind == nil) && (r.Kind == nil || *r.Kind == *reason.Kind)
	}
	if len(s.reasons) < abi.MaxReasons && !slices.ContainsFunc(s.reasons, same) {
		s.reasons = append(s.reasons, reason)
	}
}

// forgetAll drops what is remembered of all keys: another leader may act on
// them before this host does again.
func (c *Controller) forgetAll() {
	c.states.mu.Lock()
	defer c.states.mu.Unlock()
	c.states.keys = map[Key]*keyState{}
	c.parked.mu.Lock()
	defer c.parked.mu.Unlock()
	c.parked.keys = map[Key]*wait{}
	c.parked.kinds = map[schema.GroupVersionKind]map[Key]struct{}{}
}

// wake queues the key on account of a change, and remembers the reason.
func (c *Controller) wake(k Key, ch *informercache.Change, reason abi.Reason, p queue.Priority) {
	c.changed(k, ch, reason)
	c.queue().Add(k, p)
}

// enqueue queues the key though nothing has changed, and remembers why.
func (c *Controller) enqueue(k Key, reason abi.Reason) {
	c.remember(k, reason)
	c.queue().Add(k, queue.Low)
}

// changed remembers a change that concerns the key, and the reason that it is.
func (c *Controller) changed(k Key, ch *informercache.Change, reason abi.Reason) {
	c.states.with(k, func(s *keyState) {
		s.add(reason)
		s.span.saw(wakeupOf(ch))
	})
}

// Memo gives what a key's last answer left, nil if nothing.
func (c *Controller) Memo(k *abi.Key) []byte {
	v := c.version.Load()
	var memo []byte
	c.states.with(keyOf(k), func(s *keyState) {
		if s.memoSchema == v.Manifest.MemoSchema {
			memo = s.memo
		}
	})
	return memo
}
