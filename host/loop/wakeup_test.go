package loop

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/host/writer"
)

// TestSpan: which changes are those of the key's own writes.
func TestSpan(t *testing.T) {
	pods := schema.GroupVersionKind{Version: "v1", Kind: "Pod"}
	at := place{pods, "ns", "a"}
	written := writer.Write{GVK: pods, Namespace: "ns", Name: "a", UID: "u", ResourceVersion: "7"}
	deleted := writer.Write{GVK: pods, Namespace: "ns", Name: "a", UID: "u", Deleted: true}
	cases := map[string]struct {
		reason  string
		wakeups []wakeup
		own     []writer.Write
		want    bool
	}{
		"nothing":        {"nobody else did anything", nil, []writer.Write{written}, false},
		"written":        {"the very version that was written", []wakeup{{place: at, uid: "u", version: "7"}}, []writer.Write{written}, false},
		"later":          {"somebody has written after us", []wakeup{{place: at, uid: "u", version: "7"}, {place: at, uid: "u", version: "8"}}, []writer.Write{written}, true},
		"another object": {"of the same version, by another name", []wakeup{{place: place{pods, "ns", "b"}, version: "7"}}, []writer.Write{written}, true},
		"written, gone":  {"somebody has deleted what was written", []wakeup{{place: at, uid: "u", version: "7"}, {place: at, uid: "u", version: "7", gone: true, leaving: true}}, []writer.Write{written}, true},
		"leaving":        {"a delete shows in two steps", []wakeup{{place: at, uid: "u", version: "8", leaving: true}, {place: at, uid: "u", version: "9", leaving: true}}, []writer.Write{deleted}, false},
		"still there":    {"a change before the delete", []wakeup{{place: at, uid: "u", version: "6"}}, []writer.Write{deleted}, true},
		"another UID":    {"one of the same name has gone", []wakeup{{place: at, uid: "v", version: "9", leaving: true}}, []writer.Write{deleted}, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := span{open: true, own: tc.own}
			for _, s := range tc.wakeups {
				c.saw(s)
			}
			if got := c.disturbed(); got != tc.want {
				t.Errorf("%s: %v", tc.reason, got)
			}
		})
	}
	t.Run("bound", func(t *testing.T) {
		c := span{open: true}
		for range maxWakeups + 1 {
			c.saw(wakeup{place: at})
		}
		if !c.disturbed() || len(c.wakeups) != 0 {
			t.Errorf("%d changes are kept", len(c.wakeups))
		}
	})
	t.Run("rest", func(t *testing.T) {
		c := span{}
		if c.saw(wakeup{place: at}); c.disturbed() {
			t.Error("a change is kept of a key that is at rest")
		}
	})
}
