package registry_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopdock/loopdock/host/registry"
)

// write puts a file where it belongs in one step, as the package asks for.
func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(tmp, path); err != nil {
		t.Fatal(err)
	}
}

// module is what a file with this content is found as.
func module(path, content string) registry.Module {
	sum := sha256.Sum256([]byte(content))
	return registry.Module{Path: path, Bytes: []byte(content), Digest: hex.EncodeToString(sum[:])}
}

// TestLoad: files by name, folders by suffix, in the order in which they are named.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	folder, file := filepath.Join(dir, "guests"), filepath.Join(dir, "z.bin")
	write(t, filepath.Join(folder, "b.wasm"), "b")
	write(t, filepath.Join(folder, "a.wasm"), "a")
	write(t, filepath.Join(folder, ".c.wasm"), "an editor's")
	write(t, filepath.Join(folder, "README.md"), "text")
	write(t, filepath.Join(folder, "deeper", "d.wasm"), "not looked for")
	write(t, file, "z")
	cases := map[string]struct {
		reason string
		paths  []string
		want   []registry.Module
	}{
		"none":   {"nothing to look for", nil, nil},
		"file":   {"a file that is named may be called anything", []string{file}, []registry.Module{module(file, "z")}},
		"folder": {"in a folder the suffix counts", []string{folder}, []registry.Module{module(folder+"/a.wasm", "a"), module(folder+"/b.wasm", "b")}},
		"both":   {"in the order given", []string{file, folder}, []registry.Module{module(file, "z"), module(folder+"/a.wasm", "a"), module(folder+"/b.wasm", "b")}},
		"twice":  {"named twice is there once", []string{file, file}, []registry.Module{module(file, "z")}},
		"empty":  {"modules may come later", []string{t.TempDir()}, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := (&registry.Files{Paths: tc.paths}).Load()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\n%s", tc.reason, diff)
			}
		})
	}
}

// TestLoadFails: what can't be read is named, in one line.
func TestLoadFails(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.wasm", "inner"), "")
	cases := map[string]struct{ reason, path, want string }{
		"missing": {"a typing error", filepath.Join(dir, "no.wasm"), "cannot read module PATH: no such file or directory"},
		"device":  {"reading it would not end", "/dev/zero", "cannot read module PATH: it is neither a file nor a folder"},
		"folder":  {"a folder that is called like a module", dir, "cannot read module PATH/x.wasm: is a directory"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := (&registry.Files{Paths: []string{tc.path}}).Load()
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(strings.ReplaceAll(tc.want, "PATH", tc.path), err.Error()); diff != "" {
				t.Errorf("%s\n%s", tc.reason, diff)
			}
		})
	}
}
