package sandbox

import (
	"sync/atomic"

	"github.com/tetratelabs/wazero/experimental"
)

// memory is an instance's linear memory: address space is reserved up to the
// limit at once, so that growing moves and copies nothing, and becomes memory
// only as it is asked for.
type memory struct {
	limit uint64
	used  *atomic.Int64 // bytes in use by all instances that share the counter

	most     uint64 // what the module itself declares, cut to the limit
	reserved []byte
	size     uint64
	failed   error // why the system gave none
}

// Allocate implements experimental.MemoryAllocator. A module has one memory.
func (m *memory) Allocate(_, most uint64) experimental.LinearMemory {
	m.most = min(most, m.limit)
	return m
}

// Reallocate implements experimental.LinearMemory: nil refuses, and memory.grow
// gives -1.
func (m *memory) Reallocate(size uint64) []byte {
	if size > m.most {
		return nil
	}
	if m.reserved == nil {
		if m.reserved, m.failed = reserve(m.most); m.failed != nil {
			return nil
		}
	}
	if size > m.size {
		if m.failed = commit(m.reserved, m.size, size); m.failed != nil {
			return nil
		}
		m.used.Add(int64(size - m.size)) //nolint:gosec // bounded by the limit
		m.size = size
	}
	return m.reserved[:size:size]
}

// Free implements experimental.LinearMemory. Freeing twice does no harm: wazero
// does not free what a failed instantiation leaves, so the instance does too.
func (m *memory) Free() {
	if m.reserved == nil {
		return
	}
	release(m.reserved)
	m.used.Add(-int64(m.size)) //nolint:gosec // bounded by the limit
	m.reserved, m.size = nil, 0
}
