package telemetry_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/loopdock/loopdock/host/telemetry"
)

// config serves all that there is, and is well.
func config() telemetry.Config {
	reg := prometheus.NewRegistry()
	c := prometheus.NewCounter(prometheus.CounterOpts{Name: "loopdock_test_total", Help: "Counts."})
	reg.MustRegister(c)
	c.Inc()
	well := func() error { return nil }
	return telemetry.Config{
		Address:  "127.0.0.1:0",
		Gatherer: reg,
		Healthy:  well,
		Ready:    well,
		Status:   func() any { return map[string]int{"modules": 2} },
		Logger:   slog.New(slog.DiscardHandler),
	}
}

// serve runs a server until the test ends, and checks that it ends well.
func serve(t *testing.T, cfg telemetry.Config) *telemetry.Server {
	t.Helper()
	s, err := telemetry.Listen(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }() // waited for by the cleanup
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s
}

func get(t *testing.T, s *telemetry.Server, method, path string) (int, string, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+s.Address()+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body), resp.Header
}

func TestServes(t *testing.T) {
	ill := func() error { return errors.New("the cache of Pods is not filled") }
	cases := map[string]struct {
		reason       string
		change       func(*telemetry.Config)
		method, path string
		status       int
		body         string
	}{
		"healthy":     {"well", nil, "GET", "/healthz", 200, "ok\n"},
		"ready":       {"well", nil, "GET", "/readyz", 200, "ok\n"},
		"not healthy": {"the answer says why", func(c *telemetry.Config) { c.Healthy = ill }, "GET", "/healthz", 503, "the cache of Pods is not filled\n"},
		"not ready":   {"the answer says why", func(c *telemetry.Config) { c.Ready = ill }, "GET", "/readyz", 503, "the cache of Pods is not filled\n"},
		"alive":       {"not ready is no reason to be restarted", func(c *telemetry.Config) { c.Ready = ill }, "GET", "/healthz", 200, "ok\n"},
		"status":      {"indented, for people", nil, "GET", "/status", 200, "{\n  \"modules\": 2\n}\n"},
		"metrics":     {"what is registered", nil, "GET", "/metrics", 200, "# HELP loopdock_test_total Counts.\n# TYPE loopdock_test_total counter\nloopdock_test_total 1\n"},
		"nothing":     {"there is nothing else", nil, "GET", "/", 404, "404 page not found\n"},
		"no pprof":    {"profiles show what is in memory", nil, "GET", "/debug/pprof/cmdline", 404, "404 page not found\n"},
		"post":        {"nothing can be changed here", nil, "POST", "/status", 405, "Method Not Allowed\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			cfg := config()
			if tc.change != nil {
				tc.change(&cfg)
			}
			status, body, _ := get(t, serve(t, cfg), tc.method, tc.path)
			if diff := cmp.Diff(tc.body, body); status != tc.status || diff != "" {
				t.Errorf("%s: %d\n%s", tc.reason, status, diff)
			}
		})
	}
}

func TestStatusIsJSON(t *testing.T) {
	if _, _, h := get(t, serve(t, config()), "GET", "/status"); h.Get("Content-Type") != "application/json" {
		t.Errorf("it is %q", h.Get("Content-Type"))
	}
}

// TestPprof: profiles, where they were asked for.
func TestPprof(t *testing.T) {
	cfg := config()
	cfg.Pprof = true
	s := serve(t, cfg)
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/cmdline", "/debug/pprof/symbol"} {
		if status, _, _ := get(t, s, "GET", path); status != http.StatusOK {
			t.Errorf("%s gives %d", path, status)
		}
	}
}

// TestAddressInUse is known before anything runs.
func TestAddressInUse(t *testing.T) {
	cfg := config()
	cfg.Address = serve(t, cfg).Address()
	_, err := telemetry.Listen(t.Context(), cfg)
	want := "cannot serve metrics on " + cfg.Address + ": bind: address already in use"
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}

func TestAddressIsWrong(t *testing.T) {
	cfg := config()
	cfg.Address = "127.0.0.1"
	_, err := telemetry.Listen(t.Context(), cfg)
	if err == nil || !strings.HasPrefix(err.Error(), "cannot serve metrics on 127.0.0.1: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}

// TestRunEnds with its context, and gives the address back.
func TestRunEnds(t *testing.T) {
	s, err := telemetry.Listen(t.Context(), config())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }() // read below
	if status, _, _ := get(t, s, "GET", "/healthz"); status != http.StatusOK {
		t.Errorf("status %d", status)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	cfg := config()
	cfg.Address = s.Address()
	serve(t, cfg)
}
