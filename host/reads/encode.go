package reads

import (
	"fmt"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/abi/wire"
	"github.com/loopdock/loopdock/informercache"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// encode puts objects into an answer in the encoding that the query wants.
func (r *Reader) encode(q *abi.Query, objects []*informercache.Object) abi.Answer {
	out := abi.Answer{Status: abi.AnswerStatusOK, Objects: make([]abi.Object, len(objects))}
	for i, o := range objects {
		encoded, err := r.Encode(GVKOf(q.Kind), q.Encoding, q.MetadataOnly, o)
		if err != nil {
			return failed(fmt.Errorf("cannot encode %s %s/%s: %w", q.Kind.Kind, o.Namespace(), o.Name(), err))
		}
		out.Objects[i] = encoded
	}
	return out
}

// Encode gives an object the form that a guest asked for.
func (r *Config) Encode(gvk schema.GroupVersionKind, want abi.Encoding, metadataOnly bool, o *informercache.Object) (abi.Object, error) {
	out := abi.Object{Body: o.Raw(), Encoding: abi.EncodingProtobuf, ObservedNS: r.Watches.Observed(gvk, o)}
	if o.Encoding() == informercache.JSON {
		out.Encoding = abi.EncodingJSON
	}
	switch {
	case want == abi.EncodingJSON && out.Encoding == abi.EncodingProtobuf:
		body, err := r.Transcoder.JSON(gvk, o)
		if err != nil {
			return abi.Object{}, err
		}
		out.Body, out.Encoding = body, abi.EncodingJSON
	case want == abi.EncodingProtobuf && out.Encoding == abi.EncodingJSON:
		return abi.Object{}, fmt.Errorf("the API server serves this kind as JSON only")
	case metadataOnly && out.Encoding == abi.EncodingProtobuf:
		metadata, _ := wire.Find(o.Raw(), 1)
		out.Body = wire.AppendRawBytes(nil, 1, metadata)
	}
	return out, nil
}
