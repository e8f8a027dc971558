package writer

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
)

// FencedError says that a write was not begun, since the fence was closed.
type FencedError struct{ Cause error }

// Error implements error.
func (e *FencedError) Error() string { return "cannot begin a write: " + e.Cause.Error() }

// Unwrap gives the cause.
func (e *FencedError) Unwrap() error { return e.Cause }

// flight is what is known of one write on its way.
type flight struct {
	// begun counts how often its body was begun to be sent: zero means that it
	// certainly was not performed.
	begun atomic.Int32
	// fenced is set where the fence stopped it.
	fenced atomic.Pointer[FencedError]
}

type flightKey struct{}

func withFlight(ctx context.Context) (context.Context, *flight) {
	f := &flight{}
	return context.WithValue(ctx, flightKey{}, f), f
}

// fencedTransport asks the fence before it lets a write through. It is the
// innermost of all wrappers, next to the connection.
type fencedTransport struct {
	next  http.RoundTripper
	fence Fence
}

// RoundTrip implements http.RoundTripper.
func (t *fencedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method == http.MethodGet || req.Method == http.MethodHead {
		return t.next.RoundTrip(req)
	}
	f, ok := req.Context().Value(flightKey{}).(*flight)
	if !ok {
		f = &flight{}
	}
	if err := t.fence.Allowed(); err != nil {
		if req.Body != nil {
			_ = req.Body.Close() // it holds nothing
		}
		f.fenced.Store(&FencedError{Cause: err})
		return nil, f.fenced.Load()
	}
	resp, err := t.next.RoundTrip(t.gated(req, f))
	if fenced := f.fenced.Load(); err != nil && fenced != nil {
		return resp, errors.Join(fenced, err)
	}
	return resp, err
}

// gated is the request with a body that asks the fence before its first byte:
// between the first check and then lie name resolution, dialling, and waiting for
// a free stream. A transport that sends the request again takes a fresh body.
func (t *fencedTransport) gated(req *http.Request, f *flight) *http.Request {
	if req.Body == nil {
		f.begun.Add(1)
		return req
	}
	out := *req
	out.Body = &gate{ReadCloser: req.Body, fence: t.fence, flight: f}
	if req.GetBody != nil {
		out.GetBody = func() (io.ReadCloser, error) {
			body, err := req.GetBody()
			if err != nil {
				return nil, err
			}
			return &gate{ReadCloser: body, fence: t.fence, flight: f}, nil
		}
	}
	return &out
}

// gate is a body that asks the fence before its first byte. Transports read a
// body from one goroutine.
type gate struct {
	io.ReadCloser
	fence  Fence
	flight *flight
	passed bool
}

// Read implements io.Reader.
func (g *gate) Read(p []byte) (int, error) {
	if !g.passed {
		if err := g.fence.Allowed(); err != nil {
			fenced := &FencedError{Cause: err}
			g.flight.fenced.Store(fenced)
			return 0, fenced
		}
		g.passed = true
		g.flight.begun.Add(1)
	}
	return g.ReadCloser.Read(p)
}
