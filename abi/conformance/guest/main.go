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
	"unsafe"

	"github.com/loopdock/loopdock/abi"
)

func main() {}

// room is what alloc gave last; kept holds whatever the host is told the place of, so
// that Go's collector leaves it alone.
var (
	room []byte
	kept [][]byte
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
func reconcile(b []byte) []byte {
	kept = kept[:0]
	var req abi.Request
	if err := req.Decode(b); err != nil {
		return refuse(err.Error())
	}
	if req.Key == nil {
		return refuse("the request has no key")
	}
	if req.Key.Name == "respond" {
		return respond(req.Config)
	}
	do, ok := commands[req.Key.Name]
	if !ok {
		return refuse("this guest does not know the key " + req.Key.Name)
	}
	var a answer
	do(&req, &a)
	return a.Append(nil)
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
