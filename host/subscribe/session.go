package subscribe

// Session gathers what one reconcile of a key reads.
//
// # Notes
//
//   - Add takes effect at once; what the key read before stays until Commit.
//   - A reconcile that fails half-way is not committed: it may not have come to
//     its other reads, so the key keeps those of before as well.
//   - At most one session a key is open at a time.
type Session[K comparable] struct {
	x    *Index[K]
	key  K
	read map[*entry[K]]struct{}
}

// Begin opens a session for a key.
func (x *Index[K]) Begin(k K) *Session[K] {
	return &Session[K]{x: x, key: k, read: map[*entry[K]]struct{}{}}
}

// Add notes a read. Call it before asking the cache.
func (s *Session[K]) Add(r *Read) {
	s.x.mu.Lock()
	defer s.x.mu.Unlock()
	s.read[s.x.link(s.key, r)] = struct{}{}
}

// Keep makes the reads of an earlier session, that this one goes on from,
// count as its own.
func (s *Session[K]) Keep() {
	s.x.mu.Lock()
	defer s.x.mu.Unlock()
	for e := range s.x.keys[s.key] {
		s.read[e] = struct{}{}
	}
}

// Commit forgets what the key read before and did not read again.
func (s *Session[K]) Commit() {
	s.x.mu.Lock()
	defer s.x.mu.Unlock()
	for e := range s.x.keys[s.key] {
		if _, again := s.read[e]; !again {
			s.x.unlink(s.key, e)
		}
	}
}
