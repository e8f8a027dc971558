//go:build unix && !linux

package plane

import "syscall"

// procAttr keeps a terminal's Ctrl-C from devplane: whoever started the plane
// stops it. The lifeline ends it with this process.
func procAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
