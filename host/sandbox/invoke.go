package sandbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"
)

// invoke calls an export, and gives its result if it has one.
func (i *instance) invoke(ctx context.Context, export string, f api.Function, c *call, params ...uint64) (uint64, error) {
	copy(i.stack[:], params)
	err := f.CallWithStack(ctx, i.stack[:])
	i.world.flush()
	if err != nil {
		return 0, i.trap(export, err, c)
	}
	return i.stack[0], nil
}

// result finds the bytes that a packed pointer and length name.
func (i *instance) result(packed uint64) ([]byte, error) {
	at, n := uint32(packed>>32), i32(packed)
	if limit := i.module.runtime.cfg.Limits.ResponseBytes; int64(n) > limit {
		return nil, &LimitError{Limit: "response bytes", Value: limit, Asked: int64(n)}
	}
	b, ok := i.wasm.Memory().Read(at, n)
	if !ok {
		return nil, fmt.Errorf("it answered with %d bytes at %d, which is outside its memory", n, at)
	}
	return b, nil
}

// trap says what ended a call. What the host itself could not do, or gave up, is
// not blamed on the guest.
func (i *instance) trap(export string, err error, c *call) error {
	if host := (*hostError)(nil); errors.As(err, &host) {
		return host
	}
	if exit := (*sys.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("it exited with code %d", exit.ExitCode())
	}
	if i.outOfStack() {
		err = &LimitError{Limit: "bytes of stack", Value: i.module.runtime.cfg.Limits.StackBytes}
	}
	return &TrapError{Module: i.module.name, Export: export, Cause: err, LastLines: c.lines, said: c.said()}
}
