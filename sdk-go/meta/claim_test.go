package meta_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	metaapi "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

func TestDecide(t *testing.T) {
	yes := true
	now := metaapi.NewTime(time.Unix(1e9, 0))
	owned := func(uid types.UID) []metaapi.OwnerReference {
		return []metaapi.OwnerReference{{UID: uid, Controller: &yes}}
	}
	match, other := map[string]string{"app": "web"}, map[string]string{"app": "db"}
	cases := map[string]struct {
		reason      string
		obj         metaapi.ObjectMeta
		terminating bool
		namespace   string
		want        meta.Claim
	}{
		"another's":              {"never touched", metaapi.ObjectMeta{OwnerReferences: owned("you"), Labels: match}, false, "ns", meta.Ignore},
		"own":                    {"nothing to do", metaapi.ObjectMeta{OwnerReferences: owned("me"), Labels: match}, false, "ns", meta.Keep},
		"own, terminating":       {"keeping takes no action", metaapi.ObjectMeta{OwnerReferences: owned("me"), Labels: match}, true, "ns", meta.Keep},
		"own, deleted":           {"still owned", metaapi.ObjectMeta{OwnerReferences: owned("me"), Labels: match, DeletionTimestamp: &now}, false, "ns", meta.Keep},
		"unmatched":              {"labels changed", metaapi.ObjectMeta{OwnerReferences: owned("me"), Labels: other}, false, "ns", meta.Release},
		"unmatched, terminating": {"a dying controller releases nothing", metaapi.ObjectMeta{OwnerReferences: owned("me"), Labels: other}, true, "ns", meta.Ignore},
		"orphan":                 {"matches and is free", metaapi.ObjectMeta{Namespace: "ns", Labels: match}, false, "ns", meta.Adopt},
		"orphan, unmatched":      {"not wanted", metaapi.ObjectMeta{Namespace: "ns", Labels: other}, false, "ns", meta.Ignore},
		"orphan, terminating":    {"a dying controller adopts nothing", metaapi.ObjectMeta{Namespace: "ns", Labels: match}, true, "ns", meta.Ignore},
		"orphan, deleted":        {"nothing is adopted to die", metaapi.ObjectMeta{Namespace: "ns", Labels: match, DeletionTimestamp: &now}, false, "ns", meta.Ignore},
		"orphan elsewhere":       {"owners stay within a namespace", metaapi.ObjectMeta{Namespace: "b", Labels: match}, false, "ns", meta.Ignore},
		"cluster controller":     {"it claims everywhere", metaapi.ObjectMeta{Namespace: "b", Labels: match}, false, "", meta.Adopt},
		"plain owner":            {"an owner that does not control leaves it free", metaapi.ObjectMeta{Namespace: "ns", Labels: match, OwnerReferences: []metaapi.OwnerReference{{UID: "you"}}}, false, "ns", meta.Adopt},
	}
	s, err := meta.NewSelector(metav1.LabelSelector(nil).WithMatchLabel("app", "web"))
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			controller := metaapi.ObjectMeta{UID: "me", Namespace: tc.namespace}
			if tc.terminating {
				controller.DeletionTimestamp = &now
			}
			c := meta.NewClaimer(objectMeta(t, controller), s)
			if got := c.Decide(objectMeta(t, tc.obj)); got != tc.want {
				t.Errorf("%s: got %s, want %s", tc.reason, got, tc.want)
			}
		})
	}
}

func TestDecideIfUnwanted(t *testing.T) {
	c := meta.Claimer{UID: "me", Selector: meta.Everything()}
	orphan := metav1.ObjectMeta(nil).WithName("x")
	own := orphan.WithOwnerReferences(metav1.OwnerReference(nil).WithUID("me").WithController(true))
	if got := c.DecideIf(orphan, false); got != meta.Ignore {
		t.Errorf("orphan: got %s, want ignore", got)
	}
	if got := c.DecideIf(own, false); got != meta.Release {
		t.Errorf("own: got %s, want release", got)
	}
}

// The shapes that upstream's patches are marshalled from.
type (
	adoptShape struct {
		Metadata struct {
			OwnerReferences []metaapi.OwnerReference `json:"ownerReferences"`
			UID             types.UID                `json:"uid"`
			Finalizers      []string                 `json:"finalizers,omitempty"`
		} `json:"metadata"`
	}
	releaseShape struct {
		Metadata struct {
			UID              types.UID           `json:"uid"`
			OwnerReferences  []map[string]string `json:"ownerReferences"`
			DeleteFinalizers []string            `json:"$deleteFromPrimitiveList/finalizers,omitempty"`
		} `json:"metadata"`
	}
)

func TestPatchesEqualUpstreams(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		owner := metaapi.ObjectMeta{Name: randomText(rng), UID: types.UID(randomText(rng))}
		uid, yes := randomText(rng), true
		var finalizers []string
		for range rng.IntN(3) {
			finalizers = append(finalizers, randomText(rng))
		}
		var adopt adoptShape
		adopt.Metadata.UID, adopt.Metadata.Finalizers = types.UID(uid), finalizers
		adopt.Metadata.OwnerReferences = []metaapi.OwnerReference{{
			APIVersion: "apps/v1", Kind: "ReplicaSet", Name: owner.Name, UID: owner.UID, Controller: &yes, BlockOwnerDeletion: &yes,
		}}
		ref := meta.NewControllerRef("apps/v1", "ReplicaSet", objectMeta(t, owner))
		sameJSON(t, meta.AdoptPatch(uid, ref, finalizers...), adopt)

		var release releaseShape
		release.Metadata.UID, release.Metadata.DeleteFinalizers = types.UID(uid), finalizers
		release.Metadata.OwnerReferences = []map[string]string{{"$patch": "delete", "uid": string(owner.UID)}}
		sameJSON(t, meta.ReleasePatch(uid, string(owner.UID), finalizers...), release)
	}
}

func sameJSON(t *testing.T, got []byte, shape any) {
	t.Helper()
	want, err := json.Marshal(shape)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
}

func randomText(rng *rand.Rand) string {
	var text strings.Builder
	for range rng.IntN(6) {
		text.WriteString(pick(rng, "a", "-", `"`, `\`, "\n", "\x00", "\x1f", "\x7f", "\t", "\b", "\f", "\r", "<", ">", "&", "é", "\u2028", "\u2029", "😀", "\xff", "\xe2\x80", "\ufffd"))
	}
	return text.String()
}
