package hosttest

import (
	"encoding/binary"

	"github.com/loopdock/loopdock/abi"
)

// Where a static module keeps things in its memory.
const (
	manifestAt = 1 << 10
	responseAt = 1 << 19
	requestAt  = 1 << 20
	pages      = 64
)

// Static is a module that describes itself by the manifest and gives every
// reconcile the same answer. It compiles in no time.
func Static(m *abi.Manifest, r *abi.Response) []byte {
	manifest, response := m.Append(nil), r.Append(nil)
	i32, i64 := byte(0x7f), byte(0x7e)
	signature := func(in []byte, out ...byte) []byte { return join([]byte{0x60}, vector(in), vector(out)) }
	export := func(name string, kind, index byte) []byte { return join(vector([]byte(name)), []byte{kind, index}) }
	body := func(code ...byte) []byte { return vector(join([]byte{0}, code, []byte{0x0b})) }
	span := func(at int, b []byte) []byte { return join([]byte{0x42}, signed(int64(at)<<32|int64(len(b)))) }
	data := func(at int, b []byte) []byte {
		return join([]byte{0, 0x41}, signed(int64(at)), []byte{0x0b}, vector(b))
	}
	return join(
		[]byte("\x00asm\x01\x00\x00\x00"),
		section(1, signature(nil), signature([]byte{i32}, i32), signature(nil, i64), signature([]byte{i32, i32}, i64)),
		section(3, []byte{0}, []byte{1}, []byte{2}, []byte{3}),
		section(5, join([]byte{0}, unsigned(pages))),
		section(7,
			export(abi.ExportMemory, 2, 0), export(abi.ExportMarker, 0, 0), export(abi.ExportAlloc, 0, 1),
			export(abi.ExportDescribe, 0, 2), export(abi.ExportReconcile, 0, 3)),
		section(10, body(), body(join([]byte{0x41}, signed(requestAt))...), body(span(manifestAt, manifest)...), body(span(responseAt, response)...)),
		section(11, data(manifestAt, manifest), data(responseAt, response)),
	)
}

// section is a section of a module: a vector of items that are encoded already.
func section(id byte, items ...[]byte) []byte {
	return join([]byte{id}, vector(join(unsigned(len(items)), join(items...))))
}

func vector(b []byte) []byte { return join(unsigned(len(b)), b) }

func unsigned(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) } //nolint:gosec // lengths

// signed is a number in signed LEB128.
func signed(n int64) []byte {
	var out []byte
	for {
		b := byte(n & 0x7f)
		n >>= 7
		if n == 0 && b&0x40 == 0 || n == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}

func join(parts ...[]byte) []byte {
	var out []byte
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// Marker is a controller of a name and a primary kind that applies one ConfigMap,
// of its own name, whenever a key runs.
func Marker(name string, kind *abi.Kind, namespace string) []byte {
	configMap := &abi.Kind{APIVersion: "v1", Kind: "ConfigMap"}
	body := []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"` + name + `"}}`)
	return Static(
		&abi.Manifest{Name: name, Version: "v1", Controllers: []abi.Controller{{
			Name: name, Primary: &abi.PrimaryKeys{Kind: kind}, Access: []abi.Access{{Kind: configMap, Verbs: []string{"patch"}}},
		}}},
		&abi.Response{Batches: []abi.Batch{{Actions: []abi.Action{
			{Verb: abi.VerbApply, Kind: configMap, Namespace: namespace, Name: name, Body: body, Encoding: abi.EncodingJSON, Force: true},
		}}}},
	)
}
