package main

func emitType(w *writer, t goType) {
	w.f("// %s is a view of the message %s.\ntype %s []byte\n\n", t.name, t.full[1:], t.name)
	for _, f := range t.fields {
		w.use(viewPath)
		w.useType(f.elem)
		switch f.label {
		case optional:
			emitSingular(w, t, f)
		case repeated:
			emitRepeated(w, t, f)
		case mapped:
			emitMap(w, t, f)
		}
	}
}

// kind names a field's type in comments.
func kind(f viewField) string {
	if _, scalar := scalars[f.typ]; scalar {
		return f.typ
	}
	return f.elem
}

func emitSingular(w *writer, t goType, f viewField) {
	w.f("// %s is field %d, %s.\n", f.name, f.number, kind(f))
	w.f("func (m %s) %s() %s {", t.name, f.name, f.elem)
	suffix, value := "Bytes", "v"
	switch f.elem {
	case "string":
		w.f("return view.String(m, %d)", f.number)
	case "bool":
		suffix = "Bool"
		w.f("return view.Bool(m, %d)", f.number)
	case "int64":
		suffix = "Int"
		w.f("return view.Int(m, %d)", f.number)
	case "int32":
		suffix, value = "Int", "int64(v)"
		w.f("return int32(view.Int(m, %d))", f.number)
	default:
		w.f("return view.Bytes(m, %d)", f.number)
	}
	w.f("}\n\n// Has%s reports whether field %d is there.\n", f.name, f.number)
	w.f("func (m %s) Has%s() bool { return view.Has(m, %d) }\n\n", t.name, f.name, f.number)
	w.f("// With%s sets field %d.\n", f.name, f.number)
	w.f("func (m %s) With%s(v %s) %s { return view.With%s(m, %d, %s) }\n\n", t.name, f.name, f.elem, t.name, suffix, f.number, value)
	w.f("// Without%s removes field %d.\n", f.name, f.number)
	w.f("func (m %s) Without%s() %s { return view.Without(m, %d) }\n\n", t.name, f.name, t.name, f.number)
}

func emitRepeated(w *writer, t goType, f viewField) {
	list, length, with, add := "List", "Len", "WithList", "Append"
	if f.elem == "int32" || f.elem == "int64" {
		list, length, with, add = "Ints", "IntsLen", "WithInts", "AppendInts"
	}
	w.use("iter")
	w.f("// %s are field %d, repeated %s.\n", f.name, f.number, kind(f))
	w.f("func (m %s) %s() iter.Seq[%s] { return view.%s[%s](m, %d) }\n\n", t.name, f.name, f.elem, list, f.elem, f.number)
	w.f("// %sLen is the number of elements in field %d.\n", f.name, f.number)
	w.f("func (m %s) %sLen() int { return view.%s(m, %d) }\n\n", t.name, f.name, length, f.number)
	w.f("// With%s replaces field %d.\n", f.name, f.number)
	w.f("func (m %s) With%s(v ...%s) %s { return view.%s(m, %d, v) }\n\n", t.name, f.name, f.elem, t.name, with, f.number)
	w.f("// Append%s adds elements to field %d.\n", f.name, f.number)
	w.f("func (m %s) Append%s(v ...%s) %s { return view.%s(m, %d, v) }\n\n", t.name, f.name, f.elem, t.name, add, f.number)
}

func emitMap(w *writer, t goType, f viewField) {
	typ := "view.Map[" + f.elem + "]"
	switch f.elem {
	case "string":
		typ = "view.StringMap"
	case "[]byte":
		typ = "view.BytesMap"
	}
	w.f("// %s is field %d, a map of %s.\n", f.name, f.number, kind(f))
	w.f("func (m %s) %s() %s { return view.NewMap[%s](m, %d) }\n\n", t.name, f.name, typ, f.elem, f.number)
	w.f("// With%s replaces field %d.\n", f.name, f.number)
	w.f("func (m %s) With%s(v %s) %s { return view.WithMap(m, %d, v) }\n\n", t.name, f.name, typ, t.name, f.number)
	w.f("// With%s sets one entry of field %d.\n", f.entry, f.number)
	w.f("func (m %s) With%s(key string, v %s) %s { return view.WithEntry(m, %d, key, v) }\n\n", t.name, f.entry, f.elem, t.name, f.number)
	w.f("// Without%s removes one entry of field %d.\n", f.entry, f.number)
	w.f("func (m %s) Without%s(key string) %s { return view.WithoutEntry(m, %d, key) }\n\n", t.name, f.entry, t.name, f.number)
}
