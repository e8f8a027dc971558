package registry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/utils/clock"
)

// Module is a module as found: bytes that nobody has checked yet.
type Module struct {
	// Path of its file: the module's identity across replacements.
	Path   string
	Bytes  []byte
	Digest string
}

// Change says that a module appeared, was replaced, or went.
type Change struct {
	Module
	// Removed is set where the file is gone; then Bytes is nil.
	Removed bool
	// Err is set where the file is there and can't be read.
	Err error
}

// Files watches files, and folders for files that end in ".wasm".
//
// Files are looked at every Poll: this works on every file system, network
// mounts and mounted ConfigMaps included, and costs a stat a file. Replace a
// module by an atomic rename; one that is written in place may be seen half
// written, is then refused, and seen again when it is whole.
type Files struct {
	Paths []string
	// Poll is how often files are looked at. Zero means 500 ms.
	Poll  time.Duration
	Clock clock.WithTicker

	seen   map[string]mark
	failed map[string]string // by path, why it can't be read: each reason is told once
}

// mark tells one state of a file from another.
type mark struct {
	info   fs.FileInfo
	digest string
}

func (m mark) is(info fs.FileInfo) bool {
	return m.info != nil && os.SameFile(m.info, info) && m.info.Size() == info.Size() && m.info.ModTime().Equal(info.ModTime())
}

// Load reads all modules once, in order. A path that is not there is an error;
// an empty folder is not.
func (f *Files) Load() ([]Module, error) {
	var out []Module
	for _, path := range f.Paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, readError(path, err)
		}
		if !info.IsDir() && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("cannot read module %s: it is neither a file nor a folder", path)
		}
	}
	for _, c := range f.scan() {
		if c.Err != nil {
			return nil, c.Err
		}
		out = append(out, c.Module)
	}
	return out, nil
}

// Run calls changed for each module that appears, is replaced, goes, or can't be
// read for a reason that is new, until ctx ends. Load comes first.
func (f *Files) Run(ctx context.Context, changed func(Change)) error {
	poll := f.Poll
	if poll == 0 {
		poll = 500 * time.Millisecond
	}
	tick := f.Clock.NewTicker(poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C():
		}
		for _, c := range f.scan() {
			changed(c)
		}
	}
}

// scan compares the files with what was seen of them.
func (f *Files) scan() []Change {
	if f.seen == nil {
		f.seen, f.failed = map[string]mark{}, map[string]string{}
	}
	var out []Change
	there := map[string]bool{}
	for _, path := range f.Paths {
		files, err := list(path)
		out = f.tell(out, path, err)
		if err != nil { // what is in it is not gone
			for known := range f.seen {
				if known == path || filepath.Dir(known) == filepath.Clean(path) {
					there[known] = true
				}
			}
		}
		for _, file := range files {
			there[file] = true
			out = f.look(out, file)
		}
	}
	for path := range f.seen {
		if !there[path] {
			delete(f.seen, path)
			delete(f.failed, path)
			out = append(out, Change{Module: Module{Path: path}, Removed: true})
		}
	}
	return out
}

// tell notes whether a path can be read, and adds a change where that is news.
func (f *Files) tell(out []Change, path string, err error) []Change {
	if err == nil {
		delete(f.failed, path)
		return out
	}
	err = readError(path, err)
	if f.failed[path] == err.Error() {
		return out
	}
	f.failed[path] = err.Error()
	return append(out, Change{Module: Module{Path: path}, Err: err})
}

// list gives the paths of the modules that a path names, in order.
func list(path string) ([]string, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // gone, or in the middle of being replaced
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".wasm") && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, filepath.Join(path, e.Name()))
		}
	}
	return out, nil
}

// look reads a file if it is not as it was.
func (f *Files) look(out []Change, path string) []Change {
	info, err := os.Stat(path)
	if err != nil {
		return out // gone since it was listed: the next look tells
	}
	was := f.seen[path]
	if was.is(info) {
		return out
	}
	b, err := os.ReadFile(path) //nolint:gosec // the operator names the files
	if out = f.tell(out, path, err); err != nil {
		f.seen[path] = mark{} // looked at again, and told again
		return out
	}
	sum := sha256.Sum256(b)
	digest := hex.EncodeToString(sum[:])
	f.seen[path] = mark{info: info, digest: digest}
	if was.digest == digest {
		return out
	}
	return append(out, Change{Module: Module{Path: path, Bytes: b, Digest: digest}})
}

func readError(path string, err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("cannot read module %s: %w", path, err)
}
