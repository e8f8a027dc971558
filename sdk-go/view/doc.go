// Package view holds lazy views over Kubernetes objects: a message is its
// protobuf bytes under a name (type Pod []byte), and an accessor decodes the
// field that is asked for and nothing else. The views themselves are generated
// into the packages below this one; here is what they share.
//
//	pod := corev1.Pod(body)
//	if pod.Spec().NodeName() == "" && meta.IsPodActive(pod) {
//		pod = pod.WithSpec(pod.Spec().WithNodeName("a"))
//	}
//
// # Notes
//
//   - A view never changes the bytes that it looks at, and never copies them:
//     a sub-message, an element and a map are views into their parent and live
//     as long as its bytes. Strings are copies.
//   - An edit (With, Without, Append) returns new bytes. The other fields, and
//     the unknown ones, stay untouched and in their place. Edits of a
//     sub-message take effect when it is set in its parent.
//   - The nil view is the empty message, and what building starts from. An
//     absent field reads as its zero value; Has tells it from one that is set.
//     A value that is set is written, also where it is zero.
//   - Any bytes can be looked at: what is malformed reads as absent, and an
//     edit carries it along. Nothing panics.
//   - Views may be read from several goroutines.
//
// Neither this package nor those below it use fmt, reflect or encoding/json.
package view

//go:generate go run github.com/loopdock/loopdock/sdk-go/viewgen -out .
