package informercache

import (
	"fmt"
	"slices"

	"github.com/loopdock/loopdock/abi/wire"
)

// trimProto copies an object's message without managedFields into memory of
// exactly that size. It returns the copy and the metadata within it.
func trimProto(msg []byte) (trimmed, meta []byte, err error) {
	cut, err := managedSize(msg)
	if err != nil {
		return nil, nil, err
	}
	out := make([]byte, 0, len(msg)-cut)
	r := wire.NewReader(msg)
	for r.Next() {
		if r.Field() != fieldObjectMeta || r.Type() != wire.Bytes {
			out = append(out, r.Raw()...)
			continue
		}
		out = wire.AppendVarint(wire.AppendTag(out, fieldObjectMeta, wire.Bytes), uint64(keptSize(r.Bytes()))) //nolint:gosec // a length
		start := len(out)
		for m := wire.NewReader(r.Bytes()); m.Next(); {
			if m.Field() != metaManagedFields {
				out = append(out, m.Raw()...)
			}
		}
		meta = out[start:len(out):len(out)]
	}
	return slices.Clip(out), meta, nil
}

// managedSize checks the message down to the metadata's fields, and returns by
// how much it shrinks without managedFields. More than one metadata field is
// refused: decoders would merge them, and no server sends it.
func managedSize(msg []byte) (int, error) {
	total, seen := 0, false
	r := wire.NewReader(msg)
	for r.Next() {
		if r.Field() != fieldObjectMeta {
			continue
		}
		meta := r.Bytes()
		if err := wire.Valid(meta); err != nil {
			return 0, fmt.Errorf("cannot read metadata: %w", err)
		}
		if seen {
			return 0, fmt.Errorf("cannot read object: %w", errTwoMetas)
		}
		seen = true
		kept := keptSize(meta)
		header := len(r.Raw()) - len(meta)
		total += header + len(meta) - 1 - wire.SizeVarint(uint64(kept)) - kept //nolint:gosec // a length
	}
	if r.Err() != nil {
		return 0, fmt.Errorf("cannot read object: %w", r.Err())
	}
	return total, nil
}

// keptSize is the size of the metadata without managedFields.
func keptSize(meta []byte) int {
	n := 0
	for r := wire.NewReader(meta); r.Next(); {
		if r.Field() != metaManagedFields {
			n += len(r.Raw())
		}
	}
	return n
}

const errTwoMetas = wire.Error("two metadata fields")
