package meta_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metaupstream "k8s.io/apimachinery/pkg/api/meta"
	metaapi "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// TestSetConditionAgreesWithUpstream sets random conditions on both sides.
func TestSetConditionAgreesWithUpstream(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	var want []metaapi.Condition
	var got []metav1.Condition
	for range 3000 {
		c := metaapi.Condition{
			Type: pick(rng, "A", "B", "C"), Status: pick(rng, metaapi.ConditionTrue, metaapi.ConditionFalse), Reason: pick(rng, "x", "y"),
			Message: pick(rng, "", "m"), ObservedGeneration: rng.Int64N(2), LastTransitionTime: metaapi.Unix(1+rng.Int64N(1e9), 0),
		}
		if rng.IntN(4) == 0 {
			wantFound := metaupstream.RemoveStatusCondition(&want, c.Type)
			var found bool
			if got, found = meta.RemoveCondition(slices.Values(got), c.Type); found != wantFound {
				t.Fatalf("removing %s: %v", c.Type, found)
			}
		} else {
			wantChanged := metaupstream.SetStatusCondition(&want, c)
			var changed bool
			if got, changed = meta.SetCondition(slices.Values(got), metav1.Condition(encode(t, &c)), metav1.Time{}); changed != wantChanged {
				t.Fatalf("setting %+v: changed is %v", c, changed)
			}
		}
		decoded := make([]metaapi.Condition, len(got))
		for i := range got {
			if err := decoded[i].Unmarshal(got[i]); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(append([]metaapi.Condition{}, want...), decoded); diff != "" {
			t.Fatalf("conditions (-want +got):\n%s", diff)
		}
		if is := meta.IsConditionTrue(slices.Values(got), c.Type); is != metaupstream.IsStatusConditionTrue(want, c.Type) {
			t.Fatalf("%s is true: %v", c.Type, is)
		}
	}
}

func TestTransitionTimes(t *testing.T) {
	early, now := metav1.NewUnixTime(100), metav1.NewUnixTime(200)
	old := appsv1.ReplicaSetCondition(nil).WithType("A").WithStatus(corev1.ConditionTrue).WithReason("r").WithLastTransitionTime(early)
	other := appsv1.ReplicaSetCondition(nil).WithType("B").WithStatus(corev1.ConditionTrue)
	fresh := appsv1.ReplicaSetCondition(nil).WithType("A")
	cases := map[string]struct {
		reason              string
		c                   appsv1.ReplicaSetCondition
		want                int64
		changed, replaced   bool
		place, replacePlace int
	}{
		"same":    {"nothing changes", fresh.WithStatus("True").WithReason("r"), 100, false, false, 0, 0},
		"message": {"only some count the message", fresh.WithStatus("True").WithReason("r").WithMessage("m"), 100, true, false, 0, 0},
		"reason":  {"the same status keeps its time", fresh.WithStatus("True").WithReason("s").WithLastTransitionTime(now), 100, true, true, 0, 1},
		"status":  {"another status takes now", fresh.WithStatus("False").WithReason("r"), 200, true, true, 0, 1},
		"given":   {"or the time that it brings", fresh.WithStatus("False").WithLastTransitionTime(metav1.NewUnixTime(150)), 150, true, true, 0, 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			before := slices.Values([]appsv1.ReplicaSetCondition{old, other})
			list, changed := meta.SetCondition(before, tc.c, now)
			if changed != tc.changed || len(list) != 2 || list[tc.place].LastTransitionTime().Unix() != tc.want {
				t.Errorf("%s: set: changed %v, %v", tc.reason, changed, list)
			}
			list, changed = meta.ReplaceCondition(before, tc.c, now)
			if changed != tc.replaced || len(list) != 2 || list[tc.replacePlace].LastTransitionTime().Unix() != tc.want {
				t.Errorf("%s: replaced: changed %v, %v", tc.reason, changed, list)
			}
		})
	}
	if list, changed := meta.ReplaceCondition(slices.Values([]appsv1.ReplicaSetCondition{other}), fresh, now); !changed || len(list) != 2 || list[1].LastTransitionTime().Time() != time.Unix(200, 0).UTC() {
		t.Errorf("a new condition: %v %v", list, changed)
	}
}
