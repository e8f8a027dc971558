package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

const (
	tempPrefix = "devplane-"
	lockName   = "lock"
	// maxDirPath leaves room for a socket's name in the 108 bytes that a Unix
	// socket's path may have.
	maxDirPath = 90
)

// workDir is a plane's directory, held by a lock as long as the process lives.
type workDir struct {
	path string
	temp bool
	lock *os.File
}

// openDir makes the directory, or a temporary one if path is empty, with its
// sub-directories.
func openDir(path string) (*workDir, error) {
	d := &workDir{path: path}
	if path == "" {
		sweepTemp(os.TempDir())
		temp, err := os.MkdirTemp("", tempPrefix)
		if err != nil {
			return nil, fmt.Errorf("cannot make a temporary directory: %w", err)
		}
		d.path, d.temp = temp, true
	}
	if err := d.prepare(); err != nil {
		d.close()
		return nil, fmt.Errorf("cannot use the directory %s: %w", d.path, err)
	}
	return d, nil
}

func (d *workDir) prepare() error {
	if len(d.path) > maxDirPath {
		return fmt.Errorf("its path is longer than %d bytes", maxDirPath)
	}
	if err := os.MkdirAll(d.path, 0o700); err != nil {
		return err
	}
	lock, err := os.OpenFile(d.file(lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	d.lock = lock
	if err := lockFile(lock); err != nil {
		return errors.New("another devplane uses it")
	}
	// Sockets and logs belong to one run.
	for _, name := range []string{"run", "logs"} {
		if err := os.RemoveAll(d.file(name)); err != nil {
			return err
		}
	}
	for _, name := range []string{"run", "logs", "pki"} {
		if err := os.MkdirAll(d.file(name), 0o700); err != nil {
			return err
		}
	}
	return nil
}

// file gives the path of a file in the directory.
func (d *workDir) file(elem ...string) string {
	return filepath.Join(append([]string{d.path}, elem...)...)
}

// close gives the directory up and removes it if it is temporary.
func (d *workDir) close() {
	if d.temp {
		_ = os.RemoveAll(d.path)
	}
	if d.lock != nil {
		_ = d.lock.Close()
	}
}

// sweepTemp removes the temporary directories of planes that were killed: those
// whose lock nobody holds. Young ones may not be locked yet and are left alone.
func sweepTemp(parent string) {
	dirs, _ := filepath.Glob(filepath.Join(parent, tempPrefix+"*"))
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR, 0) //nolint:gosec // in a directory of our own naming
		if err != nil {
			continue
		}
		if lockFile(lock) == nil {
			_ = os.RemoveAll(dir)
		}
		_ = lock.Close()
	}
}

// writeFile writes a file so that it is there as a whole or not at all.
func writeFile(path string, data []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) //nolint:errcheck // gone when all went well
	_, err = temp.Write(data)
	if err := errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// checkWritable tells if a file can be written at a path, and leaves the one
// that may be there alone.
func checkWritable(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return errors.New("it is a directory")
	}
	probe, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}
