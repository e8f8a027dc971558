package sdk

import (
	"strconv"

	"github.com/loopdock/loopdock/abi"
)

// Debug logs a message with pairs of names and values. The host adds the
// controller and the key.
func (r *Reconcile) Debug(message string, pairs ...any) { logLine(abi.LevelDebug, message, pairs) }

// Info is Debug at another level.
func (r *Reconcile) Info(message string, pairs ...any) { logLine(abi.LevelInfo, message, pairs) }

// Warn is Debug at another level.
func (r *Reconcile) Warn(message string, pairs ...any) { logLine(abi.LevelWarn, message, pairs) }

// Error is Debug at another level. An error that the reconcile returns is
// logged by the host.
func (r *Reconcile) Error(message string, pairs ...any) { logLine(abi.LevelError, message, pairs) }

func logLine(level int32, message string, pairs []any) {
	memory.line = append(memory.line[:0], message...)
	for i := 0; i < len(pairs); i += 2 {
		memory.line = append(memory.line, ' ')
		memory.line = appendValue(memory.line, pairs[i])
		if i+1 < len(pairs) {
			memory.line = append(memory.line, '=')
			memory.line = appendValue(memory.line, pairs[i+1])
		}
	}
	hostLog(level, memory.line)
}

// appendValue writes a value as log lines show it. Types that it does not know
// have to say themselves what they are, by Error or String.
func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "nil"...)
	case string:
		return appendText(b, v)
	case []byte:
		return appendText(b, string(v))
	case bool:
		return strconv.AppendBool(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case int32:
		return strconv.AppendInt(b, int64(v), 10)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case uint32:
		return strconv.AppendUint(b, uint64(v), 10)
	case uint64:
		return strconv.AppendUint(b, v, 10)
	case float64:
		return strconv.AppendFloat(b, v, 'g', -1, 64)
	case error:
		return appendText(b, v.Error())
	case interface{ String() string }:
		return appendText(b, v.String())
	}
	return append(b, '?')
}

// appendText quotes only what a reader of key=value pairs could misread.
func appendText(b []byte, s string) []byte {
	for _, c := range s {
		if c <= ' ' || c == '=' || c == '"' || c == 0x7f {
			return strconv.AppendQuote(b, s)
		}
	}
	if s == "" {
		return append(b, `""`...)
	}
	return append(b, s...)
}
