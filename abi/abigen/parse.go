package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// file is what the generator needs of a .proto file.
type file struct {
	messages []message
	enums    []enum
}

type message struct {
	name   string
	doc    []string
	fields []field
}

type field struct {
	name     string
	typ      string
	number   int
	repeated bool
	optional bool
	doc      []string
}

type enum struct {
	name   string
	doc    []string
	values []enumValue
}

type enumValue struct {
	name   string
	number int
	doc    []string
}

var (
	messageLine = regexp.MustCompile(`^message (\w+) \{$`)
	enumLine    = regexp.MustCompile(`^enum (\w+) \{$`)
	fieldLine   = regexp.MustCompile(`^(repeated |optional )?([\w.]+) (\w+) = (\d+);$`)
	valueLine   = regexp.MustCompile(`^(\w+) = (\d+);$`)
	headerLine  = regexp.MustCompile(`^(syntax = "proto3"|package [\w.]+);$`)
)

// parser reads the part of proto3 that loopdock.proto is written in: flat
// messages and enums, one declaration a line.
type parser struct {
	file file
	doc  []string
	in   string // "", "message" or "enum"
}

// parse reads a .proto source; a line that it does not understand is an error
// that names it.
func parse(src string) (*file, error) {
	var p parser
	for i, line := range strings.Split(src, "\n") {
		if err := p.line(strings.TrimSpace(line)); err != nil {
			return nil, fmt.Errorf("line %d: %w: %q", i+1, err, line)
		}
	}
	if p.in != "" {
		return nil, fmt.Errorf("the file ends inside a %s", p.in)
	}
	return &p.file, nil
}

func (p *parser) line(s string) error {
	if text, ok := strings.CutPrefix(s, "//"); ok {
		p.doc = append(p.doc, strings.TrimSpace(text))
		return nil
	}
	doc := p.doc
	p.doc = nil
	switch {
	case s == "":
		return nil
	case s == "}" && p.in != "":
		p.in = ""
		return nil
	case p.in == "message":
		return p.field(s, doc)
	case p.in == "enum":
		return p.value(s, doc)
	}
	if m := messageLine.FindStringSubmatch(s); m != nil {
		p.in = "message"
		p.file.messages = append(p.file.messages, message{name: m[1], doc: doc})
		return nil
	}
	if m := enumLine.FindStringSubmatch(s); m != nil {
		p.in = "enum"
		p.file.enums = append(p.file.enums, enum{name: m[1], doc: doc})
		return nil
	}
	if headerLine.MatchString(s) {
		return nil
	}
	return errors.New("not a declaration")
}

func (p *parser) field(s string, doc []string) error {
	m := fieldLine.FindStringSubmatch(s)
	if m == nil {
		return errors.New("not a field")
	}
	n, err := strconv.Atoi(m[4])
	if err != nil {
		return err
	}
	last := &p.file.messages[len(p.file.messages)-1]
	last.fields = append(last.fields, field{
		name: m[3], typ: m[2], number: n, doc: doc,
		repeated: m[1] == "repeated ", optional: m[1] == "optional ",
	})
	return nil
}

func (p *parser) value(s string, doc []string) error {
	m := valueLine.FindStringSubmatch(s)
	if m == nil {
		return errors.New("not an enum value")
	}
	n, err := strconv.Atoi(m[2])
	if err != nil {
		return err
	}
	last := &p.file.enums[len(p.file.enums)-1]
	last.values = append(last.values, enumValue{name: m[1], number: n, doc: doc})
	return nil
}
