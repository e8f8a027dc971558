package main

import (
	"fmt"
	"strconv"
)

// file is what the generator needs to know of one generated.proto.
type file struct {
	pkg      string // the proto package: k8s.io.api.core.v1
	messages []message
}

// message is one protobuf message.
type message struct {
	name   string
	fields []field
}

// field is one field of a message. typ is a scalar's name, a message's name in
// the same package or, with a leading dot, one in any package. For a map it is
// the type of the values; keys are always strings.
type field struct {
	name   string
	number int
	typ    string
	label  label
}

// label says how often a field may occur.
type label int

const (
	optional label = iota
	repeated
	mapped
)

// parseProto reads the subset of proto2 that Kubernetes writes: top-level
// messages with optional, repeated and map fields, without options. Anything
// else is refused with its line, since a view of it would be wrong.
func parseProto(name, text string) (file, error) {
	p := &protoParser{lexer: lexer{text: text, line: 1}}
	p.next()
	var f file
	for p.err == nil && p.tok != "" {
		switch p.tok {
		case "syntax":
			p.next()
			p.expect("=")
			p.expect(`"proto2"`)
			p.expect(";")
		case "package":
			p.next()
			f.pkg = p.ident()
			p.expect(";")
		case "import":
			p.next()
			p.next()
			p.expect(";")
		case "option":
			p.next()
			p.expect("go_package")
			p.expect("=")
			p.next()
			p.expect(";")
		case "message":
			f.messages = append(f.messages, p.message())
		default:
			p.failf("%q is not known here", p.tok)
		}
	}
	if p.err == nil && f.pkg == "" {
		p.failf("no package is named")
	}
	if p.err != nil {
		return file{}, fmt.Errorf("%s:%d: %w", name, p.line, p.err)
	}
	return f, nil
}

type protoParser struct {
	lexer
	tok string // the current token, empty at the end
	err error
}

func (p *protoParser) next() {
	tok, err := p.token()
	if err != nil && p.err == nil {
		p.err = err
	}
	p.tok = tok
}

func (p *protoParser) failf(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

func (p *protoParser) expect(tok string) {
	if p.tok != tok {
		p.failf("got %q where %q belongs", p.tok, tok)
		return
	}
	p.next()
}

func (p *protoParser) ident() string {
	tok := p.tok
	if tok == "" || !isWord(tok[0]) {
		p.failf("got %q where a name belongs", tok)
		return ""
	}
	p.next()
	return tok
}

func (p *protoParser) message() message {
	p.next()
	m := message{name: p.ident()}
	p.expect("{")
	for p.err == nil && p.tok != "}" {
		m.fields = append(m.fields, p.field())
	}
	p.expect("}")
	return m
}

func (p *protoParser) field() field {
	var f field
	switch p.tok {
	case "optional":
		p.next()
		f.typ = p.ident()
	case "repeated":
		p.next()
		f.label, f.typ = repeated, p.ident()
	case "map":
		p.next()
		p.expect("<")
		p.expect("string")
		p.expect(",")
		f.label, f.typ = mapped, p.ident()
		p.expect(">")
	default:
		p.failf("%q does not start a field that is known here", p.tok)
		return f
	}
	f.name = p.ident()
	p.expect("=")
	n, err := strconv.Atoi(p.tok)
	if err != nil || n < 1 {
		p.failf("%q is not a field number", p.tok)
	}
	f.number = n
	p.next()
	p.expect(";")
	return f
}
