package informercache

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/loopdock/loopdock/abi/wire"
)

// envelope is what precedes a runtime.Unknown in protobuf.
var envelope = []byte("k8s\x00")

var errTable = errors.New("the server sent a table")

// codec hands client-go's REST client our decoder for bodies, and leaves the
// framing of watches, and everything that is not an object, to client-go.
type codec struct {
	runtime.NegotiatedSerializer
	list bool // bodies are lists; otherwise objects
	in   *interner
	see  func(Encoding, error) // told of each body; may be nil
}

func newCodec(list bool, in *interner, see func(Encoding, error)) codec {
	return codec{NegotiatedSerializer: scheme.Codecs.WithoutConversion(), list: list, in: in, see: see}
}

// DecoderToVersion implements runtime.NegotiatedSerializer.
func (c codec) DecoderToVersion(usual runtime.Decoder, _ runtime.GroupVersioner) runtime.Decoder {
	return &decoder{codec: c, usual: usual}
}

// decoder turns bodies into items. It is safe for several goroutines.
type decoder struct {
	codec
	usual runtime.Decoder
}

// Decode implements runtime.Decoder.
func (d *decoder) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	b, err := openBody(data)
	if err == nil && b.apiVersion == "v1" && b.kind == "Status" {
		return d.usual.Decode(data, defaults, into)
	}
	var obj runtime.Object
	switch {
	case err != nil:
	case b.kind == "Table":
		err = errTable
	case d.list:
		obj, err = readList(b, d.in)
	default:
		obj, err = readItem(b, d.in)
	}
	if d.see != nil {
		d.see(b.encoding, err)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("cannot decode %s %s: %w", b.apiVersion, b.kind, err)
	}
	gvk := schema.FromAPIVersionAndKind(b.apiVersion, b.kind)
	return obj, &gvk, nil
}

// body is a message with its type read off.
type body struct {
	encoding         Encoding
	apiVersion, kind string
	raw              []byte
}

func openBody(data []byte) (body, error) {
	if !bytes.HasPrefix(data, envelope) {
		b := body{encoding: JSON, raw: data}
		if !json.Valid(data) {
			return b, errJSON
		}
		b.apiVersion, b.kind = jsonString(data, "apiVersion"), jsonString(data, "kind")
		return b, nil
	}
	b := body{encoding: Protobuf}
	r := wire.NewReader(data[len(envelope):])
	for r.Next() {
		switch r.Field() {
		case 1:
			for t := wire.NewReader(r.Bytes()); t.Next(); {
				switch t.Field() {
				case 1:
					b.apiVersion = t.String()
				case 2:
					b.kind = t.String()
				}
			}
		case 2:
			b.raw = r.Bytes()
		}
	}
	return b, r.Err()
}

// readItem turns a message into an object of its own memory.
func readItem(b body, in *interner) (*item, error) {
	trim := trimProto
	if b.encoding == JSON {
		trim = trimJSON
	}
	raw, meta, err := trim(b.raw)
	if err != nil {
		return nil, err
	}
	i := &item{obj: &Object{raw: raw, encoding: b.encoding}}
	i.listEnd, err = readMeta(i.obj, meta, in)
	return i, err
}

func readList(b body, in *interner) (*itemList, error) {
	if b.encoding == JSON {
		return readJSONList(b, in)
	}
	l := &itemList{}
	r := wire.NewReader(b.raw)
	for r.Next() {
		switch r.Field() {
		case fieldObjectMeta:
			if err := l.Unmarshal(r.Bytes()); err != nil {
				return nil, fmt.Errorf("cannot read list metadata: %w", err)
			}
		case fieldItems:
			i, err := readItem(body{encoding: Protobuf, raw: r.Bytes()}, in)
			if err != nil {
				return nil, fmt.Errorf("cannot read item %d: %w", len(l.Items), err)
			}
			l.Items = append(l.Items, i)
		}
	}
	return l, r.Err()
}

func readJSONList(b body, in *interner) (*itemList, error) {
	l := &itemList{}
	if meta := jsonMember(b.raw, "metadata"); meta != nil {
		if err := json.Unmarshal(meta, &l.ListMeta); err != nil {
			return nil, fmt.Errorf("cannot read list metadata: %w", err)
		}
	}
	items := jsonMember(b.raw, "items")
	if len(items) == 0 || items[0] != '[' { // absent or null: an empty list
		return l, nil
	}
	var failure error
	err := jsonMembers(items, 0, func(s jsonSpan) bool {
		doc := withType(items[s.value:s.end], b)
		i, err := readItem(body{encoding: JSON, raw: doc}, in)
		if err != nil {
			failure = fmt.Errorf("cannot read item %d: %w", len(l.Items), err)
			return false
		}
		l.Items = append(l.Items, i)
		return true
	})
	return l, errors.Join(failure, err)
}

// withType gives an item of a list the type that lists of built-in kinds leave
// out, so that an object looks the same whichever way it came.
func withType(doc []byte, list body) []byte {
	kind, isList := bytes.CutSuffix([]byte(list.kind), []byte("List"))
	if !isList || len(doc) < 2 || doc[0] != '{' || jsonMember(doc, "kind") != nil {
		return doc
	}
	head, err := json.Marshal(metav1.TypeMeta{Kind: string(kind), APIVersion: list.apiVersion})
	if err != nil {
		return doc
	}
	head[len(head)-1] = ','
	return append(head, doc[1:]...)
}
