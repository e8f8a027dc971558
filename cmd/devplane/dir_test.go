package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSweepTemp(t *testing.T) {
	parent := t.TempDir()
	old := time.Now().Add(-time.Hour)
	makeDir := func(name string, hold bool) string {
		dir := filepath.Join(parent, tempPrefix+name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		lock, err := os.Create(filepath.Join(dir, lockName))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = lock.Close() })
		if hold {
			if err := lockFile(lock); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	held, left, young := makeDir("held", true), makeDir("left", false), makeDir("young", false)
	for _, dir := range []string{held, left} {
		if err := os.Chtimes(dir, old, old); err != nil {
			t.Fatal(err)
		}
	}
	sweepTemp(parent)
	for dir, want := range map[string]bool{held: true, left: false, young: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s is there: %t, want %t", filepath.Base(dir), err == nil, want)
		}
	}
}

func TestDirIsHeldOnce(t *testing.T) {
	path := t.TempDir()
	first, err := openDir(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openDir(path); err == nil || !strings.Contains(err.Error(), "another devplane uses it") {
		t.Errorf("the second one got %v", err)
	}
	first.close()
	again, err := openDir(path)
	if err != nil {
		t.Fatal(err)
	}
	again.close()
	if _, err := os.Stat(path); err != nil {
		t.Errorf("a directory that was given is gone: %v", err)
	}
}

func TestPKIIsKept(t *testing.T) {
	dir, err := openDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.close()
	var tokens []string
	for range 2 {
		p, err := openPKI(dir)
		if err != nil {
			t.Fatal(err)
		}
		token, err := p.token(adminUser)
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, token)
	}
	if tokens[0] != tokens[1] {
		t.Error("the administrator's token changed with the second start")
	}
}
