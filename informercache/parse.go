package informercache

import "encoding/json"

// Parse reads an object from its bare protobuf message or its JSON. It serves
// tools and tests; the cache itself reads what its watches bring.
func Parse(raw []byte, e Encoding) (*Object, error) {
	if e == JSON && !json.Valid(raw) {
		return nil, errJSON
	}
	i, err := readItem(body{encoding: e, raw: raw}, newInterner())
	if err != nil {
		return nil, err
	}
	return i.obj, nil
}
