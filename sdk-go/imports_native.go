//go:build !wasip1

package sdk

import "github.com/loopdock/loopdock/abi"

// The twins of imports_wasip1.go: a native build asks the Host it was given.

// Host stands in for the host in native builds. Its methods have the contracts
// of the imports with the same names.
type Host interface {
	Read(queries, buffer []byte) int32
	Log(level int32, message []byte)
}

var native Host

// UseHost makes h the host of this native build. It must not be called during
// a reconcile.
func UseHost(h Host) { native = h }

func hostRead(queries, buffer []byte) int32 {
	if native == nil {
		return abi.ReadNotReconciling
	}
	return native.Read(queries, buffer)
}

func hostLog(level int32, message []byte) {
	if native != nil {
		native.Log(level, message)
	}
}
