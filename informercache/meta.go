package informercache

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/abi/wire"
)

// Field numbers that every built-in kind has in common.
const (
	fieldObjectMeta = 1 // of an object, and the list metadata of a list
	fieldItems      = 2 // of a list

	metaName          = 1
	metaNamespace     = 3
	metaUID           = 5
	metaVersion       = 6
	metaGeneration    = 7
	metaDeletion      = 9
	metaLabels        = 11
	metaAnnotations   = 12
	metaOwners        = 13
	metaFinalizers    = 14
	metaManagedFields = 17
)

// readMeta fills in o from the bytes of its ObjectMeta. It tells whether the
// object carries the annotation by which a streaming list marks its end.
func readMeta(o *Object, meta []byte, in *interner) (listEnd bool, err error) {
	var name, uid, version, namespace []byte
	var labelBuf, ownerBuf [256]byte
	labels, owners := labelBuf[:0], ownerBuf[:0]
	r := wire.NewReader(meta)
	for r.Next() {
		switch r.Field() {
		case metaName:
			name = r.Bytes()
		case metaNamespace:
			namespace = r.Bytes()
		case metaUID:
			uid = r.Bytes()
		case metaVersion:
			version = r.Bytes()
		case metaGeneration:
			o.generation = r.Int()
		case metaDeletion:
			o.deletion, err = readSeconds(r.Bytes())
		case metaLabels:
			labels = append(labels, r.Raw()...)
		case metaAnnotations:
			key, value, entryErr := mapEntry(r.Bytes())
			err = entryErr
			listEnd = listEnd || string(key) == metav1.InitialEventsAnnotationKey && string(value) == "true"
		case metaOwners:
			owners = append(owners, r.Raw()...)
		case metaFinalizers:
			o.finalizers = append(o.finalizers, in.string(r.Bytes()))
		}
		if err != nil {
			return false, fmt.Errorf("cannot read metadata field %d: %w", r.Field(), err)
		}
	}
	if r.Err() != nil {
		return false, fmt.Errorf("cannot read metadata: %w", r.Err())
	}
	if o.labels, err = in.labelSet(labels); err != nil {
		return false, fmt.Errorf("cannot read labels: %w", err)
	}
	if o.owners, err = in.ownerSet(owners); err != nil {
		return false, fmt.Errorf("cannot read owner references: %w", err)
	}
	o.namespace = in.string(namespace)
	o.identify(name, uid, version)
	return listEnd, nil
}

// identify sets the strings that no two objects share, in one allocation.
func (o *Object) identify(name, uid, version []byte) {
	var buf [320]byte
	all := append(append(append(buf[:0], name...), uid...), version...)
	s := string(all)
	o.name, o.uid, o.version = s[:len(name)], s[len(name):len(name)+len(uid)], s[len(name)+len(uid):]
}

// readSeconds reads a metav1.Time. A time that is present counts, even the
// Unix epoch.
func readSeconds(b []byte) (int64, error) {
	var seconds int64
	r := wire.NewReader(b)
	for r.Next() {
		if r.Field() == 1 {
			seconds = r.Int()
		}
	}
	if seconds == 0 {
		seconds = 1
	}
	return seconds, r.Err()
}
