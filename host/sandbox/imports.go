package sandbox

import (
	"context"
	"errors"
	"math"

	"github.com/tetratelabs/wazero/api"

	"github.com/loopdock/loopdock/abi"
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
//   - An error that wraps ErrMalformed, ErrReadLimit or an *abi.FieldError (which
//     says where the queries don't decode) is told to the guest; any other ends
//     the call.
type Reader interface {
	Read(ctx context.Context, queries []byte) ([]byte, error)
}

// Logger takes the lines that a guest logs; the level is one of abi's.
type Logger func(level int32, message string)

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
		switch field := (*abi.FieldError)(nil); {
		case errors.Is(err, ErrMalformed), errors.As(err, &field):
			return abi.ReadMalformed
		case errors.Is(err, ErrReadLimit):
			return abi.ReadLimit
		case err != nil:
			panic(&hostError{"read", err}) // wazero turns it into the call's error
		case len(a) > math.MaxInt32:
			panic(&hostError{"read", &LimitError{Limit: "answer bytes", Value: math.MaxInt32, Asked: int64(len(a))}})
		}
		if c.answers == nil {
			c.answers = map[string][]byte{}
		}
		c.answers[string(q)], answer = a, a
	}
	if len(answer) <= len(to) {
		c.tank.spend(len(answer))
		copy(to, answer)
	}
	return int32(len(answer)) //nolint:gosec // checked above
}

// logImport is log(level, message, message_len).
func logImport(ctx context.Context, m api.Module, stack []uint64) {
	c := callOf(ctx)
	b, ok := m.Memory().Read(i32(stack[1]), i32(stack[2]))
	if c == nil || !ok {
		return
	}
	c.tank.spend(len(b))
	c.line(api.DecodeI32(stack[0]), b)
}
