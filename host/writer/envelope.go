package writer

import (
	"bytes"
	"errors"
	"mime"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/abi/wire"
)

// Media types of the API server.
const (
	typeJSON     = "application/json"
	typeProtobuf = "application/vnd.kubernetes.protobuf"
)

// magic begins every protobuf message of the API server. What follows is a
// runtime.Unknown.
var magic = []byte("k8s\x00")

// Fields of runtime.Unknown and of the TypeMeta in it.
const (
	unknownTypeMeta = 1
	unknownRaw      = 2
	typeAPIVersion  = 1
	typeKind        = 2
)

var errEnvelope = errors.New("the answer is not in the API server's protobuf envelope")

// wrap puts a bare message into the envelope.
func wrap(kind abi.Kind, body []byte) []byte {
	out := make([]byte, 0, len(magic)+len(body)+len(kind.APIVersion)+len(kind.Kind)+16)
	out = append(out, magic...)
	out = wire.AppendMessage(out, unknownTypeMeta, func(b []byte) []byte {
		b = wire.AppendString(b, typeAPIVersion, kind.APIVersion)
		return wire.AppendString(b, typeKind, kind.Kind)
	})
	return wire.AppendRawBytes(out, unknownRaw, body)
}

// unwrap takes a message out of the envelope: a view.
func unwrap(b []byte) (kind string, body []byte, err error) {
	rest, ok := bytes.CutPrefix(b, magic)
	if !ok {
		return "", nil, errEnvelope
	}
	if err := wire.Valid(rest); err != nil {
		return "", nil, err
	}
	typeMeta, _ := wire.Find(rest, unknownTypeMeta)
	name, _ := wire.Find(typeMeta, typeKind)
	body, _ = wire.Find(rest, unknownRaw)
	return string(name), body, nil
}

// isProtobuf reports whether a content type is the API server's protobuf.
func isProtobuf(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && media == typeProtobuf
}

// encodingOf is the encoding of a body: as said, or else by its first byte. A
// message that begins with a brace would be one of field 15 as a group, which
// no object has.
func encodingOf(said abi.Encoding, body []byte) abi.Encoding {
	if said != abi.EncodingDefault {
		return said
	}
	if len(body) > 0 && body[0] == '{' {
		return abi.EncodingJSON
	}
	return abi.EncodingProtobuf
}
