package writer

import (
	"encoding/json"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/abi/wire"
)

// meta is what the writer reads of an object.
type meta struct {
	apiVersion, kind   string // JSON only
	name, generateName string
	namespace          string
	uid                string
	resourceVersion    string
	terminating        bool
	grace              int64
	finalizers         int
	controller         string // the UID of the owner that is the controller
}

// gone reports whether a write to the object has made the API server drop it:
// it was terminating, and nothing holds it any more.
func (m *meta) gone() bool { return m.terminating && m.finalizers == 0 && m.grace == 0 }

// Fields of the API's ObjectMeta, which is field 1 of every object, and of the
// OwnerReference in it.
const (
	objectMeta = 1

	metaName            = 1
	metaGenerateName    = 2
	metaNamespace       = 3
	metaUID             = 5
	metaResourceVersion = 6
	metaDeletion        = 9
	metaGrace           = 10
	metaOwners          = 13
	metaFinalizers      = 14

	ownerUID        = 4
	ownerController = 6
)

// readMeta reads the metadata of a bare object.
func readMeta(encoding abi.Encoding, body []byte) (meta, error) {
	if encoding == abi.EncodingJSON {
		return metaOfJSON(body)
	}
	return metaOfProtobuf(body)
}

func metaOfProtobuf(body []byte) (meta, error) {
	var m meta
	r := wire.NewReader(body)
	for r.Next() {
		if r.Field() != objectMeta {
			continue
		}
		if err := m.read(r.Bytes()); err != nil {
			return meta{}, err
		}
	}
	return m, r.Err()
}

func (m *meta) read(b []byte) error {
	r := wire.NewReader(b)
	for r.Next() {
		switch r.Field() {
		case metaName:
			m.name = r.String()
		case metaGenerateName:
			m.generateName = r.String()
		case metaNamespace:
			m.namespace = r.String()
		case metaUID:
			m.uid = r.String()
		case metaResourceVersion:
			m.resourceVersion = r.String()
		case metaDeletion:
			m.terminating = true
		case metaGrace:
			m.grace = r.Int()
		case metaFinalizers:
			m.finalizers++
		case metaOwners:
			if is, _ := wire.FindUint(r.Bytes(), ownerController); is != 0 {
				uid, _ := wire.Find(r.Bytes(), ownerUID)
				m.controller = string(uid)
			}
		}
	}
	return r.Err()
}

// jsonMeta is the same in JSON.
type jsonMeta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name              string   `json:"name"`
		GenerateName      string   `json:"generateName"`
		Namespace         string   `json:"namespace"`
		UID               string   `json:"uid"`
		ResourceVersion   string   `json:"resourceVersion"`
		DeletionTimestamp *string  `json:"deletionTimestamp"`
		GraceSeconds      int64    `json:"deletionGracePeriodSeconds"`
		Finalizers        []string `json:"finalizers"`
		OwnerReferences   []struct {
			UID        string `json:"uid"`
			Controller bool   `json:"controller"`
		} `json:"ownerReferences"`
	} `json:"metadata"`
}

func metaOfJSON(body []byte) (meta, error) {
	var j jsonMeta
	if err := json.Unmarshal(body, &j); err != nil {
		return meta{}, err
	}
	return j.meta(), nil
}

func (j *jsonMeta) meta() meta {
	in := &j.Metadata
	m := meta{
		apiVersion: j.APIVersion, kind: j.Kind, name: in.Name, generateName: in.GenerateName,
		namespace: in.Namespace, uid: in.UID, resourceVersion: in.ResourceVersion,
		terminating: in.DeletionTimestamp != nil, grace: in.GraceSeconds, finalizers: len(in.Finalizers),
	}
	for _, o := range in.OwnerReferences {
		if o.Controller {
			m.controller = o.UID
		}
	}
	return m
}
