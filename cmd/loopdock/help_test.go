package main

import (
	"regexp"
	"strings"
	"testing"
)

func TestHelp(t *testing.T) {
	for _, command := range []string{"", "run", "dev", "build", "inspect", "version"} {
		name, args := "loopdock", []string{"--help"}
		if command != "" {
			name, args = command, []string{command, "--help"}
		}
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := loopdock(t, args...)
			if code != 0 || stderr != "" {
				t.Errorf("exit code %d, stderr %q", code, stderr)
			}
			if !strings.Contains(stdout, "Example") || !strings.Contains(stdout, "      loopdock "+command) {
				t.Errorf("there is no example:\n%s", stdout)
			}
			for l := range strings.Lines(stdout) {
				if len(l) > helpWidth+1 {
					t.Errorf("a line has %d columns, %d is the most:\n%s", len(l)-1, helpWidth, l)
				}
			}
			golden(t, "help/"+name+".txt", stdout)
		})
	}
}

func TestHelpIsACommandToo(t *testing.T) {
	for _, c := range []struct{ asked, same []string }{
		{nil, []string{"--help"}},
		{[]string{"help"}, []string{"--help"}},
		{[]string{"help", "run"}, []string{"run", "--help"}},
	} {
		_, want, _ := loopdock(t, c.same...)
		if code, got, _ := loopdock(t, c.asked...); code != 0 || got != want {
			t.Errorf("%q: exit code %d, and it prints\n%s", c.asked, code, got)
		}
	}
}

func TestVersion(t *testing.T) {
	code, stdout, stderr := loopdock(t, "version")
	if code != 0 || stderr != "" {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	want := regexp.MustCompile(`^loopdock   dev\nabi        1\ngo         1\.\S+\n(client-go  v\S+\n|wazero     v\S+\n)*$`)
	if !want.MatchString(stdout) {
		t.Errorf("it prints\n%s", stdout)
	}
}
