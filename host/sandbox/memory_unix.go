//go:build unix

package sandbox

import "golang.org/x/sys/unix"

// reserve takes address space without memory behind it.
func reserve(size uint64) ([]byte, error) {
	return unix.Mmap(-1, 0, int(max(size, 1)), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON) //nolint:gosec // bounded by the limit
}

// commit makes b[from:to] usable. Both are multiples of 64 KiB.
func commit(b []byte, from, to uint64) error {
	return unix.Mprotect(b[from:to], unix.PROT_READ|unix.PROT_WRITE)
}

// release gives the address space and its memory back.
func release(b []byte) {
	_ = unix.Munmap(b) // fails only for what reserve did not give
}
