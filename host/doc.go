// Package host is Loopdock as a library: it docks controllers that come as
// WebAssembly modules, and runs them against an API server.
//
//	h, err := host.New(host.Config{REST: restConfig, CacheDir: dir})
//	...
//	err = h.Dock(ctx, "replicaset.wasm", wasm)
//	...
//	err = h.Run(ctx) // until ctx ends
//
// The host owns watches, queues, leader election and writes; a module's logic
// sees only what the ABI hands it.
package host
