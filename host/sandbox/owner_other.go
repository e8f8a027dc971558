//go:build !unix

package sandbox

import "io/fs"

// ownedByUs can't be told here: access control is the folder's parent's.
func ownedByUs(fs.FileInfo) bool { return true }
