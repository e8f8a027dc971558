package main

import (
	"bytes"

	"github.com/loopdock/loopdock/abi"
)

// echo tells the request as it was understood.
func echo(req *abi.Request, a *answer) { a.tell("request", req.Append(nil)) }

// large tells as many bytes as the configuration says.
func large(req *abi.Request, a *answer) {
	a.tell("large", bytes.Repeat([]byte{0x5a}, int(number(req.Config))))
}

// untouched is what a buffer holds before it is read into.
const untouched = 0xaa

func buffer(n int) []byte { return keep(bytes.Repeat([]byte{untouched}, n)) }

// read calls read, with flags up meanwhile.
func read(queries, b []byte) int32 {
	reading = true
	code := importRead(at(queries), uint32(len(queries)), at(b), uint32(len(b))) //nolint:gosec // lengths in a guest
	reading = false
	return code
}

// readGrowing passes the configuration as queries, with a buffer as long as the memo
// says, and once more with one that is large enough if the first was not. It tells
// each code, and each buffer afterwards.
func readGrowing(req *abi.Request, a *answer) {
	queries := keep(bytes.Clone(req.Config))
	n := int(number(req.Memo))
	for {
		b := buffer(n)
		code := read(queries, b)
		a.number("code", int64(code))
		a.tell("buffer", b)
		if int(code) <= n {
			return
		}
		n = int(code)
	}
}

// readSame passes the same queries three times, from different places, the memo as
// other queries, and the same once more.
func readSame(req *abi.Request, a *answer) {
	for _, queries := range [][]byte{req.Config, req.Config, req.Config, req.Memo, req.Config} {
		b := buffer(64)
		a.number("code", int64(read(keep(bytes.Clone(queries)), b)))
		a.tell("buffer", b)
	}
}

// readPointers passes what lies outside of its memory, and then the configuration.
func readPointers(req *abi.Request, a *answer) {
	const beyond = 0xffff_fff0
	queries, b := keep(bytes.Clone(req.Config)), buffer(16)
	n, room := uint32(len(queries)), uint32(len(b)) //nolint:gosec // lengths in a guest
	a.number("queries-outside", int64(importRead(beyond, 8, at(b), room)))
	a.number("queries-overflow", int64(importRead(beyond, 0xffff_ffff, at(b), room)))
	a.number("buffer-outside", int64(importRead(at(queries), n, beyond, 8)))
	a.number("buffer-overflow", int64(importRead(at(queries), n, at(b), 0xffff_ffff)))
	importLog(abi.LevelError, beyond, 64)
	a.tell("buffer", bytes.Clone(b))
	a.number("inside", int64(read(queries, b)))
	a.number("alloc", int64(inAlloc))
	if entered {
		a.number("entered", 1)
	}
}
