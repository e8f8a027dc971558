package hosttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// ErrCut is how requests end on a connection that is cut.
var ErrCut = errors.New("the connection was cut")

// Wire is a connection to a real API server that counts requests, holds watches
// back and loses requests or answers.
//
// # Notes
//
//   - It is safe for use by several goroutines.
//   - Resources are named by their last part in the path: "pods".
type Wire struct {
	mu      sync.Mutex
	streams map[*stream]struct{}
	held    map[string]bool
	expired map[string]int
	lists   map[string]int
	severed bool
	before  func(*http.Request) error
	after   func(*http.Request) error
}

// NewWire puts a wire into a connection.
func NewWire(c *rest.Config) *Wire {
	w := &Wire{streams: map[*stream]struct{}{}, held: map[string]bool{}, expired: map[string]int{}, lists: map[string]int{}}
	c.Wrap(func(next http.RoundTripper) http.RoundTripper { return &tripper{w, next} })
	return w
}

type tripper struct {
	*Wire
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (t *tripper) RoundTrip(req *http.Request) (*http.Response, error) {
	resource, isWatch, streams := classify(req)
	t.mu.Lock()
	if streams || req.Method == http.MethodGet && !isWatch {
		t.lists[resource]++
	}
	severed, before, after := t.severed, t.before, t.after
	gone := isWatch && !streams && t.expired[resource] > 0
	if gone {
		t.expired[resource]--
	}
	t.mu.Unlock()
	switch {
	case gone:
		return expiredAnswer(req), nil
	case severed:
		before = func(*http.Request) error { return ErrCut }
	}
	if before != nil {
		if err := before(req); err != nil {
			drain(req)
			return nil, err
		}
	}
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		return resp, err
	}
	if after != nil {
		if err := after(req); err != nil {
			_ = resp.Body.Close() // lost
			return nil, err
		}
	}
	if isWatch && resp.StatusCode == http.StatusOK {
		resp.Body = t.open(resource, resp.Body)
	}
	return resp, nil
}

// classify names a request's resource, and says whether it is a watch, and one
// that begins with a list.
func classify(req *http.Request) (resource string, isWatch, streams bool) {
	q := req.URL.Query()
	isWatch = q.Get("watch") != ""
	return req.URL.Path[strings.LastIndexByte(req.URL.Path, '/')+1:], isWatch, isWatch && q.Get("sendInitialEvents") == "true"
}

// drain reads a body that leads nowhere, as a transport would.
func drain(req *http.Request) {
	if req.Body != nil {
		_, _ = io.Copy(io.Discard, req.Body) // lost
		_ = req.Body.Close()
	}
}

func expiredAnswer(req *http.Request) *http.Response {
	b, err := json.Marshal(metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure,
		Reason: metav1.StatusReasonExpired, Code: http.StatusGone,
	})
	if err != nil {
		panic(err)
	}
	return &http.Response{
		StatusCode: http.StatusGone, Status: "410 Gone", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(b)),
	}
}

// Lose has requests fail: before says so of those that are not to arrive, after
// of those whose answers are to be lost. Nil loses none.
func (w *Wire) Lose(before, after func(*http.Request) error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.before, w.after = before, after
}

// Sever cuts the connection for good, watches included.
func (w *Wire) Sever() {
	w.mu.Lock()
	w.severed = true
	open := w.of("")
	w.mu.Unlock()
	for _, s := range open {
		s.end()
	}
}

// Lists counts how often a resource was listed or got, streaming lists included.
func (w *Wire) Lists(resource string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lists[resource]
}

// Hold has the resource's watches deliver nothing any more, and new ones nothing
// at all, until Pass.
func (w *Wire) Hold(resource string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held[resource] = true
	for _, s := range w.of(resource) {
		s.limit(true)
	}
}

// PassArrived notes how much has arrived by now over watches that are held; the
// function that it gives has so much delivered, and goes on holding the rest.
func (w *Wire) PassArrived(resource string) func() {
	w.mu.Lock()
	defer w.mu.Unlock()
	marks := map[*stream]int{}
	for _, s := range w.of(resource) {
		marks[s] = s.arrived()
	}
	return func() {
		for s, n := range marks {
			s.passTo(n)
		}
	}
}

// Pass ends Hold.
func (w *Wire) Pass(resource string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held[resource] = false
	for _, s := range w.of(resource) {
		s.limit(false)
	}
}

// Arrived reports whether a text has come over a watch of the resource that is
// open, delivered or not.
func (w *Wire) Arrived(resource, text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.of(resource) {
		if s.has(text) {
			return true
		}
	}
	return false
}

// Expire cuts the resource's watches, and has the next one find its version
// expired, so that a list follows.
func (w *Wire) Expire(resource string) {
	w.mu.Lock()
	w.expired[resource]++
	open := w.of(resource)
	for _, s := range open {
		delete(w.streams, s)
	}
	w.mu.Unlock()
	for _, s := range open {
		s.end()
	}
}

// of are the open watches of a resource, or all. The lock is held.
func (w *Wire) of(resource string) []*stream {
	var out []*stream
	for s := range w.streams {
		if resource == "" || s.resource == resource {
			out = append(out, s)
		}
	}
	return out
}
