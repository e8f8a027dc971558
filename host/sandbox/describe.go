package sandbox

import (
	"bytes"
	"context"

	"github.com/loopdock/loopdock/abi"
)

// describe asks a first instance for the manifest.
func (m *Module) describe(ctx context.Context) (*abi.Manifest, error) {
	i, c, err := m.newInstance(ctx)
	if err != nil {
		return nil, err
	}
	defer i.close(ctx)
	ctx, cancel := m.runtime.cfg.Limits.timed(ctx)
	defer cancel()
	c.tank = newTank(m.runtime.cfg.Limits.Fuel)
	i.fill(c)
	return i.describe(c.in(ctx), c)
}

func (i *instance) describe(ctx context.Context, c *call) (*abi.Manifest, error) {
	out, err := i.invoke(ctx, abi.ExportDescribe, i.wasm.ExportedFunction(abi.ExportDescribe), c)
	if err != nil {
		return nil, err
	}
	b, err := i.result(out)
	if err != nil {
		return nil, i.trap(abi.ExportDescribe, err, c)
	}
	m := new(abi.Manifest)
	if err := m.Decode(bytes.Clone(b)); err != nil {
		return nil, i.trap(abi.ExportDescribe, err, c)
	}
	return m, nil
}
