// Package sdktest runs a controller natively, in a plain go test, against
// objects written as YAML:
//
//	func TestDeletesTheSurplus(t *testing.T) {
//		w := sdktest.New(t, "testdata/two-of-one.yaml")
//		run := w.Reconcile("default/web")
//		run.Want(t,
//			"delete Pod default/web-b",
//			"event Normal SuccessfulDelete: Deleted pod: web-b",
//			"update ReplicaSet/status default/web",
//		)
//	}
//
// The controller is the one that the program under test registered. All that
// passes is encoded and decoded as between a guest and its host, reads are
// answered with the host's meaning, and what the manifest does not ask for is
// denied. Actions are performed on the World's objects, and a reconcile that
// continues is called again with their results.
//
// # Notes
//
//   - A World is used by one test. Tests may run in parallel: reconciles wait
//     for each other.
//   - The World is an API server only as far as controllers can tell: no
//     validation, no admission, no defaults. Apply is a merge.
//   - Names drawn for a generateName end in 1, 2, 3 ..., UIDs and resource
//     versions are counted too, so that what a test sees is the same each time.
//   - Package json of the standard library and k8s.io/api stay out of guests:
//     import this package in tests only.
package sdktest
