package plane

import "syscall"

// procAttr has the kernel ask devplane to end when this process is gone, and
// keeps a terminal's Ctrl-C from it: whoever started the plane stops it.
func procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
