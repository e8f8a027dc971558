package main

import "fmt"

// scalars gives the Go type of each scalar that the ABI uses.
var scalars = map[string]string{
	"string": "string", "bytes": "[]byte", "bool": "bool", "double": "float64",
	"int32": "int32", "int64": "int64", "uint32": "uint32", "uint64": "uint64",
}

func (g *generator) goType(f field) (string, error) {
	t, ok := scalars[f.typ]
	switch {
	case ok:
	case g.enums[f.typ]:
		t = f.typ
	case g.messages[f.typ] && f.repeated:
		t = f.typ
	case g.messages[f.typ]:
		return "*" + f.typ, nil
	default:
		return "", fmt.Errorf("field %s: unknown type %s", f.name, f.typ)
	}
	switch {
	case f.repeated && (f.typ == "bool" || f.typ == "uint64"):
		return "", fmt.Errorf("field %s: repeated %s is not supported", f.name, f.typ)
	case f.optional && f.typ != "int64":
		return "", fmt.Errorf("field %s: optional %s is not supported", f.name, f.typ)
	case f.repeated:
		return "[]" + t, nil
	case f.optional:
		return "*" + t, nil
	}
	return t, nil
}

// numeric reports whether a repeated field of the type is packed.
func (g *generator) numeric(f field) bool {
	return f.typ != "string" && f.typ != "bytes" && !g.messages[f.typ]
}

func (g *generator) appendField(f field) {
	name := "m." + camel(f.name)
	switch {
	case g.messages[f.typ] && f.repeated:
		g.p("for i := range %s {\nb = wire.AppendMessage(b, %d, %s[i].Append)\n}", name, f.number, name)
	case g.messages[f.typ]:
		g.p("if %s != nil {\nb = wire.AppendMessage(b, %d, %s.Append)\n}", name, f.number, name)
	case f.repeated && f.typ == "string":
		g.p("for _, v := range %s {\nb = wire.AppendRawString(b, %d, v)\n}", name, f.number)
	case f.repeated && f.typ == "bytes":
		g.p("for _, v := range %s {\nb = wire.AppendRawBytes(b, %d, v)\n}", name, f.number)
	case f.repeated && f.typ == "double":
		g.p("if len(%s) > 0 {\nb = wire.AppendMessage(b, %d, func(b []byte) []byte {\nfor _, v := range %s {\nb = wire.AppendRawFixed64(b, math.Float64bits(v))\n}\nreturn b\n})\n}", name, f.number, name)
	case f.repeated:
		g.p("if len(%s) > 0 {\nb = wire.AppendMessage(b, %d, func(b []byte) []byte {\nfor _, v := range %s {\nb = wire.AppendVarint(b, uint64(v)) //nolint:gosec // two's complement\n}\nreturn b\n})\n}", name, f.number, name)
	case f.optional:
		g.p("if %s != nil {\nb = wire.AppendVarint(wire.AppendTag(b, %d, wire.Varint), uint64(*%s)) //nolint:gosec // two's complement\n}", name, f.number, name)
	default:
		g.appendScalar(f, name)
	}
}

func (g *generator) appendScalar(f field, name string) {
	switch f.typ {
	case "string":
		g.p("b = wire.AppendString(b, %d, %s)", f.number, name)
	case "bytes":
		g.p("b = wire.AppendBytes(b, %d, %s)", f.number, name)
	case "bool":
		g.p("b = wire.AppendBool(b, %d, %s)", f.number, name)
	case "double":
		g.p("b = wire.AppendFixed64(b, %d, math.Float64bits(%s))", f.number, name)
	case "int32", "int64":
		g.p("b = wire.AppendInt(b, %d, int64(%s))", f.number, name)
	default:
		g.p("b = wire.AppendUint(b, %d, uint64(%s))", f.number, name)
	}
}

func (g *generator) decodeField(message string, f field) {
	name := "m." + camel(f.name)
	switch {
	case g.messages[f.typ]:
		g.p("v := new(%s)\nif err := v.Decode(r.Bytes()); err != nil {\nreturn &FieldError{Message: %q, Field: %d, Cause: err}\n}", f.typ, message, f.number)
		if f.repeated {
			g.p("%s = append(%s, *v)", name, name)
		} else {
			g.p("%s = v", name)
		}
	case f.repeated && f.typ == "double":
		g.p("%s = appendDoubles(%s, &r)", name, name)
	case f.repeated && g.numeric(f):
		g.p("%s = appendVarints(%s, &r)", name, name)
	case f.repeated:
		g.p("%s = append(%s, %s)", name, name, g.scalar(f))
	case f.optional:
		g.p("v := %s\n%s = &v", g.scalar(f), name)
	default:
		g.p("%s = %s", name, g.scalar(f))
	}
}

// scalar is the expression that reads the current field.
func (g *generator) scalar(f field) string {
	switch f.typ {
	case "string":
		return "r.String()"
	case "bytes":
		return "r.Bytes()"
	case "bool":
		return "r.Bool()"
	case "double":
		return "math.Float64frombits(r.Fixed())"
	case "int64":
		return "r.Int()"
	case "uint64":
		return "r.Uint()"
	case "int32":
		return "int32(r.Int()) //nolint:gosec // protobuf cuts to the type's size\n"
	case "uint32":
		return "uint32(r.Uint()) //nolint:gosec // protobuf cuts to the type's size\n"
	default:
		return f.typ + "(r.Uint()) //nolint:gosec // protobuf cuts to the type's size\n"
	}
}
