package informercache_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// faults is a transport to a real API server that can hold watches back, cut
// them, have the next one find its version expired, and refuse protobuf.
type faults struct {
	base http.RoundTripper

	mu      sync.Mutex
	open    map[*heldBody]bool
	gate    chan struct{} // closed while watches may pass
	expired int           // how many watches yet find their version expired
	noProto bool
	refuse  bool           // as if no server were there
	watches map[string]int // requests by path
}

func newFaults(t *testing.T, c *rest.Config) (*faults, *http.Client) {
	t.Helper()
	client, err := rest.HTTPClientFor(c)
	if err != nil {
		t.Fatal(err)
	}
	f := &faults{base: client.Transport, open: map[*heldBody]bool{}, watches: map[string]int{}, gate: make(chan struct{})}
	close(f.gate)
	return f, &http.Client{Transport: f}
}

func (f *faults) hold() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gate = make(chan struct{})
}

func (f *faults) pass() {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.gate)
}

func (f *faults) refusing(is bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refuse = is
}

// expire cuts all watches, and lets none go on where it was.
func (f *faults) expire() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.expired = 1
	for b := range f.open {
		b.cut()
	}
}

func (f *faults) requests(path string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.watches[path]
}

func (f *faults) RoundTrip(r *http.Request) (*http.Response, error) {
	watch := r.URL.Query().Get("watch") != ""
	f.mu.Lock()
	if watch {
		f.watches[r.URL.Path]++
	}
	if f.refuse {
		f.mu.Unlock()
		return nil, syscall.ECONNREFUSED
	}
	code := 0
	switch {
	case f.noProto && strings.Contains(r.Header.Get("Accept"), "protobuf"):
		code = http.StatusNotAcceptable
	case watch && f.expired > 0 && r.URL.Query().Get("sendInitialEvents") == "":
		f.expired--
		code = http.StatusGone
	}
	f.mu.Unlock()
	if code != 0 {
		return refusal(r, code), nil
	}
	resp, err := f.base.RoundTrip(r)
	if err == nil && watch && resp.StatusCode == http.StatusOK {
		b := &heldBody{ReadCloser: resp.Body, faults: f, done: make(chan struct{})}
		f.mu.Lock()
		f.open[b] = true
		f.mu.Unlock()
		resp.Body = b
	}
	return resp, err
}

func refusal(r *http.Request, code int) *http.Response {
	reason := metav1.StatusReasonNotAcceptable
	if code == http.StatusGone {
		reason = metav1.StatusReasonExpired
	}
	b, err := json.Marshal(metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure, Reason: reason, Code: int32(code),
	})
	if err != nil {
		panic(err)
	}
	return &http.Response{
		StatusCode: code, Status: http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(b)),
	}
}

// heldBody is the body of a watch.
type heldBody struct {
	io.ReadCloser
	faults *faults
	once   sync.Once
	done   chan struct{}
}

func (b *heldBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.faults.mu.Lock()
	gate := b.faults.gate
	b.faults.mu.Unlock()
	select {
	case <-gate:
		return n, err
	case <-b.done:
		return 0, io.EOF
	}
}

func (b *heldBody) cut() {
	b.once.Do(func() {
		close(b.done)
		_ = b.ReadCloser.Close() // a test's connection
	})
}

func (b *heldBody) Close() error {
	b.cut()
	b.faults.mu.Lock()
	defer b.faults.mu.Unlock()
	delete(b.faults.open, b)
	return nil
}
