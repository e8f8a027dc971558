package main

import (
	"fmt"
	"strings"
)

// names are the methods that a view has so far.
type names map[string]bool

// claim takes the names of a field's methods. Where one is taken already, the
// field's name gets the suffix Field, and a map's entry the suffix Entry.
func (n names) claim(v *viewField) error {
	if v.label == mapped {
		v.entry = singular(v.name)
	}
	for _, try := range []struct{ name, entry string }{
		{v.name, v.entry}, {v.name, v.name + "Entry"}, {v.name + "Field", v.name + "FieldEntry"},
	} {
		v.name = try.name
		if v.label == mapped {
			v.entry = try.entry
		}
		if n.free(methods(v)) {
			for _, name := range methods(v) {
				n[name] = true
			}
			return nil
		}
	}
	return fmt.Errorf("no free name for the methods of %s", v.field.name)
}

func (n names) free(all []string) bool {
	for _, name := range all {
		if n[name] {
			return false
		}
	}
	return true
}

// methods are the names of the methods that a field gets.
func methods(v *viewField) []string {
	all := []string{v.name, "With" + v.name}
	switch v.label {
	case optional:
		return append(all, "Has"+v.name, "Without"+v.name)
	case repeated:
		return append(all, v.name+"Len", "Append"+v.name)
	default:
		return append(all, "With"+v.entry, "Without"+v.entry)
	}
}

// singular is the name of one entry of a map: Label of Labels, and DataEntry
// of Data.
func singular(name string) string {
	if one, ok := strings.CutSuffix(name, "uses"); ok {
		return one + "us"
	}
	if one, ok := strings.CutSuffix(name, "s"); ok && !strings.HasSuffix(one, "s") {
		return one
	}
	return name + "Entry"
}
