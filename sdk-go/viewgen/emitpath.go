package main

import (
	"fmt"
	"slices"
)

func emitPath(w *writer, t goType) {
	w.use(viewPath)
	if t.object {
		w.f("// %sFields is where field paths into a %s start.\nvar %sFields %sPath\n\n", t.name, t.name, t.name, t.name)
	}
	w.f("// %sPath is a field path that has come to a %s.\ntype %sPath struct{ At view.Path }\n\n", t.name, t.name, t.name)
	w.f("// Path means any change of it.\nfunc (p %sPath) Path() view.Path { return p.At }\n\n", t.name)
	for _, f := range t.fields {
		name := f.name
		if name == "Path" {
			name = "PathField"
		}
		child := fmt.Sprintf("p.At.Child(%d, %q)", f.number, f.json)
		typ := "view.Path"
		switch {
		case f.label == mapped:
			typ = "view.MapPath"
			child = "view.MapPath(" + child + ")"
		case f.path != "":
			typ = f.path
			w.useType(typ)
			child = f.path + "{At: " + child + "}"
		}
		w.f("// %s goes on to field %d.\n", name, f.number)
		w.f("func (p %sPath) %s() %s { return %s }\n\n", t.name, name, typ, child)
	}
}

// emitConsts writes the string constants, those of one type together.
func emitConsts(w *writer, consts []goConst) {
	var types []string
	for _, c := range consts {
		if !slices.Contains(types, c.typ) {
			types = append(types, c.typ)
		}
	}
	slices.Sort(types)
	for _, typ := range types {
		if typ == "" {
			w.f("// Names that the API gives a meaning.\nconst (\n")
		} else {
			w.f("// Values of %s.\nconst (\n", typ)
		}
		for _, c := range consts {
			if c.typ == typ {
				w.f("%s = %s\n", c.name, c.value)
			}
		}
		w.f(")\n\n")
	}
}
