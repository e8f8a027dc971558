package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"k8s.io/client-go/tools/clientcmd"
)

// planeOutput passes on the lines by which a plane says how far it is. The others
// say why it ended: they are held back, for the one line about that.
type planeOutput struct {
	to io.Writer

	mu   sync.Mutex
	part []byte
	held []string
}

var progressLine = regexp.MustCompile(`^devplane: .*\b(ready|ready again|started)( \([0-9.]+ s( in all)?\))?$`)

// Write implements io.Writer.
func (p *planeOutput) Write(data []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.part = append(p.part, data...)
	for {
		text, rest, found := bytes.Cut(p.part, []byte{'\n'})
		if !found {
			return len(data), nil
		}
		p.part = rest
		if progressLine.Match(text) {
			fmt.Fprintf(p.to, "%s\n", text)
		} else {
			p.held = append(p.held, strings.TrimPrefix(string(text), "devplane: "))
		}
	}
}

// heldBack is what was not passed on.
func (p *planeOutput) heldBack() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.held, "; ")
}

// checkKubeconfigTarget sees, before a plane is started, that its kubeconfig can
// be written, and that it would not replace another cluster's.
func checkKubeconfigTarget(path string) error {
	if info, err := os.Stat(path); err == nil && info.Size() > 0 && !isPlanes(path) {
		return fmt.Errorf("%s is there already and is no kubeconfig of dev, which would replace it (name another file by --kubeconfig)", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".loopdock-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err == nil {
		return nil
	}
	if pe := (*os.PathError)(nil); errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("cannot write the kubeconfig %s: %w (name another file by --kubeconfig)", path, err)
}

// isPlanes reports whether a file is the kubeconfig of a plane, of now or before.
func isPlanes(path string) bool {
	config, err := clientcmd.LoadFromFile(path)
	return err == nil && len(config.Clusters) == 1 && config.Clusters["devplane"] != nil
}
