package sdk

// Sizes of what an instance keeps between calls.
const (
	// firstChunk is where answers first go. Most reconciles need no more.
	firstChunk = 64 << 10
	// keepChunk is the largest chunk that is kept: one large list must not cost
	// its memory for good.
	keepChunk = 4 << 20
)

// buffers is the memory that crosses the wall. All of it is held by a package
// variable, so that Go's collector leaves it alone while only the host knows
// where it lies; and Go moves nothing on the heap.
type buffers struct {
	request  []byte // what loopdock_alloc gave
	response []byte // until the next call
	queries  []byte // until the host's read returns
	line     []byte // until the host's log returns

	chunk []byte // answers: the part up to its length is taken
}

var memory buffers

// alloc makes room for a request.
func (m *buffers) alloc(size int) []byte {
	if cap(m.request) < size {
		m.request = make([]byte, size+size/4)
	}
	m.request = m.request[:max(size, 1)] // a pointer needs something to point at
	return m.request
}

// read passes queries to the host and gives its answers, good until the
// reconcile returns; or a negative code. Answers of one reconcile lie behind
// one another in a chunk; where one does not fit, a larger chunk follows, and
// the views into the old one keep it alive.
func (m *buffers) read(queries []byte) ([]byte, int32) {
	if m.chunk == nil {
		m.chunk = make([]byte, 0, firstChunk)
	}
	for {
		room := m.chunk[len(m.chunk):cap(m.chunk)]
		n := hostRead(queries, room)
		if n < 0 {
			return nil, n
		}
		if int(n) <= len(room) {
			m.chunk = m.chunk[:len(m.chunk)+int(n)]
			return room[:n:n], 0
		}
		m.chunk = make([]byte, 0, max(int(n), min(2*cap(m.chunk), keepChunk)))
	}
}

// forget takes back the memory of the reconcile that is over.
func (m *buffers) forget() {
	if cap(m.chunk) > keepChunk {
		m.chunk = nil
	}
	m.chunk = m.chunk[:0]
	if cap(m.response) > keepChunk {
		m.response = nil
	}
}

// encode writes a message to the response buffer.
func (m *buffers) encode(message interface{ Append([]byte) []byte }) []byte {
	m.response = message.Append(m.response[:0])
	return m.response
}
