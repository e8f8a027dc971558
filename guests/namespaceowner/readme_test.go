package main

import (
	"bytes"
	"os"
	"testing"
)

// TestReadmeShowsThisGuest: the README prints this guest whole, so that what
// people copy is what is compiled and tested here.
func TestReadmeShowsThisGuest(t *testing.T) {
	source, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(readme, append([]byte("```go\n"), bytes.TrimSpace(source)...)) {
		t.Error("the README's guest is not guests/namespaceowner/main.go: copy it again")
	}
	if n := bytes.Count(source, []byte("\n")); n >= 60 {
		t.Errorf("the README's guest has %d lines; it is there to show how little one needs", n)
	}
}
