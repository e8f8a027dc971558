package informercache

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// ErrUnknownField is the cause when an object has a field that this host's
// Kubernetes types do not know, so that its JSON would lack it.
var ErrUnknownField = errors.New("field unknown to this host")

// Transcoder turns protobuf objects into JSON, exactly as upstream's encoder
// does, and remembers what it made. It is safe for several goroutines.
type Transcoder struct {
	limit int64

	mu   sync.Mutex
	made *simplelru.LRU[transcodeKey, []byte]
	sum  int64
}

type transcodeKey struct {
	gvk          schema.GroupVersionKind
	uid, version string
}

// transcodeOverhead is about what an entry takes beside its bytes.
const transcodeOverhead = 200

// NewTranscoder returns a transcoder that remembers up to limit bytes.
func NewTranscoder(limit int64) *Transcoder {
	t := &Transcoder{limit: limit}
	made, err := simplelru.NewLRU(1<<30, func(_ transcodeKey, b []byte) { t.sum -= int64(len(b)) + transcodeOverhead })
	if err != nil {
		panic(err) // only for a size below one
	}
	t.made = made
	return t
}

// JSON returns the object as JSON: a view that must not be written to. The kind is
// that of the object, also where only its metadata is held under another one:
// then give meta.k8s.io/v1 PartialObjectMetadata. It fails for a kind that this
// host does not know, and names the first field that it does not know
// (ErrUnknownField).
func (t *Transcoder) JSON(gvk schema.GroupVersionKind, o *Object) ([]byte, error) {
	if o.encoding == JSON {
		return o.raw, nil
	}
	key := transcodeKey{gvk: gvk, uid: o.uid, version: o.version}
	if b, ok := t.find(key); ok {
		return b, nil
	}
	b, err := transcode(gvk, o.raw)
	if err != nil {
		return nil, fmt.Errorf("cannot turn %s %s/%s into JSON: %w", kindName(gvk), o.namespace, o.name, err)
	}
	t.keep(key, b)
	return b, nil
}

func (t *Transcoder) find(key transcodeKey) ([]byte, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.made.Get(key)
}

func (t *Transcoder) keep(key transcodeKey, b []byte) {
	size := int64(len(b)) + transcodeOverhead
	if size > t.limit || key.uid == "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.made.Contains(key) { // two made it at the same time
		return
	}
	t.made.Add(key, b)
	t.sum += size
	for t.sum > t.limit {
		t.made.RemoveOldest()
	}
}

// Bytes is how much the transcoder remembers.
func (t *Transcoder) Bytes() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sum
}

// unmarshaler is what the types of k8s.io/api have in common.
type unmarshaler interface {
	runtime.Object
	Unmarshal(b []byte) error
}

func transcode(gvk schema.GroupVersionKind, raw []byte) ([]byte, error) {
	if gvk == partialMetadata {
		return transcodeMetadata(raw)
	}
	obj, err := scheme.Scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	typed, ok := obj.(unmarshaler)
	if !ok {
		return nil, fmt.Errorf("%w: %T has no protobuf form", errNotItem, obj)
	}
	if path := unknownField(typed, raw); path != "" {
		return nil, fmt.Errorf("%w: %s", ErrUnknownField, path)
	}
	if err := typed.Unmarshal(raw); err != nil {
		return nil, err
	}
	return runtime.Encode(scheme.Codecs.LegacyCodec(gvk.GroupVersion()), typed)
}

// partialMetadata is the kind of objects of which only the metadata is held.
// Upstream's scheme for clients leaves it out.
var partialMetadata = metav1.SchemeGroupVersion.WithKind("PartialObjectMetadata")

func transcodeMetadata(raw []byte) ([]byte, error) {
	var o metav1.PartialObjectMetadata
	if path := unknownField(&o, raw); path != "" {
		return nil, fmt.Errorf("%w: %s", ErrUnknownField, path)
	}
	if err := o.Unmarshal(raw); err != nil {
		return nil, err
	}
	o.SetGroupVersionKind(partialMetadata)
	b, err := json.Marshal(&o)
	return append(b, '\n'), err
}
