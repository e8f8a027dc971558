package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// goSource is what the Go types beside a generated.proto add to it: the names
// that Go programmers know the fields by, their names in JSON, and the string
// constants.
type goSource struct {
	fields map[fieldKey]goField
	consts []goConst
}

// fieldKey is a message's name and a field's name, as in the .proto.
type fieldKey struct{ message, field string }

// goField is a field's name in Go, and in JSON: empty for one that is inlined.
type goField struct{ name, json string }

// goConst is an exported string constant.
type goConst struct{ name, typ, value string }

// readGo reads the hand-written Go files of one folder.
func readGo(dir string) (goSource, error) {
	src := goSource{fields: map[fieldKey]goField{}}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return src, err
	}
	for _, name := range names {
		if !handWritten(filepath.Base(name)) {
			continue
		}
		text, err := os.ReadFile(name) //nolint:gosec // a file of a module chosen in go.mod
		if err != nil {
			return src, err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return src, fmt.Errorf("cannot parse %s: %w", name, err)
		}
		for _, decl := range parsed.Decls {
			if decl, ok := decl.(*ast.GenDecl); ok {
				for _, spec := range decl.Specs {
					src.add(spec)
				}
			}
		}
	}
	return src, nil
}

func handWritten(name string) bool {
	return !strings.HasPrefix(name, "generated.") && !strings.HasPrefix(name, "zz_") &&
		!strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, "_swagger_doc_generated.go")
}

func (src *goSource) add(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if s, ok := spec.Type.(*ast.StructType); ok {
			for _, f := range s.Fields.List {
				src.addField(spec.Name.Name, f)
			}
		}
	case *ast.ValueSpec:
		typ, _ := spec.Type.(*ast.Ident)
		for i, name := range spec.Names {
			if i >= len(spec.Values) || !name.IsExported() {
				continue
			}
			if lit, ok := spec.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				c := goConst{name: name.Name, value: lit.Value}
				if typ != nil {
					c.typ = typ.Name
				}
				src.consts = append(src.consts, c)
			}
		}
	}
}

// addField records a struct's field if its tag names a protobuf field.
func (src *goSource) addField(message string, f *ast.Field) {
	if f.Tag == nil {
		return
	}
	raw, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return
	}
	tag := reflect.StructTag(raw)
	proto := ""
	for part := range strings.SplitSeq(tag.Get("protobuf"), ",") {
		if name, ok := strings.CutPrefix(part, "name="); ok {
			proto = name
		}
	}
	if proto == "" {
		return
	}
	g := goField{json: proto}
	if jsonTag, ok := tag.Lookup("json"); ok {
		g.json, _, _ = strings.Cut(jsonTag, ",")
		if g.json == "-" {
			g.json = ""
		}
	}
	switch {
	case len(f.Names) > 0:
		g.name = f.Names[0].Name
	case g.json != "": // embedded, but an object of its own in JSON: ObjectMeta is metadata
		g.name = title(g.json)
	default:
		g.name = embeddedName(f.Type)
	}
	src.fields[fieldKey{message, proto}] = g
}

// embeddedName is the name that Go gives to an embedded field of that type.
func embeddedName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return embeddedName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
