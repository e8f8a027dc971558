package telemetry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Config says what to serve.
type Config struct {
	// Address to listen on, "127.0.0.1:8080". Port 0 takes a free one.
	Address  string
	Gatherer prometheus.Gatherer
	// Pprof adds /debug/pprof.
	Pprof bool
	// Healthy and Ready give nil, or what is wrong.
	Healthy, Ready func() error
	// Status gives what /status shows as JSON.
	Status func() any
	Logger *slog.Logger
}

// Server serves one Config.
type Server struct {
	cfg      Config
	listener net.Listener
}

// Listen takes the address, so that a port in use is known before anything runs.
func Listen(ctx context.Context, cfg Config) (*Server, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", cfg.Address)
	if err != nil {
		return nil, fmt.Errorf("cannot serve metrics on %s: %w", cfg.Address, cause(err))
	}
	return &Server{cfg: cfg, listener: l}, nil
}

func cause(err error) error {
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		return op.Err
	}
	return err
}

// Address is where the server listens.
func (s *Server) Address() string { return s.listener.Addr().String() }

// Run serves until ctx ends.
func (s *Server) Run(ctx context.Context) error {
	server := &http.Server{Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- server.Serve(s.listener) }() // waited for below
	select {
	case err := <-done:
		return fmt.Errorf("cannot serve metrics on %s: %w", s.cfg.Address, err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		s.cfg.Logger.Warn("metrics server did not stop in time", "err", err.Error())
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("cannot serve metrics on %s: %w", s.cfg.Address, err)
	}
	return nil
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.cfg.Gatherer, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", check(s.cfg.Healthy))
	mux.HandleFunc("GET /readyz", check(s.cfg.Ready))
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		if err := e.Encode(s.cfg.Status()); err != nil {
			s.cfg.Logger.Warn("cannot write the status", "err", err.Error())
		}
	})
	if s.cfg.Pprof {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	}
	return mux
}

func check(f func() error) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if err := f(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	}
}
