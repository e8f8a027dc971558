package sandbox

import (
	"sync/atomic"

	"github.com/tetratelabs/wazero/experimental"
)

// allocator gives an instance its linear memory: address space is reserved up
// to the limit at once, so that growing moves and copies nothing, and becomes
// memory only as it is asked for.
type allocator struct {
	limit uint64
	used  *atomic.Int64 // bytes in use by all instances that share the counter
}

// Allocate implements experimental.MemoryAllocator.
func (a *allocator) Allocate(_, most uint64) experimental.LinearMemory {
	return &linearMemory{allocator: a, most: min(most, a.limit)}
}

// linearMemory is one instance's memory.
type linearMemory struct {
	*allocator
	most     uint64
	reserved []byte
	size     uint64
}

// Reallocate implements experimental.LinearMemory: nil refuses, and memory.grow
// gives -1.
func (m *linearMemory) Reallocate(size uint64) []byte {
	if size > m.most {
		return nil
	}
	if m.reserved == nil {
		b, err := reserve(m.most)
		if err != nil {
			return nil
		}
		m.reserved = b
	}
	if size > m.size {
		if err := commit(m.reserved, m.size, size); err != nil {
			return nil
		}
		m.used.Add(int64(size - m.size)) //nolint:gosec // bounded by the limit
		m.size = size
	}
	return m.reserved[:size:size]
}

// Free implements experimental.LinearMemory.
func (m *linearMemory) Free() {
	if m.reserved == nil {
		return
	}
	release(m.reserved)
	m.used.Add(-int64(m.size)) //nolint:gosec // bounded by the limit
	m.reserved, m.size = nil, 0
}
