package meter_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

const chunk, tableChunk = 64 << 10, 8 << 10

// TestBulk: bulk instructions write what they did, or nothing where they trap,
// around the length of a chunk and the end of memory, and however ranges overlap.
func TestBulk(t *testing.T) {
	wasm := readFile(t, "testdata/bulk.wasm")
	const size = 8 << 16
	lengths := []uint64{0, 1, 25, 26, 27, chunk - 1, chunk, chunk + 1, 2 * chunk, 3*chunk + 5, size, size + 1, 1<<32 - 1}
	places := []uint64{0, 1, 100, chunk - 1, chunk, chunk + 3, size - 1, size, size + 1, 1<<32 - 1}
	p := newPair(t, wasm, 1000)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 30 {
		p.call(t, "fill", random.Uint64N(size-2000), uint64(i), 1+random.Uint64N(2000))
	}
	for _, to := range places {
		for _, n := range lengths {
			p.call(t, "fill", to, n, n)
			for _, from := range places {
				p.call(t, "copy", to, from, n)
			}
		}
		for _, n := range []uint64{0, 1, 26, 27, chunk + 1} {
			for _, from := range []uint64{0, 1, 25, 26, 27} {
				p.call(t, "init", to, from, n)
			}
		}
	}
	p.call(t, "drop")
	p.call(t, "init", 0, 0, 0)
	if got := p.call(t, "init", 0, 0, 1); !strings.Contains(got, "out of bounds") {
		t.Errorf("what was dropped gives %s", got)
	}
}

// TestLongSegment: memory.init of a segment longer than a chunk is split too.
func TestLongSegment(t *testing.T) {
	var text strings.Builder
	for i := range 3 * chunk / 4 {
		fmt.Fprintf(&text, "%4d", i%10000)
	}
	p := newPair(t, longSegment(text.String()), 1000)
	for _, from := range []uint64{0, 1, chunk, 3*chunk - 1, 3 * chunk} {
		for _, n := range []uint64{1, chunk, chunk + 1, 2*chunk + 7, 3 * chunk, 3*chunk + 1} {
			for _, to := range []uint64{0, 5, chunk, 8*chunk - n} {
				p.call(t, "init", to, from, n)
			}
		}
	}
	p.call(t, "drop")
	p.call(t, "init", 0, 0, 2*chunk)
}

// TestBulkOfTables is TestBulk for tables.
func TestBulkOfTables(t *testing.T) {
	p := newPair(t, readFile(t, "testdata/bulk.wasm"), 1000)
	const size = 30_000
	p.call(t, "table_fill", 100, 1, 5000)
	for _, to := range []uint64{0, 3, tableChunk, size - 1, size, size + 1} {
		for _, n := range []uint64{0, 1, 3, 4, tableChunk, tableChunk + 1, 2*tableChunk + 7, size, size + 1, 1<<32 - 1} {
			p.call(t, "table_fill", to, n%2, n)
			p.call(t, "table_init", to, n%3, n)
			p.call(t, "table_fill_extern", to, 7, n)
			for _, from := range []uint64{0, 2, tableChunk, size} {
				p.call(t, "table_copy", to, from, n)
			}
			p.call(t, "table_hash")
		}
	}
	p.call(t, "elem_drop")
	p.call(t, "table_init", 0, 0, 1)
	for _, n := range []uint64{0, 1, 1000, 40_000, 1<<32 - 1} {
		p.call(t, "table_grow", n)
		p.call(t, "table_hash")
	}
}

// TestGrow: memory grows as before and costs what it gains, and nothing where it
// cannot grow.
func TestGrow(t *testing.T) {
	p := newPair(t, readFile(t, "testdata/bulk.wasm"), 1000)
	for _, n := range []uint64{0, 1, 5, 100, 1<<32 - 1, 6, 1} {
		before := p.tank.spent
		refused := p.call(t, "grow", n) == "[4294967295]"
		if spent := p.tank.spent - before; refused == (spent > 5000) && n > 0 {
			t.Errorf("growing by %d pages costs %d", n, spent)
		}
	}
}
