package writer

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

var errClosed = errors.New("closed")

// counted is a fence that lets a number of questions pass.
type counted struct{ left atomic.Int32 }

func (c *counted) Allowed() error {
	if c.left.Add(-1) < 0 {
		return errClosed
	}
	return nil
}

func TestFencedTransport(t *testing.T) {
	cases := map[string]struct {
		reason  string
		method  string
		allowed int32
		refused bool
		bodies  int32 // that reached the server whole
	}{
		"open":                {"both questions are answered yes", http.MethodPost, 2, false, 1},
		"closed":              {"nothing is begun", http.MethodPost, 0, true, 0},
		"closed meanwhile":    {"it closes between dialling and the body", http.MethodPost, 1, true, 0},
		"a deletion":          {"is a write as well", http.MethodDelete, 1, true, 0},
		"reads are not asked": {"the fence is for writes", http.MethodGet, 0, false, 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var bodies atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if b, err := io.ReadAll(r.Body); err == nil && len(b) == 5 || r.Method == http.MethodGet {
					bodies.Add(1)
				}
			}))
			fence := &counted{}
			fence.left.Store(tc.allowed)
			ctx, f := withFlight(t.Context())
			req, err := http.NewRequestWithContext(ctx, tc.method, server.URL, bytes.NewReader([]byte("hello")))
			if err != nil {
				t.Fatal(err)
			}
			client := http.Client{Transport: &fencedTransport{next: server.Client().Transport, fence: fence}}
			resp, err := client.Do(req)
			if resp != nil {
				_ = resp.Body.Close()
			}
			var fenced *FencedError
			if errors.As(err, &fenced) != tc.refused || errors.Is(err, errClosed) != tc.refused {
				t.Errorf("%s: error %v", tc.reason, err)
			}
			server.Close()
			if bodies.Load() != tc.bodies {
				t.Errorf("%s: %d bodies arrived, want %d", tc.reason, bodies.Load(), tc.bodies)
			}
			if tc.refused && (f.begun.Load() != 0 || lost(f, err)) {
				t.Errorf("%s: counts as begun", tc.reason)
			}
		})
	}
}
