//go:build unix

package sandbox

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByUs reports whether a file belongs to this process' user.
func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
