package meta_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	metaapi "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// TestSelectorsAgreeWithUpstream compiles random selectors, valid and not, and
// asks both sides about random labels.
func TestSelectorsAgreeWithUpstream(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	valid := 0
	for range 20000 {
		ls := randomSelector(rng)
		want, wantErr := metaapi.LabelSelectorAsSelector(&ls)
		got, err := meta.NewSelector(metav1.LabelSelector(encode(t, &ls)))
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%+v: got error %v, want %v", ls, err, wantErr)
		}
		if err != nil {
			if got.Matches(view.StringMap{}) || got.Empty() || !got.Nothing() {
				t.Fatalf("%+v: an invalid selector must match nothing", ls)
			}
			continue
		}
		valid++
		if got.Empty() != want.Empty() {
			t.Fatalf("%+v: Empty is %v", ls, got.Empty())
		}
		if !repeatsKey(ls) && got.String() != want.String() {
			t.Fatalf("%+v: String is %q, want %q", ls, got, want)
		}
		if parsed, err := labels.Parse(got.String()); err != nil {
			t.Fatalf("%q does not parse: %v (%v)", got, err, parsed)
		}
		for range 10 {
			set := labels.Set(randomLabels(rng))
			m := objectMeta(t, metaapi.ObjectMeta{Labels: set})
			if match := got.Matches(m.Labels()); match != want.Matches(set) {
				t.Fatalf("%q on %v: got %v", got, set, match)
			}
		}
	}
	if valid < 1000 {
		t.Errorf("only %d selectors were valid", valid)
	}
}

func randomSelector(rng *rand.Rand) metaapi.LabelSelector {
	var ls metaapi.LabelSelector
	if rng.IntN(2) == 0 {
		ls.MatchLabels = randomLabels(rng)
	}
	for range rng.IntN(4) {
		e := metaapi.LabelSelectorRequirement{Key: randomKey(rng), Operator: pick[metaapi.LabelSelectorOperator](rng,
			"In", "NotIn", "Exists", "DoesNotExist", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "")}
		if strings.HasSuffix(string(e.Operator), "In") || rng.IntN(20) == 0 {
			for range rng.IntN(4) {
				e.Values = append(e.Values, randomValue(rng))
			}
		}
		ls.MatchExpressions = append(ls.MatchExpressions, e)
	}
	return ls
}

func randomLabels(rng *rand.Rand) map[string]string {
	out := map[string]string{}
	for range rng.IntN(4) {
		out[randomKey(rng)] = randomValue(rng)
	}
	return out
}

func randomKey(rng *rand.Rand) string {
	if rng.IntN(40) == 0 {
		return pick(rng, "", "/", "a/", "/a", "a/b/c", "-a", "a-", "a b", "A.b/c", "x..y/c", "é",
			strings.Repeat("x", 64), strings.Repeat("x", 254)+"/a", "a_b/c", "a\n")
	}
	return pick(rng, "a", "b", "c", "app", "example.com/App_1", strings.Repeat("x", 63), "1.2-3_4")
}

func randomValue(rng *rand.Rand) string {
	if rng.IntN(60) == 0 {
		return pick(rng, "-", "a,b", "a b", "_x", strings.Repeat("x", 64), "a\n", "é")
	}
	return pick(rng, "", "x", "y", "z", "A.b_c-1")
}

// repeatsKey reports whether the order of the requirements is left open
// upstream.
func repeatsKey(ls metaapi.LabelSelector) bool {
	seen := map[string]bool{}
	for k := range ls.MatchLabels {
		seen[k] = true
	}
	for _, e := range ls.MatchExpressions {
		if seen[e.Key] {
			return true
		}
		seen[e.Key] = true
	}
	return false
}

func TestAbsentAndEmptySelectors(t *testing.T) {
	absent, err := meta.NewSelector(nil)
	if err != nil || !absent.Nothing() || absent.Matches(view.StringMap{}) {
		t.Errorf("an absent selector must match nothing (%v)", err)
	}
	empty, err := meta.NewSelector(metav1.LabelSelector{})
	if err != nil || !empty.Empty() || !empty.Matches(view.StringMap{}) || empty.String() != "" {
		t.Errorf("an empty selector must match everything (%v)", err)
	}
	if !meta.Everything().Matches(view.StringMap{}.With("a", "b")) {
		t.Error("Everything does not")
	}
}

func TestSelectorErrorsSayWhatIsWrong(t *testing.T) {
	in := func(key, op string, values ...string) metav1.LabelSelector {
		e := metav1.LabelSelectorRequirement(nil).WithKey(key).WithOperator(op).WithValues(values...)
		return metav1.LabelSelector(nil).WithMatchExpressions(e)
	}
	for name, tc := range map[string]struct {
		selector metav1.LabelSelector
		want     string
	}{
		"operator": {in("a", "Near"), "unknown operator: Near"},
		"key":      {in("a b", "Exists"), `malformed key: "a b"`},
		"none":     {in("a", "In"), "no values for its key a"},
		"some":     {in("a", "Exists", "x"), "has values for its key a"},
		"value":    {in("a", "In", "x y"), `malformed value for its key a: "x y"`},
	} {
		if _, err := meta.NewSelector(tc.selector); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q", name, err, tc.want)
		}
	}
}
