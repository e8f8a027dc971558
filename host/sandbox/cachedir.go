package sandbox

import (
	"fmt"
	"os"
)

// prepareCacheDir makes sure that only this user can put code into the cache.
func prepareCacheDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cannot create the folder for compiled modules: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("cannot use the folder for compiled modules: %w", err)
	}
	switch {
	case !info.IsDir():
		return fmt.Errorf("cannot use %s for compiled modules: it is not a folder", dir)
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("cannot use %s for compiled modules: others can write it (it holds executable code: chmod 700 %s)", dir, dir)
	case !ownedByUs(info):
		return fmt.Errorf("cannot use %s for compiled modules: another user owns it (it holds executable code: name another folder)", dir)
	}
	return nil
}
