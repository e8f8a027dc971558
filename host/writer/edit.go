package writer

import (
	"encoding/json"
	"errors"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/abi/wire"
)

// edit is metadata to set in an object. What is empty stays as it is.
type edit struct{ name, uid, resourceVersion string }

// object sets metadata in a bare object.
func (e edit) object(encoding abi.Encoding, body []byte) ([]byte, error) {
	switch {
	case e == edit{}:
		return body, nil
	case encoding == abi.EncodingJSON:
		return e.json(body)
	}
	return e.protobuf(body)
}

// protobuf rewrites field 1. If there are several they are put together, which
// is what protobuf takes them for.
func (e edit) protobuf(body []byte) ([]byte, error) {
	var metas [][]byte
	rest := make([]byte, 0, len(body))
	r := wire.NewReader(body)
	for r.Next() {
		if r.Field() == objectMeta {
			metas = append(metas, r.Bytes())
		} else {
			rest = append(rest, r.Raw()...)
		}
	}
	if r.Err() != nil {
		return nil, r.Err()
	}
	set := map[int]string{metaName: e.name, metaUID: e.uid, metaResourceVersion: e.resourceVersion}
	var out []byte
	m := wire.NewReader(slices.Concat(metas...))
	for m.Next() {
		if set[m.Field()] == "" {
			out = append(out, m.Raw()...)
		}
	}
	for _, field := range []int{metaName, metaUID, metaResourceVersion} {
		out = wire.AppendString(out, field, set[field])
	}
	return append(wire.AppendRawBytes(make([]byte, 0, len(out)+len(rest)+8), objectMeta, out), rest...), m.Err()
}

// json sets metadata and leaves the bytes of all else as they are.
func (e edit) json(body []byte) ([]byte, error) {
	var object, metadata map[string]json.RawMessage
	if err := json.Unmarshal(body, &object); err != nil {
		return nil, err
	}
	if object == nil {
		return nil, errors.New("the object is null")
	}
	if raw, ok := object["metadata"]; ok {
		if err := json.Unmarshal(raw, &metadata); err != nil {
			return nil, err
		}
	}
	if metadata == nil {
		metadata = map[string]json.RawMessage{}
	}
	for field, v := range map[string]string{"name": e.name, "uid": e.uid, "resourceVersion": e.resourceVersion} {
		if v != "" {
			metadata[field] = quote(v)
		}
	}
	raw, err := json.Marshal(metadata)
	if err != nil {
		return nil, err
	}
	object["metadata"] = raw
	return json.Marshal(object)
}

// patch sets preconditions in a patch: the API server refuses a patch whose
// result has another UID or version than the object.
func (e edit) patch(t abi.PatchType, body []byte) ([]byte, error) {
	if (e == edit{}) {
		return body, nil
	}
	if t != abi.PatchTypeJSON {
		if len(body) > 0 && body[0] != '{' { // apply takes YAML as well
			var err error
			if body, err = yaml.YAMLToJSON(body); err != nil {
				return nil, err
			}
		}
		return e.json(body)
	}
	var ops []json.RawMessage
	if err := json.Unmarshal(body, &ops); err != nil {
		return nil, err
	}
	if e.resourceVersion != "" {
		ops = slices.Insert(ops, 0, add("/metadata/resourceVersion", e.resourceVersion))
	}
	if e.uid != "" {
		ops = slices.Insert(ops, 0, add("/metadata/uid", e.uid))
	}
	return json.Marshal(ops)
}

func add(path, value string) json.RawMessage {
	return json.RawMessage(`{"op":"add","path":"` + path + `","value":` + string(quote(value)) + `}`)
}

// quote is a string as JSON.
func quote(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil { // strings always encode
		return json.RawMessage(`""`)
	}
	return b
}
