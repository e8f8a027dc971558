package informercache

import (
	"log/slog"
	"testing"
)

// TestListThatIsInIsNotAwaited: between the moment in which the store shows the
// first list and that in which it is noted, nobody is told that it is awaited.
func TestListThatIsInIsNotAwaited(t *testing.T) {
	s := newStore()
	st := &status{store: s, logger: slog.New(slog.DiscardHandler), now: Status{Phase: Waiting}}
	st.asking()
	if p := st.get().Phase; p != Listing {
		t.Errorf("before the list the watch is %s", p)
	}
	s.replace(nil, "1", epoch)
	if p := st.get().Phase; p != Synced {
		t.Errorf("with the list in the store the watch is %s", p)
	}
}
