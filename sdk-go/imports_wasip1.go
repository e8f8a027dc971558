package sdk

import "unsafe"

// The imports of the ABI, in its order. The twin for native builds is
// imports_native.go.

//go:wasmimport loopdock_abi_1 read
//go:noescape
func importRead(queries unsafe.Pointer, queriesLen uint32, buffer unsafe.Pointer, bufferLen uint32) int32

//go:wasmimport loopdock_abi_1 log
//go:noescape
func importLog(level int32, message unsafe.Pointer, messageLen uint32)

func hostRead(queries, buffer []byte) int32 {
	return importRead(
		unsafe.Pointer(unsafe.SliceData(queries)), uint32(len(queries)), //nolint:gosec // the ABI passes addresses
		unsafe.Pointer(unsafe.SliceData(buffer)), uint32(len(buffer)), //nolint:gosec // the ABI passes addresses
	)
}

func hostLog(level int32, message []byte) {
	importLog(level, unsafe.Pointer(unsafe.SliceData(message)), uint32(len(message))) //nolint:gosec // the ABI passes addresses
}
