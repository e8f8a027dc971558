package registry_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/clock"

	"github.com/loopdock/loopdock/host/registry"
)

// watch runs f until stop, in a bubble of synctest: time passes when all wait.
func watch(t *testing.T, f *registry.Files) (changes <-chan registry.Change, stop func()) {
	t.Helper()
	if _, err := f.Load(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	out, done := make(chan registry.Change), make(chan error, 1)
	go func() { // stop waits for it
		done <- f.Run(ctx, func(c registry.Change) { out <- c })
	}()
	return out, func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// TestRun: a module comes, is replaced and goes, and each is told once.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.wasm")
	synctest.Test(t, func(t *testing.T) {
		changes, stop := watch(t, &registry.Files{Paths: []string{dir}, Clock: clock.RealClock{}})
		defer stop()
		want := func(what string, want registry.Change) {
			t.Helper()
			if diff := cmp.Diff(want, <-changes); diff != "" {
				t.Errorf("%s\n%s", what, diff)
			}
		}
		write(t, path, "one")
		want("it comes", registry.Change{Module: module(path, "one")})
		write(t, path, "two, longer")
		want("it is replaced", registry.Change{Module: module(path, "two, longer")})
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		want("it goes", registry.Change{Module: registry.Module{Path: path}, Removed: true})
		write(t, path, "two, longer")
		want("it comes back", registry.Change{Module: module(path, "two, longer")})
	})
}

// TestRunSaysNothing where nothing has changed: neither of what Load has told,
// nor of a file that is written anew with the same bytes.
func TestRunSaysNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.wasm")
	write(t, path, "same")
	synctest.Test(t, func(t *testing.T) {
		changes, stop := watch(t, &registry.Files{Paths: []string{dir}, Poll: time.Second, Clock: clock.RealClock{}})
		defer stop()
		later := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
		if err := os.Chtimes(path, later, later); err != nil {
			t.Fatal(err)
		}
		minute := clock.RealClock{}.After(time.Minute)
		select {
		case c := <-changes:
			t.Errorf("told of %+v", c)
		case <-minute:
		}
	})
}

// TestRunPoll: a change is seen at the next look, and not before.
func TestRunPoll(t *testing.T) {
	cases := map[string]struct {
		reason string
		poll   time.Duration
		want   time.Duration
	}{
		"default": {"where nothing is said", 0, 500 * time.Millisecond},
		"given":   {"as was asked for", 7 * time.Second, 7 * time.Second},
	}
	for name, tc := range cases {
		dir := t.TempDir()
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				changes, stop := watch(t, &registry.Files{Paths: []string{dir}, Poll: tc.poll, Clock: clock.RealClock{}})
				defer stop()
				synctest.Wait() // the ticker runs
				start := clock.RealClock{}.Now()
				write(t, filepath.Join(dir, "a.wasm"), "a")
				<-changes
				if got := (clock.RealClock{}).Since(start); got != tc.want {
					t.Errorf("%s: %s", tc.reason, got)
				}
			})
		})
	}
}

// TestRunBadFile: a file that can't be read is told with its error, once, the
// others are told all the same, and it is looked at again.
func TestRunBadFile(t *testing.T) {
	dir := t.TempDir()
	bad, good := filepath.Join(dir, "a.wasm"), filepath.Join(dir, "b.wasm")
	synctest.Test(t, func(t *testing.T) {
		changes, stop := watch(t, &registry.Files{Paths: []string{dir}, Clock: clock.RealClock{}})
		defer stop()
		if err := os.Mkdir(bad, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, good, "b")
		c := <-changes
		if c.Path != bad || c.Err == nil || c.Bytes != nil {
			t.Errorf("%+v", c)
		}
		if diff := cmp.Diff(registry.Change{Module: module(good, "b")}, <-changes); diff != "" {
			t.Error(diff)
		}
		minute := clock.RealClock{}.After(time.Minute)
		select {
		case c := <-changes:
			t.Errorf("told of %+v", c)
		case <-minute:
		}
		synctest.Wait() // no look is under way
		if err := os.Remove(bad); err != nil {
			t.Fatal(err)
		}
		write(t, bad, "a")
		if diff := cmp.Diff(registry.Change{Module: module(bad, "a")}, <-changes); diff != "" {
			t.Error(diff)
		}
	})
}
