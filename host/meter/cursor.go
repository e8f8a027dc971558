package meter

import (
	"fmt"
	"unicode/utf8"
)

// cursor reads bytes from the start. Its first error stays: what follows reads
// zeros, so that callers look at it once.
type cursor struct {
	b   []byte
	at  int
	end int
	err error
}

// left is how many bytes there are.
func (c *cursor) left() int { return c.end - c.at }

// more says whether there are bytes, and no error.
func (c *cursor) more() bool { return c.err == nil && c.at < c.end }

// fail keeps the first error.
func (c *cursor) fail(at int, format string, args ...any) {
	if c.err == nil {
		c.err = &FormatError{Offset: at, Reason: fmt.Sprintf(format, args...)}
		c.at = c.end
	}
}

// limit refuses what goes beyond a limit.
func (c *cursor) limit(at int, name string, value uint32, asked uint64) bool {
	if c.err == nil && asked > uint64(value) {
		c.err = &LimitError{Offset: at, Limit: name, Value: uint64(value), Asked: asked}
		c.at = c.end
	}
	return c.err == nil
}

func (c *cursor) byte() byte {
	if c.at >= c.end {
		c.fail(c.at, "it ends too early")
		return 0
	}
	v := c.b[c.at]
	c.at++
	return v
}

// take gives the next n bytes, a view.
func (c *cursor) take(n uint32) []byte {
	if uint64(n) > uint64(c.left()) { //nolint:gosec // never negative
		c.fail(c.at, "it ends too early: %d bytes are missing", uint64(n)-uint64(c.left())) //nolint:gosec // as above
		return nil
	}
	v := c.b[c.at : c.at+int(n) : c.at+int(n)]
	c.at += int(n)
	return v
}

// u32 reads an unsigned LEB128 of at most 32 bits.
func (c *cursor) u32() uint32 {
	start, v := c.at, uint32(0)
	for shift := 0; shift < 35; shift += 7 {
		b := c.byte()
		if c.err != nil {
			return 0
		}
		if shift == 28 && b > 0x0f {
			break
		}
		v |= uint32(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	c.fail(start, "a number is longer than 32 bits")
	return 0
}

// signed reads a signed LEB128 of at most the given number of bits.
func (c *cursor) signed(bits int) int64 {
	start, v := c.at, int64(0)
	for shift := 0; shift < bits; shift += 7 {
		b := c.byte()
		if c.err != nil {
			return 0
		}
		v |= int64(b&0x7f) << shift
		if rest := bits - shift; rest < 7 {
			// The bits beyond the number repeat its sign.
			if over := int8(b<<1) >> rest; b >= 0x80 || over != 0 && over != -1 { //nolint:gosec // the sign is wanted
				break
			}
		}
		if b < 0x80 {
			if shift += 7; shift < 64 {
				v = v << (64 - shift) >> (64 - shift)
			}
			return v
		}
	}
	c.fail(start, "a signed number is longer than %d bits", bits)
	return 0
}

// count reads how many entries follow, each of at least one byte.
func (c *cursor) count(name string, most uint32) uint32 {
	at := c.at
	n := c.u32()
	if !c.limit(at, name, most, uint64(n)) {
		return 0
	}
	if uint64(n) > uint64(c.left()) { //nolint:gosec // never negative
		c.fail(at, "%d %s are announced in %d bytes", n, name, c.left())
		return 0
	}
	return n
}

// name reads a string of UTF-8.
func (c *cursor) name(most uint32) string {
	at := c.at
	n := c.u32()
	if !c.limit(at, "bytes of a name", most, uint64(n)) {
		return ""
	}
	b := c.take(n)
	if !utf8.Valid(b) {
		c.fail(at, "a name is not UTF-8")
		return ""
	}
	return string(b)
}

// sub gives a cursor over the next n bytes, which it passes.
func (c *cursor) sub(n uint32) cursor {
	start := c.at
	c.take(n)
	if c.err != nil {
		return cursor{b: c.b, at: start, end: start, err: c.err}
	}
	return cursor{b: c.b, at: start, end: c.at}
}

// index reads an index, which must be below n.
func (c *cursor) index(kind string, n int) uint32 {
	at := c.at
	i := c.u32()
	if c.err == nil && uint64(i) >= uint64(n) { //nolint:gosec // a length
		c.fail(at, "%s %d is out of range: there are %d", kind, i, n)
		return 0
	}
	return i
}

// finish refuses bytes that are left over.
func (c *cursor) finish(what string) error {
	if c.err == nil && c.at != c.end {
		c.fail(c.at, "%d bytes are left over in the %s", c.left(), what)
	}
	return c.err
}
