package sandbox

import (
	"context"
	"errors"
	"math"

	"github.com/loopdock/loopdock/abi"
	"github.com/tetratelabs/wazero/api"
)

const importModule = abi.ImportModule

// imports are the functions of the ABI's import module, in its order.
var imports = []struct {
	name            string
	function        api.GoModuleFunc
	params, results []api.ValueType
}{
	{abi.ImportRead, readImport, []api.ValueType{api.ValueTypeI32, api.ValueTypeI32, api.ValueTypeI32, api.ValueTypeI32}, []api.ValueType{api.ValueTypeI32}},
	{abi.ImportLog, logImport, []api.ValueType{api.ValueTypeI32, api.ValueTypeI32, api.ValueTypeI32}, nil},
}

// Reader answers a guest's queries.
//
// # Notes
//
//   - Read is called on the goroutine that called the guest, inside the call.
//   - queries is a view into linear memory, good until Read returns.
//   - The sandbox keeps what Read returns until the reconcile ends.
//   - An error that wraps ErrMalformed or ErrReadLimit is told to the guest; any
//     other ends the call.
type Reader interface {
	Read(ctx context.Context, queries []byte) ([]byte, error)
}

// Logger takes the lines that a guest logs; the level is one of abi's.
type Logger func(level int32, message string)

// call is what host functions need to know of the call that they are made in.
type call struct {
	reader  Reader // nil outside of reconcile
	log     Logger
	answers map[string][]byte // by queries: the same question has the same answer
	lines   []string          // the last lines logged
	max     int               // the longest line
}

// keptLines is how many lines a TrapError shows.
const keptLines = 10

type callKey struct{}

func (c *call) in(ctx context.Context) context.Context { return context.WithValue(ctx, callKey{}, c) }

func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call) //nolint:errcheck // nil is a call that knows nothing
	return c
}

// readImport is read(queries, queries_len, buffer, buffer_len) -> i32.
func readImport(ctx context.Context, m api.Module, stack []uint64) {
	stack[0] = api.EncodeI32(read(ctx, m.Memory(), i32(stack[0]), i32(stack[1]), i32(stack[2]), i32(stack[3])))
}

func read(ctx context.Context, memory api.Memory, queries, queriesLen, buffer, bufferLen uint32) int32 {
	c := callOf(ctx)
	if c == nil || c.reader == nil {
		return abi.ReadNotReconciling
	}
	q, ok := memory.Read(queries, queriesLen)
	if !ok {
		return abi.ReadBadPointer
	}
	to, ok := memory.Read(buffer, bufferLen)
	if !ok {
		return abi.ReadBadPointer
	}
	answer, known := c.answers[string(q)]
	if !known {
		a, err := c.reader.Read(ctx, q)
		switch {
		case errors.Is(err, ErrMalformed):
			return abi.ReadMalformed
		case errors.Is(err, ErrReadLimit):
			return abi.ReadLimit
		case err != nil:
			panic(&readError{err}) // wazero turns it into the call's error
		case len(a) > math.MaxInt32:
			panic(&readError{&LimitError{Limit: "answer bytes", Value: math.MaxInt32, Asked: int64(len(a))}})
		}
		if c.answers == nil {
			c.answers = map[string][]byte{}
		}
		c.answers[string(q)], answer = a, a
	}
	if len(answer) <= len(to) {
		copy(to, answer)
	}
	return int32(len(answer)) //nolint:gosec // checked above
}

// readError carries a reader's failure through wazero.
type readError struct{ cause error }

func (e *readError) Error() string { return "the host could not read: " + e.cause.Error() }
func (e *readError) Unwrap() error { return e.cause }

// logImport is log(level, message, message_len).
func logImport(ctx context.Context, m api.Module, stack []uint64) {
	c := callOf(ctx)
	b, ok := m.Memory().Read(i32(stack[1]), i32(stack[2]))
	if c == nil || !ok {
		return
	}
	c.line(api.DecodeI32(stack[0]), b)
}

// line passes a log line on, cut to its limit.
func (c *call) line(level int32, b []byte) {
	if len(b) > c.max {
		b = append(b[:c.max:c.max], "..."...)
	}
	text := string(b)
	if len(c.lines) == keptLines {
		c.lines = c.lines[1:]
	}
	c.lines = append(c.lines, text)
	if c.log != nil {
		c.log(level, text)
	}
}
