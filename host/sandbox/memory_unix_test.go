//go:build unix

package sandbox

import (
	"sync/atomic"
	"testing"
	"unsafe"
)

// TestMemoryGrowsInPlace: growing copies nothing and keeps what was written; new
// pages are zero.
func TestMemoryGrowsInPlace(t *testing.T) {
	var used atomic.Int64
	m := &memory{limit: 4 * page, used: &used}
	m.Allocate(page, 1<<32)
	defer m.Free()
	first := m.Reallocate(page)
	first[page-1] = 1
	second := m.Reallocate(3 * page)
	if unsafe.SliceData(first) != unsafe.SliceData(second) {
		t.Error("it moved")
	}
	if len(second) != 3*page || second[page-1] != 1 || second[3*page-1] != 0 {
		t.Errorf("%d bytes, %d and %d", len(second), second[page-1], second[3*page-1])
	}
	second[3*page-1] = 1
	if n := used.Load(); n != 3*page {
		t.Errorf("%d bytes are counted", n)
	}
}

// TestMemoryRefuses what is beyond the limit or the module's own maximum, and
// stays as it is.
func TestMemoryRefuses(t *testing.T) {
	cases := map[string]struct {
		reason      string
		limit, most uint64
	}{
		"limit":   {"the host's limit is lower", 2 * page, 1 << 32},
		"maximum": {"the module's maximum is lower", 1 << 32, 2 * page},
		"odd":     {"a limit need not be whole pages", 3*page - 1, 1 << 32},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var used atomic.Int64
			m := &memory{limit: tc.limit, used: &used}
			m.Allocate(0, tc.most)
			if m.Reallocate(2*page) == nil {
				t.Fatal("what is within is refused")
			}
			if m.Reallocate(3*page) != nil {
				t.Error(tc.reason)
			}
			if m.failed != nil || used.Load() != 2*page {
				t.Errorf("%v, %d bytes", m.failed, used.Load())
			}
			m.Free()
			m.Free()
			if n := used.Load(); n != 0 {
				t.Errorf("%d bytes are left after it was freed twice", n)
			}
		})
	}
}

// TestMemoryOfNothing: a module may begin with no memory, and may be held to none.
func TestMemoryOfNothing(t *testing.T) {
	var used atomic.Int64
	m := &memory{limit: page, used: &used}
	m.Allocate(0, 0)
	if b := m.Reallocate(0); b == nil || len(b) != 0 {
		t.Errorf("%v", b)
	}
	m.Free()
}

// TestMemoryThatIsNotThere: the system's refusal is told from the limit's.
func TestMemoryThatIsNotThere(t *testing.T) {
	var used atomic.Int64
	m := &memory{limit: 1 << 62, used: &used}
	m.Allocate(0, 1<<62)
	if m.Reallocate(page) != nil {
		t.Fatal("four exabytes were had")
	}
	if m.failed == nil || used.Load() != 0 {
		t.Errorf("%v, %d bytes", m.failed, used.Load())
	}
	m.Free()
}
