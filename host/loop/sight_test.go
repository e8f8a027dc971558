package loop

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/host/writer"
)

// TestCourse: which changes are those of the key's own writes.
func TestCourse(t *testing.T) {
	pods := schema.GroupVersionKind{Version: "v1", Kind: "Pod"}
	at := place{pods, "ns", "a"}
	written := writer.Write{GVK: pods, Namespace: "ns", Name: "a", UID: "u", ResourceVersion: "7"}
	deleted := writer.Write{GVK: pods, Namespace: "ns", Name: "a", UID: "u", Deleted: true}
	cases := map[string]struct {
		reason string
		sights []sight
		own    []writer.Write
		want   bool
	}{
		"nothing":        {"nobody else did anything", nil, []writer.Write{written}, false},
		"written":        {"the very version that was written", []sight{{place: at, uid: "u", version: "7"}}, []writer.Write{written}, false},
		"later":          {"somebody has written after us", []sight{{place: at, uid: "u", version: "7"}, {place: at, uid: "u", version: "8"}}, []writer.Write{written}, true},
		"another object": {"of the same version, by another name", []sight{{place: place{pods, "ns", "b"}, version: "7"}}, []writer.Write{written}, true},
		"written, gone":  {"somebody has deleted what was written", []sight{{place: at, uid: "u", version: "7"}, {place: at, uid: "u", version: "7", gone: true, leaving: true}}, []writer.Write{written}, true},
		"leaving":        {"a delete shows in two steps", []sight{{place: at, uid: "u", version: "8", leaving: true}, {place: at, uid: "u", version: "9", leaving: true}}, []writer.Write{deleted}, false},
		"still there":    {"a change before the delete", []sight{{place: at, uid: "u", version: "6"}}, []writer.Write{deleted}, true},
		"another UID":    {"one of the same name has gone", []sight{{place: at, uid: "v", version: "9", leaving: true}}, []writer.Write{deleted}, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := course{under: true, own: tc.own}
			for _, s := range tc.sights {
				c.saw(s)
			}
			if got := c.disturbed(); got != tc.want {
				t.Errorf("%s: %v", tc.reason, got)
			}
		})
	}
	t.Run("bound", func(t *testing.T) {
		c := course{under: true}
		for range maxSights + 1 {
			c.saw(sight{place: at})
		}
		if !c.disturbed() || len(c.sights) != 0 {
			t.Errorf("%d changes are kept", len(c.sights))
		}
	})
	t.Run("rest", func(t *testing.T) {
		c := course{}
		if c.saw(sight{place: at}); c.disturbed() {
			t.Error("a change is kept of a key that is at rest")
		}
	})
}
