//go:build unix

package main

import (
	"os"
	"syscall"
)

func closeOnExec(f *os.File) { syscall.CloseOnExec(int(f.Fd())) }

// lockFile takes an exclusive lock that the kernel drops with the process.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// killGroup ends a child and whatever it started.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
