package hosttest

import (
	"bytes"
	"io"
	"sync"
)

// stream is the body of a watch. What arrives is kept, and delivered as far as
// it may be.
type stream struct {
	wire     *Wire
	resource string
	body     io.ReadCloser

	mu    sync.Mutex
	cond  *sync.Cond
	b     []byte // all that has arrived
	read  int    // how much of it is delivered
	most  int    // how much may be; -1 is all
	err   error  // after the last byte
	ended bool
}

// open begins to pump a watch's body.
func (w *Wire) open(resource string, body io.ReadCloser) io.ReadCloser {
	s := &stream{wire: w, resource: resource, body: body, most: -1}
	s.cond = sync.NewCond(&s.mu)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held[resource] {
		s.most = 0
	}
	w.streams[s] = struct{}{}
	go s.pump() // ends with the body
	return s
}

func (s *stream) pump() {
	buffer := make([]byte, 32<<10)
	for {
		n, err := s.body.Read(buffer)
		s.mu.Lock()
		s.b = append(s.b, buffer[:n]...)
		s.err = err
		s.mu.Unlock()
		s.cond.Broadcast()
		if err != nil {
			return
		}
	}
}

// Read implements io.Reader.
func (s *stream) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if s.ended {
			return 0, io.EOF
		}
		may := len(s.b)
		if s.most >= 0 {
			may = min(may, s.most)
		}
		if s.read < may {
			n := copy(p, s.b[s.read:may])
			s.read += n
			return n, nil
		}
		if s.err != nil && may == len(s.b) {
			return 0, s.err
		}
		s.cond.Wait()
	}
}

// Close implements io.Closer.
func (s *stream) Close() error {
	s.end()
	s.wire.mu.Lock()
	defer s.wire.mu.Unlock()
	delete(s.wire.streams, s)
	return nil
}

// end ends the stream as an API server would.
func (s *stream) end() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.cond.Broadcast()
	_ = s.body.Close() // its end is what is wanted
}

// limit holds back what is not delivered yet, or nothing.
func (s *stream) limit(hold bool) {
	s.mu.Lock()
	s.most = -1
	if hold {
		s.most = s.read
	}
	s.mu.Unlock()
	s.cond.Broadcast()
}

func (s *stream) passTo(n int) {
	s.mu.Lock()
	s.most = n
	s.mu.Unlock()
	s.cond.Broadcast()
}

func (s *stream) arrived() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.b)
}

func (s *stream) has(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Contains(s.b, []byte(text))
}
