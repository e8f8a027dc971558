package main

import "syscall"

// childAttr gives a child a process group of its own, so that a terminal's
// Ctrl-C reaches the parent alone, and has the kernel kill it with the thread
// that started it.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
