package informercache

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// trimJSON copies an object's document without metadata.managedFields. It
// returns the copy and the metadata, as the bytes of an ObjectMeta in
// protobuf, so that one reader serves both encodings.
func trimJSON(doc []byte) (trimmed, meta []byte, err error) {
	var m jsonSpan
	err = jsonMembers(doc, 0, func(s jsonSpan) bool {
		if string(s.key) == "metadata" {
			m = s
		}
		return m.end == 0
	})
	if err != nil || m.end == 0 {
		return nil, nil, fmt.Errorf("cannot read object: no metadata: %w", errJSON)
	}
	from, to := managedSpan(doc, m.value)
	trimmed = make([]byte, 0, len(doc)-(to-from))
	trimmed = append(append(trimmed, doc[:from]...), doc[to:]...)
	var om metav1.ObjectMeta
	if err := json.Unmarshal(trimmed[m.value:m.end-(to-from)], &om); err != nil {
		return nil, nil, fmt.Errorf("cannot read metadata: %w", err)
	}
	if meta, err = om.Marshal(); err != nil {
		return nil, nil, fmt.Errorf("cannot read metadata: %w", err)
	}
	return trimmed, meta, nil
}

// managedSpan finds what is to be cut out of the metadata that starts at
// doc[at], one comma included.
func managedSpan(doc []byte, at int) (from, to int) {
	from, to = at, at
	before, cut := -1, false
	err := jsonMembers(doc, at, func(s jsonSpan) bool {
		switch {
		case cut:
			if before < 0 { // the first member goes with the comma after it
				to = s.start
			}
			return false
		case string(s.key) == "managedFields":
			cut, from, to = true, s.start, s.end
			if before >= 0 { // a later one goes with the comma before it
				from = before
			}
		default:
			before = s.end
		}
		return true
	})
	if err != nil {
		return at, at
	}
	return from, to
}
