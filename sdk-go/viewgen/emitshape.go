package main

import "strings"

// canonical are the messages that get a method Canonical: those that
// controllers compare.
var canonical = map[string]bool{
	".k8s.io.api.core.v1.PodTemplateSpec": true,
}

const quantity = ".k8s.io.apimachinery.pkg.api.resource.Quantity"

// shapes writes the shapes of all messages that some root of a package reaches.
type shapes struct {
	*writer
	out   string            // the package that is written
	types map[string]goType // all, by package and name
	done  map[string]bool
}

// emitShapes writes the method Canonical of those messages of a package that
// have one.
func emitShapes(w *writer, p goPackage, types map[string]goType) {
	s := shapes{w, p.out, types, map[string]bool{}}
	for _, t := range p.types {
		if !canonical[t.full] {
			continue
		}
		w.use(viewPath)
		w.f("// Canonical gives bytes that are equal for equal messages.\n")
		w.f("func (m %s) Canonical() %s { return view.Canonical(m, &%s) }\n\n", t.name, t.name, s.name(p.out, t.name))
		s.emit(p.out, t)
	}
}

// name is the variable that holds the shape of a message.
func (s *shapes) name(out, message string) string {
	if out == s.out {
		return "shapeOf" + message
	}
	return "shapeOf" + strings.ToUpper(out[:1]) + out[1:] + message
}

// emit writes the shape of a message, and those of the messages in it.
func (s *shapes) emit(out string, t goType) {
	if name := s.name(out, t.name); !s.done[name] {
		s.done[name] = true
		s.f("var %s = view.Shape{\n", name)
		for _, f := range t.fields {
			s.field(out, t, f)
		}
		s.f("}\n\n")
		for _, f := range t.fields {
			if of, ok := s.of(out, f); ok {
				s.emit(of, s.types[of+"."+f.elem[strings.LastIndexByte(f.elem, '.')+1:]])
			}
		}
	}
}

// field writes a field, if it can be written in several ways.
func (s *shapes) field(out string, t goType, f viewField) {
	of, message := s.of(out, f)
	switch {
	case t.full == quantity:
		s.use(viewPath + "/resource")
		s.f("{Number: %d, Text: resource.CanonicalText},\n", f.number)
	case message:
		s.f("{Number: %d, ", f.number)
		if f.label == mapped {
			s.f("Map: true, ")
		}
		s.f("Of: &%s},\n", s.name(of, f.elem[strings.LastIndexByte(f.elem, '.')+1:]))
	case f.label == mapped:
		s.f("{Number: %d, Map: true},\n", f.number)
	}
}

// of is the package of a field's message, and whether it is one.
func (s *shapes) of(out string, f viewField) (string, bool) {
	if _, scalar := scalars[f.typ]; scalar {
		return "", false
	}
	if of, _, other := strings.Cut(f.elem, "."); other {
		return of, true
	}
	return out, true
}

// typesOf are the types of all packages, by package and name.
func typesOf(pkgs []goPackage) map[string]goType {
	types := map[string]goType{}
	for _, p := range pkgs {
		for _, t := range p.types {
			types[p.out+"."+t.name] = t
		}
	}
	return types
}
