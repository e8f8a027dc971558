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
	"slices"
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

	seen map[string]mark
}

// mark tells one state of a file from another.
type mark struct {
	size   int64
	mtime  time.Time
	digest string
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
	changes, err := f.scan()
	for _, c := range changes {
		if c.Err != nil {
			return nil, c.Err
		}
		out = append(out, c.Module)
	}
	return out, err
}

// Run calls changed for each module that appears, is replaced or goes, until
// ctx ends. Load comes first.
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
		changes, err := f.scan()
		if err != nil {
			changed(Change{Err: err})
		}
		for _, c := range changes {
			changed(c)
		}
	}
}

// scan compares the files with what was seen of them.
func (f *Files) scan() ([]Change, error) {
	if f.seen == nil {
		f.seen = map[string]mark{}
	}
	files, err := f.files()
	if err != nil {
		return nil, err
	}
	var out []Change
	for _, path := range files {
		if c, ok := f.look(path); ok {
			out = append(out, c)
		}
	}
	for path := range f.seen {
		if !slices.Contains(files, path) {
			delete(f.seen, path)
			out = append(out, Change{Module: Module{Path: path}, Removed: true})
		}
	}
	return out, nil
}

// files lists the modules' paths, in order.
func (f *Files) files() ([]string, error) {
	var out []string
	for _, path := range f.Paths {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone, or in the middle of being replaced
		}
		if err != nil {
			return nil, readError(path, err)
		}
		if !info.IsDir() {
			out = append(out, path)
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, readError(path, err)
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".wasm") && !strings.HasPrefix(e.Name(), ".") {
				out = append(out, filepath.Join(path, e.Name()))
			}
		}
	}
	return out, nil
}

// look reads a file if it is not as it was.
func (f *Files) look(path string) (Change, bool) {
	info, err := os.Stat(path)
	if err != nil {
		return Change{}, false // gone since it was listed: the next look tells
	}
	was, known := f.seen[path]
	if known && was.size == info.Size() && was.mtime.Equal(info.ModTime()) {
		return Change{}, false
	}
	b, err := os.ReadFile(path) //nolint:gosec // the operator names the files
	if err != nil {
		f.seen[path] = mark{size: info.Size(), mtime: info.ModTime()}
		return Change{Module: Module{Path: path}, Err: readError(path, err)}, true
	}
	sum := sha256.Sum256(b)
	digest := hex.EncodeToString(sum[:])
	f.seen[path] = mark{size: info.Size(), mtime: info.ModTime(), digest: digest}
	if known && was.digest == digest {
		return Change{}, false
	}
	return Change{Module: Module{Path: path, Bytes: b, Digest: digest}}, true
}

func readError(path string, err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("cannot read module %s: %w", path, err)
}
