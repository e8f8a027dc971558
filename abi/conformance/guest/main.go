// Command guest is the conformance guest, written against the bare ABI: it does what
// the key of a request says, and tells what it saw. The package above it says what
// each word means. A guest in another language, or made by an SDK, passes the same
// cases if it does the same.
//
// Build it with
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -o guest.wasm .
package main

import (
	"bytes"
	"unsafe"

	"github.com/loopdock/loopdock/abi"
)

func main() {}

// What an instance remembers.
var (
	room []byte   // what alloc gave last
	kept [][]byte // whatever the host is told the place of, for Go's collector to leave alone

	running bool  // a call is under way, or has failed
	reading bool  // the host is reading
	entered bool  // it called while it was reading
	inAlloc int32 // what read gave in alloc
)

// keep moves bytes to the heap, where nothing moves, and holds them until the next call.
func keep(b []byte) []byte {
	kept = append(kept, b)
	return b
}

// at is where bytes lie in linear memory.
func at(b []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) } //nolint:gosec // 32 bits in a guest

// place says where bytes lie, as pointer<<32 | length.
func place(b []byte) uint64 { return uint64(at(keep(b)))<<32 | uint64(len(b)) }

// makeRoom is alloc.
func makeRoom(size uint32) uint32 {
	entered = entered || reading
	inAlloc = importRead(0, 0, 0, 0)
	room = make([]byte, max(size, 1))
	return at(room)
}

// commands are what the names of keys mean.
var commands = map[string]func(*abi.Request, *answer){
	"echo": echo, "large": large, "read": readGrowing, "read-same": readSame, "read-pointers": readPointers,
	"log": logLines, "stdio": stdio, "wasi": wasi, "time": clocks, "random": randomNumbers,
	"sleep": sleep, "exit": exit, "trap": trap,
}

// reconcile is the export of that name.
func reconcile(b []byte) uint64 {
	entered = entered || reading
	if running {
		return place(refuse("a call has failed in this instance, and it is called again"))
	}
	kept, running = kept[:0], true
	var req abi.Request
	if err := req.Decode(b); err != nil {
		return place(refuse(err.Error()))
	}
	if req.Key == nil {
		return place(refuse("the request has no key"))
	}
	switch req.Key.Name { // answers that are none: the call stays under way
	case "malformed":
		return place([]byte{0xff, 0xff, 0xff})
	case "outside":
		return 0xffff_fff0<<32 | 64
	}
	out := place(do(&req))
	running = false
	return out
}

// do carries out a command.
func do(req *abi.Request) []byte {
	switch f, ok := commands[req.Key.Name]; {
	case req.Key.Name == "respond":
		return respond(req.Config)
	case req.Key.Name == "raw":
		return bytes.Clone(req.Config)
	case !ok:
		return refuse("this guest does not know the key " + req.Key.Name)
	default:
		var a answer
		f(req, &a)
		return a.Append(nil)
	}
}

// respond answers with the response that the configuration holds.
func respond(b []byte) []byte {
	var r abi.Response
	if err := r.Decode(b); err != nil {
		return refuse(err.Error())
	}
	return r.Append(nil)
}

func refuse(message string) []byte {
	return (&abi.Response{Error: &abi.Error{Message: message, Terminal: true}}).Append(nil)
}
