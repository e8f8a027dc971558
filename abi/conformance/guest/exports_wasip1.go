package main

import "unsafe"

// The exports of the ABI, in its order.

//go:wasmexport loopdock_abi_1
func exportMarker() {}

//go:wasmexport loopdock_alloc
func exportAlloc(size uint32) uint32 { return makeRoom(size) }

//go:wasmexport loopdock_describe
func exportDescribe() uint64 { return place(describe()) }

//go:wasmexport loopdock_reconcile
func exportReconcile(request unsafe.Pointer, size uint32) uint64 {
	return reconcile(unsafe.Slice((*byte)(request), size))
}
