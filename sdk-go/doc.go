// Package sdk is what the author of a guest imports: a controller written as
// one function, compiled to a WebAssembly module that Loopdock docks.
//
//	var pods = &sdk.Kind{APIVersion: "v1", Kind: "Pod"}
//
//	func init() {
//		sdk.Register(sdk.Module{Name: "example", Version: "v1", Controllers: []sdk.Controller{{
//			Name:      "example",
//			Primary:   &sdk.Primary{Kind: pods},
//			Access:    []sdk.Access{{Kind: pods, Verbs: []string{"delete"}}},
//			Reconcile: reconcile,
//		}}})
//	}
//
//	func main() {}
//
//	func reconcile(r *sdk.Reconcile) error {
//		if !r.Exists() {
//			return nil
//		}
//		...
//	}
//
// Build it with
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -o example.wasm .
//
// # Notes
//
//   - A reconcile looks at what is, and asks for what should be: it reads, it
//     notes actions, it returns. The host performs the actions afterwards. What
//     became of them is known only to a reconcile that continues (Continue).
//   - Bytes that come from the host (the object, what reads answer, memo,
//     configuration, results) are views, good until the reconcile returns, and
//     must not be changed. Strings are copies.
//   - A guest keeps nothing from one reconcile to the next but its memo: the
//     host may drop an instance at any time.
//   - A Reconcile is used by one goroutine.
//   - A panic is not recovered: its message is logged, the instance is
//     discarded, and the key is retried in a new one.
//   - This package uses neither fmt nor reflect nor encoding/json, which would
//     cost every guest its size. The package json below it does, where imported.
package sdk
