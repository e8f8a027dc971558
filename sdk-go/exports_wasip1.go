package sdk

import "unsafe"

// The exports of the ABI, in its order. The twin for native builds is
// exports_native.go.

//go:wasmexport loopdock_abi_1
func exportMarker() {}

//go:wasmexport loopdock_alloc
func exportAlloc(size uint32) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(memory.alloc(int(size)))) //nolint:gosec // the ABI passes addresses
}

//go:wasmexport loopdock_describe
func exportDescribe() uint64 { return place(describe()) }

//go:wasmexport loopdock_reconcile
func exportReconcile(request unsafe.Pointer, size uint32) uint64 {
	return place(serve(unsafe.Slice((*byte)(request), size))) //nolint:gosec // the ABI passes addresses
}

// place says where bytes lie, as pointer<<32 | length.
func place(b []byte) uint64 {
	return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b))))<<32 | uint64(len(b)) //nolint:gosec // the ABI passes addresses
}

// The linker knows that these are used; linters do not.
var _ = []any{exportMarker, exportAlloc, exportDescribe, exportReconcile}
