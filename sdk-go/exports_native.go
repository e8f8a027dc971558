//go:build !wasip1

package sdk

// The twins of exports_wasip1.go: what a host would call, for tests.

// Describe is what the registered module says of itself: an encoded
// abi.Manifest, good until the next call.
func Describe() []byte { return describe() }

// Serve runs one reconcile of the registered module: an encoded abi.Request in,
// an encoded abi.Response out, good until the next call.
func Serve(request []byte) []byte {
	room := memory.alloc(len(request))
	return serve(room[:copy(room, request)])
}
