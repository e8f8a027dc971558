//go:build unix && !linux

package main

import "syscall"

// childAttr gives a child a process group of its own, so that a terminal's
// Ctrl-C reaches the parent alone. The lifeline ends it with the parent.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
