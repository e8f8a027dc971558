package informercache

import (
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/loopdock/loopdock/abi/wire"
)

// knownFields are the protobuf fields of one Go type, by number.
type knownFields map[int]knownField

type knownField struct {
	name    string
	message reflect.Type // nil if the field holds no message that we know
	isMap   bool         // its entries hold the message in field 2
}

var knownTypes sync.Map // reflect.Type to knownFields

// unknownField returns the path of the first field in the message that the
// type does not know, "" if it knows all. The Go types carry field
// numbers in their tags.
func unknownField(into any, msg []byte) string {
	return unknownIn(reflect.TypeOf(into).Elem(), msg)
}

func unknownIn(t reflect.Type, msg []byte) string {
	fields := fieldsOf(t)
	if len(fields) == 0 { // a type with an encoding of its own, such as Time or Quantity
		return ""
	}
	for r := wire.NewReader(msg); r.Next(); {
		f, ok := fields[r.Field()]
		if !ok {
			return "field number " + strconv.Itoa(r.Field())
		}
		if f.message == nil || r.Type() != wire.Bytes {
			continue
		}
		body := r.Bytes()
		if f.isMap {
			_, value, err := mapEntry(body)
			if err != nil {
				continue
			}
			body = value
		}
		if path := unknownIn(f.message, body); path != "" {
			return f.name + "." + path
		}
	}
	return ""
}

func fieldsOf(t reflect.Type) knownFields {
	if known, ok := knownTypes.Load(t); ok {
		return known.(knownFields) //nolint:forcetypeassert,errcheck // nothing else is stored
	}
	known := knownFields{}
	for field := range t.Fields() {
		tag := strings.Split(field.Tag.Get("protobuf"), ",")
		if len(tag) < 2 {
			continue
		}
		number, err := strconv.Atoi(tag[1])
		if err != nil {
			continue
		}
		f := knownField{name: field.Name}
		for _, part := range tag {
			if name, ok := strings.CutPrefix(part, "name="); ok {
				f.name = name
			}
		}
		f.message, f.isMap = messageOf(field.Type)
		known[number] = f
	}
	knownTypes.Store(t, known)
	return known
}

// messageOf finds the struct that a field, or each of its elements, holds.
func messageOf(t reflect.Type) (reflect.Type, bool) {
	isMap := false
	for {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice:
			t = t.Elem()
		case reflect.Map:
			isMap, t = true, t.Elem()
		case reflect.Struct:
			return t, isMap
		default:
			return nil, isMap
		}
	}
}
