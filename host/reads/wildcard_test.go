package reads_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/cmd/plane/planetest"
	"github.com/loopdock/loopdock/host/hosttest"
)

var every = &abi.Kind{APIVersion: "*", Kind: "*"}

// TestEveryKind asks across kinds, and of kinds that only discovery named.
func TestEveryKind(t *testing.T) {
	ns := planetest.Namespace(t)
	owner := create(t, ns, "owner", nil)
	ref := metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "owner", UID: owner.UID}
	create(t, ns, "also-owned", nil, ref)
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "owned", OwnerReferences: []metav1.OwnerReference{ref}}}
	if _, err := kubernetes.NewForConfigOrDie(planetest.Shared(t)).CoreV1().Secrets(ns).Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	r, _ := reader(t, []abi.KindRead{{Kind: every, MetadataOnly: true, Live: true}})
	uid, maps := string(owner.UID), configMaps
	cases := map[string]struct {
		reason string
		query  abi.Query
		status abi.AnswerStatus
		want   []string
	}{
		"owned":          {"in whatever kind", abi.Query{Type: abi.QueryTypeList, Kind: every, AllNamespaces: true, OwnerUID: uid}, abi.AnswerStatusOK, []string{"also-owned", "owned"}},
		"by UID":         {"wherever it is", abi.Query{Type: abi.QueryTypeGet, Kind: every, UID: uid}, abi.AnswerStatusOK, []string{"owner"}},
		"no such UID":    {"which says nothing of its having been there", abi.Query{Type: abi.QueryTypeGet, Kind: every, UID: "x"}, abi.AnswerStatusNotFound, nil},
		"by resource":    {"as keys name it", abi.Query{Type: abi.QueryTypeGet, Resource: "configmaps", Namespace: ns, Name: "owner"}, abi.AnswerStatusOK, []string{"owner"}},
		"live":           {"past the cache", abi.Query{Type: abi.QueryTypeGet, Resource: "configmaps", Namespace: ns, Name: "owner", Live: true}, abi.AnswerStatusOK, []string{"owner"}},
		"no resource":    {"nobody serves it", abi.Query{Type: abi.QueryTypeGet, Group: "g", Resource: "xs", Name: "owner"}, abi.AnswerStatusNoSuchKind, nil},
		"owner":          {"by a reference", abi.Query{Type: abi.QueryTypeOwner, Kind: maps, Namespace: ns, Name: "owner", UID: uid}, abi.AnswerStatusOK, []string{"owner"}},
		"other owner":    {"of that name", abi.Query{Type: abi.QueryTypeOwner, Kind: maps, Namespace: ns, Name: "owner", UID: "x"}, abi.AnswerStatusNotFound, nil},
		"no owner kind":  {"an answer of its own", abi.Query{Type: abi.QueryTypeOwner, Kind: &abi.Kind{APIVersion: "g/v1", Kind: "X"}, Namespace: ns, Name: "owner", UID: "x"}, abi.AnswerStatusNoSuchKind, nil},
		"owner below":    {"a cluster-scoped object names none in a namespace", abi.Query{Type: abi.QueryTypeOwner, Kind: maps, Name: "owner", UID: uid}, abi.AnswerStatusInvalid, nil},
		"live below":     {"nor live", abi.Query{Type: abi.QueryTypeOwner, Kind: maps, Name: "owner", UID: uid, Live: true}, abi.AnswerStatusInvalid, nil},
		"live of all":    {"the API server knows no such read", abi.Query{Type: abi.QueryTypeList, Kind: every, AllNamespaces: true, Live: true}, abi.AnswerStatusInvalid, nil},
		"get of any":     {"names are not unique over kinds", abi.Query{Type: abi.QueryTypeGet, Kind: every, Namespace: ns, Name: "owner"}, abi.AnswerStatusInvalid, nil},
		"index over all": {"none is declared", abi.Query{Type: abi.QueryTypeList, Kind: every, Index: "uid", IndexValue: uid, AllNamespaces: true}, abi.AnswerStatusInvalid, nil},
		"other version":  {"the version in the cache serves every one", abi.Query{Type: abi.QueryTypeList, Kind: &abi.Kind{APIVersion: "autoscaling/v1", Kind: "HorizontalPodAutoscaler"}, Namespace: ns}, abi.AnswerStatusOK, []string{}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a := ask(t, r, tc.query)
			if a.Status != tc.status {
				t.Fatalf("%s: status %d, %s", tc.reason, a.Status, a.Message)
			}
			if tc.want == nil {
				return
			}
			if diff := cmp.Diff(tc.want, names(t, a)); diff != "" {
				t.Errorf("%s\n%s", tc.reason, diff)
			}
			for i := range a.Objects {
				if a.Objects[i].Kind == nil || a.Objects[i].Encoding != abi.EncodingProtobuf {
					t.Errorf("%+v", a.Objects[i])
				}
			}
		})
	}
}

// TestKindsComeAndGo: a custom resource is found once it is served, read as
// protobuf, and given back when it is served no more; groups that don't answer
// and an API server that fails change nothing.
func TestKindsComeAndGo(t *testing.T) {
	ns := planetest.Namespace(t)
	r, _ := reader(t, []abi.KindRead{{Kind: every, MetadataOnly: true}})
	get := abi.Query{Type: abi.QueryTypeGet, Group: "come.example.com", Resource: "widgets", Namespace: ns, Name: "w"}
	if a := ask(t, r, get); a.Status != abi.AnswerStatusNoSuchKind {
		t.Fatalf("status %d", a.Status)
	}
	kind := hosttest.Define(t, planetest.Shared(t), "come.example.com")
	kind.Create(t, ns, "w", nil)
	hosttest.Eventually(t, "the widget is in the cache", func() bool {
		if _, err := r.Watches.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		return ask(t, r, get).Status == abi.AnswerStatusOK
	})
	if a := ask(t, r, get); a.Objects[0].Encoding != abi.EncodingProtobuf {
		t.Errorf("encoding %d", a.Objects[0].Encoding)
	}
	kind.Remove(t)
	hosttest.Eventually(t, "the kind is gone", func() bool {
		if _, err := r.Watches.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		return ask(t, r, get).Status == abi.AnswerStatusNoSuchKind
	})
}
