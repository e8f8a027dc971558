package reads

import (
	"encoding/json"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/abi/wire"
	"github.com/loopdock/loopdock/informercache"
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
		if r.Watches.Wild() {
			out.Objects[i].Kind = q.Kind
		}
	}
	return out
}

// Encode gives an object the form that a guest asked for.
func (r *Config) Encode(gvk schema.GroupVersionKind, want abi.Encoding, metadataOnly bool, o *informercache.Object) (abi.Object, error) {
	observed := r.Watches.Observed(gvk, o)
	if alone := r.Watches.metadataOnly(gvk); metadataOnly || alone {
		var err error
		switch {
		case o.Encoding() == informercache.JSON && (want == abi.EncodingProtobuf || r.Watches.wild.of(gvk) != nil):
			o, err = protobufMetadata(o)
		case !alone: // else nothing else is there
			o, err = metadataOf(o)
		}
		if err != nil {
			return abi.Object{}, err
		}
		gvk = partialMetadata
	}
	out := abi.Object{Body: o.Raw(), Encoding: abi.EncodingProtobuf, ObservedNS: observed}
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
		return abi.Object{}, errors.New("the API server serves this kind as JSON only")
	}
	return out, nil
}

var partialMetadata = metav1.SchemeGroupVersion.WithKind("PartialObjectMetadata")

// metadataOf cuts all of an object away but its metadata.
func metadataOf(o *informercache.Object) (*informercache.Object, error) {
	if o.Encoding() == informercache.Protobuf {
		metadata, _ := wire.Find(o.Raw(), 1)
		return informercache.Parse(wire.AppendRawBytes(nil, 1, metadata), informercache.Protobuf)
	}
	in := struct {
		Kind       string          `json:"kind"`
		APIVersion string          `json:"apiVersion"`
		Metadata   json.RawMessage `json:"metadata"`
	}{}
	if err := json.Unmarshal(o.Raw(), &in); err != nil {
		return nil, err
	}
	in.Kind, in.APIVersion = partialMetadata.Kind, partialMetadata.GroupVersion().String()
	b, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	return informercache.Parse(b, informercache.JSON)
}

// protobufMetadata turns metadata that came as JSON into protobuf.
func protobufMetadata(o *informercache.Object) (*informercache.Object, error) {
	var m metav1.PartialObjectMetadata
	if err := json.Unmarshal(o.Raw(), &m); err != nil {
		return nil, err
	}
	b, err := m.Marshal()
	if err != nil {
		return nil, err
	}
	return informercache.Parse(b, informercache.Protobuf)
}
