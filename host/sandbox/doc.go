// Package sandbox runs modules that speak Loopdock's ABI. It knows WebAssembly,
// by way of wazero, and nothing of Kubernetes.
//
// Promises, each with a test:
//
//  1. A module is checked whole before it is used: its imports, the names and
//     signatures of its exports, its ABI version, its manifest.
//  2. An instance serves one call at a time, and no lock is held meanwhile.
//  3. A trap, an exit or a broken answer costs that instance alone: it is closed
//     and never used again.
//  4. A guest's bad pointer or length is the guest's error, never a panic.
//  5. A guest is not called from inside a host call.
//  6. An instance's linear memory is mapped apart from Go's heap, never grows
//     beyond its limit, and is unmapped when the instance closes.
//  7. What a guest sees of time and chance comes from its request.
//  8. A call spends fuel, and ends when it has none left. Now and then it lets Go
//     have its turn: a guest that spins holds up neither the collection of garbage
//     nor other goroutines.
package sandbox
