package writer

import (
	"context"
	"fmt"

	"github.com/loopdock/loopdock/abi"
)

// Writer performs the actions of one controller.
type Writer struct {
	cfg     Config
	client  *client
	metrics *metrics
	suffix  func() string
}

// New checks a configuration. It asks the API server nothing.
func New(cfg Config) (*Writer, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	c, err := newClient(&cfg)
	if err != nil {
		return nil, fmt.Errorf("cannot set up the writer of controller %q: %w", cfg.Controller, err)
	}
	m, err := newMetrics(cfg.Registerer, cfg.Controller)
	if err != nil {
		return nil, err
	}
	return &Writer{cfg: cfg, client: c, metrics: m, suffix: randomSuffix}, nil
}

// Perform performs the batches of one answer in order, for the key of owner. It
// returns an error if ctx has ended before the first action; whatever comes of
// actions is in the report.
func (w *Writer) Perform(ctx context.Context, owner Owner, batches []abi.Batch) (Report, error) {
	if err := ctx.Err(); err != nil {
		return Report{}, fmt.Errorf("cannot perform the actions: %w", err)
	}
	r := newRun(w, owner, batches)
	r.perform(ctx, batches)
	return r.report(), nil
}
