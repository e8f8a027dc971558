package main

import (
	"fmt"
	"strings"
)

// input is what is read of one package.
type input struct {
	source
	file
	goSource
}

// goPackage is one package of views, with every name decided.
type goPackage struct {
	source
	proto  string // the proto package
	types  []goType
	consts []goConst
}

// goType is the view of one message.
type goType struct {
	name   string
	full   string // the message's full name, with a leading dot
	object bool   // has ObjectMeta: the root of field paths
	fields []viewField
}

// viewField is one field of a view.
type viewField struct {
	field
	name  string // of the accessor
	entry string // of one entry of a map, or empty
	json  string // empty if inlined
	elem  string // the Go type: string, []byte, bool, int32, int64 or a view
	path  string // the type of the step on a field path, empty where the path ends
}

// scalars are the protobuf scalars that Kubernetes uses, by their Go types.
var scalars = map[string]string{
	"string": "string", "bytes": "[]byte", "bool": "bool", "int32": "int32", "int64": "int64",
}

// build decides the names of all types and methods.
func build(inputs []input) ([]goPackage, error) {
	outs := map[string]string{} // full message name: package
	for _, in := range inputs {
		for _, m := range in.messages {
			outs["."+in.pkg+"."+m.name] = in.out
		}
	}
	var pkgs []goPackage
	for _, in := range inputs {
		b := builder{outs: outs, proto: in.pkg, out: in.out, src: in.goSource, taken: map[string]bool{}}
		p := goPackage{source: in.source, proto: in.pkg}
		for _, m := range in.messages {
			if !isList(m) {
				b.taken[m.name] = true
			}
		}
		for _, m := range in.messages {
			if isList(m) {
				continue
			}
			t, err := b.goType(m)
			if err != nil {
				return nil, fmt.Errorf("%s.%s: %w", in.pkg, m.name, err)
			}
			p.types = append(p.types, t)
		}
		for _, c := range in.consts {
			if !b.taken[c.name] {
				b.taken[c.name] = true
				p.consts = append(p.consts, c)
			}
		}
		pkgs = append(pkgs, p)
	}
	return pkgs, nil
}

// isList reports whether m is a list of objects, which no controller is given.
func isList(m message) bool {
	if !strings.HasSuffix(m.name, "List") {
		return false
	}
	for _, f := range m.fields {
		if f.name == "metadata" && (f.typ == "ListMeta" || f.typ == listMeta) {
			return true
		}
	}
	return false
}

type builder struct {
	outs  map[string]string
	proto string
	out   string
	src   goSource
	taken map[string]bool // names at the package's level
}

func (b *builder) goType(m message) (goType, error) {
	t := goType{name: m.name, full: "." + b.proto + "." + m.name}
	names := names{}
	if !opaque[t.full] {
		if b.taken[m.name+"Path"] {
			return t, fmt.Errorf("the name %sPath is taken by another message", m.name)
		}
		b.taken[m.name+"Path"] = true
	}
	for _, f := range m.fields {
		v, err := b.viewField(m, f)
		if err != nil {
			return t, fmt.Errorf("%s: %w", f.name, err)
		}
		if v.path == "metav1.ObjectMetaPath" && f.name == "metadata" {
			t.object = true
		}
		if err := names.claim(&v); err != nil {
			return t, err
		}
		t.fields = append(t.fields, v)
	}
	return t, nil
}

func (b *builder) viewField(m message, f field) (viewField, error) {
	v := viewField{field: f, name: title(f.name), json: f.name}
	if g, ok := b.src.fields[fieldKey{m.name, f.name}]; ok {
		v.name, v.json = g.name, g.json
	}
	if elem, ok := scalars[f.typ]; ok {
		v.elem = elem
		if f.label == mapped && elem != "string" && elem != "[]byte" || f.label == repeated && elem == "bool" {
			return v, fmt.Errorf("a map or list of %s is not known here", f.typ)
		}
		return v, nil
	}
	full := f.typ
	if !strings.HasPrefix(full, ".") {
		full = "." + b.proto + "." + full
	}
	out, ok := b.outs[full]
	if !ok {
		return v, fmt.Errorf("its type %s is in no package that views are generated for", f.typ)
	}
	v.elem = full[strings.LastIndexByte(full, '.')+1:]
	if out != b.out {
		v.elem = out + "." + v.elem
	}
	if f.label != mapped && !opaque[full] {
		v.path = v.elem + "Path"
	}
	return v, nil
}
