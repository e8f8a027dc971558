package meta_test

import (
	"testing"

	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

func TestOwnerPatches(t *testing.T) {
	plain := metav1.OwnerReference(nil).WithAPIVersion("v1").WithKind("Pod").WithName(`a"b`).WithUID("u1")
	blocking := plain.WithUID("u2").WithController(true).WithBlockOwnerDeletion(false)
	const plainJSON = `{"apiVersion":"v1","kind":"Pod","name":"a\"b","uid":"u1"}`
	const blockingJSON = `{"apiVersion":"v1","kind":"Pod","name":"a\"b","uid":"u2","controller":true,"blockOwnerDeletion":false}`
	cases := map[string]struct{ got, want string }{
		"disown one":    {string(meta.DisownPatch("u", "x")), `{"metadata":{"uid":"u","ownerReferences":[{"$patch":"delete","uid":"x"}]}}`},
		"disown two":    {string(meta.DisownPatch("u", "x", "y")), `{"metadata":{"uid":"u","ownerReferences":[{"$patch":"delete","uid":"x"},{"$patch":"delete","uid":"y"}]}}`},
		"set owners":    {string(meta.OwnersPatch("u", blocking)), `{"metadata":{"uid":"u","ownerReferences":[` + blockingJSON + `]}}`},
		"all owners":    {string(meta.OwnersMergePatch("7", plain, blocking)), `{"metadata":{"resourceVersion":"7","ownerReferences":[` + plainJSON + `,` + blockingJSON + `]}}`},
		"no owners":     {string(meta.OwnersMergePatch("7")), `{"metadata":{"resourceVersion":"7","ownerReferences":null}}`},
		"finalizers":    {string(meta.FinalizersMergePatch("7", "a/b", "c")), `{"metadata":{"resourceVersion":"7","finalizers":["a/b","c"]}}`},
		"no finalizers": {string(meta.FinalizersMergePatch("7")), `{"metadata":{"resourceVersion":"7","finalizers":null}}`},
	}
	for name, tc := range cases {
		if tc.got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", name, tc.got, tc.want)
		}
	}
}
