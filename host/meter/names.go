package meter

import "strings"

// nameSection is the custom section that names functions for stack traces.
type nameSection struct{ parts []namePart }

// namePart is a part of the name section: of those that are kept by function, the
// entries, else its bytes.
type namePart struct {
	id      byte
	entries []nameEntry
	raw     []byte
}

// nameEntry is what the name section says of a function: its name, or the names
// of its locals or labels, as they are written.
type nameEntry struct {
	function uint32
	raw      []byte
}

// The parts of the name section that are kept by function.
const (
	namesOfFunctions = 1
	namesOfLocals    = 2
	namesOfLabels    = 3
)

// maxDebugName is the longest name in a name section: compilers write types out
// in them.
const maxDebugName = 1 << 20

func readNames(s *cursor, m *module) *nameSection {
	n, left := &nameSection{}, m.limits.Names
	for s.more() {
		p := namePart{id: s.byte()}
		c := s.sub(s.u32())
		if s.err != nil {
			break
		}
		switch p.id {
		case namesOfFunctions, namesOfLocals, namesOfLabels:
			p.entries = readNameEntries(&c, p.id, &left)
		default:
			p.raw = c.take(uint32(c.left())) //nolint:gosec // shorter than a module
		}
		if s.err = c.finish("part of the name section"); s.err != nil {
			break
		}
		n.parts = append(n.parts, p)
	}
	return n
}

// readNameEntries reads entries, of which so many are left.
func readNameEntries(c *cursor, id byte, left *uint32) []nameEntry {
	n := c.names(left)
	var out []nameEntry
	for range n {
		e := nameEntry{function: c.u32()}
		at := c.at
		if id == namesOfFunctions {
			c.name(maxDebugName)
		} else {
			for range c.names(left) {
				c.u32()
				c.name(maxDebugName)
				if c.err != nil {
					break
				}
			}
		}
		if c.err != nil {
			return nil
		}
		e.raw = c.b[at:c.at]
		out = append(out, e)
	}
	return out
}

// names is count, of a number of which so many are left.
func (c *cursor) names(left *uint32) uint32 {
	n := c.count("entries of the name section", *left)
	*left -= n
	return n
}

// encodeNames writes the name section with the functions renumbered, and the new
// ones named. imported is how many functions the original imports.
func (r *rewriter) encodeNames() []byte {
	var out []byte
	for _, p := range r.m.names.parts {
		data := p.raw
		if p.id >= namesOfFunctions && p.id <= namesOfLabels {
			data = r.encodeEntries(p)
		}
		out = appendBytes(append(out, p.id), data)
	}
	return out
}

func (r *rewriter) encodeEntries(p namePart) []byte {
	var before, after []byte
	n := len(p.entries)
	for _, e := range p.entries {
		to := &before
		if int(e.function) >= r.m.imported() {
			to = &after
		}
		*to = append(appendU32(*to, r.function(e.function)), e.raw...)
	}
	if p.id == namesOfFunctions {
		n += 1 + len(r.helpers)
		before = appendName(appendU32(before, r.refill), ImportModule+"."+ImportRefill)
		for i, h := range r.helpers {
			after = appendName(appendU32(after, r.helperIndex(i)), ImportModule+"."+h.name)
		}
	}
	return append(append(appendU32(nil, uint32(n)), before...), after...) //nolint:gosec // counted
}

// stale says whether a custom section speaks of places in the code, which have
// moved.
func stale(name string) bool {
	return strings.HasPrefix(name, ".debug_") || strings.HasPrefix(name, "metadata.code.")
}
