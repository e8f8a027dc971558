package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cached are the files of compiled modules, with when they were written.
func cached(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	out := map[string]int64{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		out[path] = info.ModTime().UnixNano()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCache: a second runtime finds what the first one compiled, in a folder that
// only this user can use.
func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	load(t, newRuntime(t, Config{CacheDir: dir}), "empty")
	first := cached(t, dir)
	if len(first) != 2 { // metered, and compiled
		t.Fatalf("%d files were made", len(first))
	}
	m := load(t, newRuntime(t, Config{CacheDir: dir}), "empty")
	if diff := cmp.Diff(first, cached(t, dir)); diff != "" {
		t.Errorf("it was compiled anew\n%s", diff)
	}
	if _, err := reconcile(t, m.NewPool(PoolConfig{}), "key"); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestCacheIsDamaged: a bad file of compiled code is not run, and not blamed on
// the module.
func TestCacheIsDamaged(t *testing.T) {
	dir := t.TempDir()
	load(t, newRuntime(t, Config{CacheDir: dir}), "empty")
	for path := range cached(t, dir) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b[len(b)/2] ^= 0xff
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err := newRuntime(t, Config{CacheDir: dir}).Load(t.Context(), "x.wasm", readFixture(t, "empty"))
	want := "cannot dock x.wasm: the folder for compiled modules can't be used: compilationcache: "
	if !strings.HasPrefix(text(err), want) {
		t.Errorf("%v", err)
	}
	wantRefusal(t, err)
}

// TestCacheDirRefused: the folder holds executable code.
func TestCacheDirRefused(t *testing.T) {
	base := t.TempDir()
	cases := map[string]struct {
		reason string
		make   func(path string) error
		want   string
	}{
		"group": {"the group could write code", dirOfMode(0o770), "cannot use PATH for compiled modules: others can write it (it holds executable code: chmod 700 PATH)"},
		"world": {"anyone could", dirOfMode(0o777), "cannot use PATH for compiled modules: others can write it (it holds executable code: chmod 700 PATH)"},
		"read":  {"reading does no harm", dirOfMode(0o755), ""},
		"file":  {"a file in its place", func(path string) error { return os.WriteFile(path, nil, 0o600) }, "cannot create the folder for compiled modules: mkdir PATH: not a directory"},
		"link":  {"a link counts as what it leads to", func(path string) error { return os.Symlink(filepath.Join(base, "world"), path) }, "cannot use PATH for compiled modules: others can write it (it holds executable code: chmod 700 PATH)"},
	}
	for _, name := range []string{"group", "world", "read", "file", "link"} {
		tc, path := cases[name], filepath.Join(base, name)
		if err := tc.make(path); err != nil {
			t.Fatal(err)
		}
		r, err := New(t.Context(), Config{CacheDir: path})
		if diff := cmp.Diff(strings.ReplaceAll(tc.want, "PATH", path), text(err)); diff != "" {
			t.Errorf("%s: %s\n%s", name, tc.reason, diff)
		}
		if err == nil {
			_ = r.Close(t.Context())
		}
	}
}

func dirOfMode(mode os.FileMode) func(string) error {
	return func(path string) error {
		if err := os.Mkdir(path, mode); err != nil {
			return err
		}
		return os.Chmod(path, mode) // past the umask
	}
}

// TestCacheDirOfOthers: code of another user is not run.
func TestCacheDirOfOthers(t *testing.T) {
	dir := t.TempDir()
	if os.Geteuid() == 0 {
		if err := os.Chown(dir, 12345, -1); err != nil {
			t.Skip("root may not give files away here")
		}
	} else {
		dir = "/usr"
	}
	_, err := New(t.Context(), Config{CacheDir: dir})
	want := "cannot use " + dir + " for compiled modules: another user owns it (it holds executable code: name another folder)"
	if diff := cmp.Diff(want, text(err)); diff != "" {
		t.Error(diff)
	}
}
