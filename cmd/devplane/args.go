package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// flagSet is a program's flags by name, without the leading dashes.
type flagSet map[string]string

// splitArg parts NAME=VALUE; a name without a value is a switch.
func splitArg(arg string) (name, value string, err error) {
	name, value, found := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	if name == "" || strings.ContainsAny(name, " \t") {
		return "", "", fmt.Errorf("%q is not NAME=VALUE", arg)
	}
	if !found {
		value = "true"
	}
	return name, value, nil
}

// with renders the flags, sorted by name, and then the extra ones. An extra
// flag replaces the one of the same name; one that is repeated stays repeated.
func (f flagSet) with(extra []string) []string {
	own := maps.Clone(f)
	var tail []string
	for _, arg := range extra {
		name, value, err := splitArg(arg)
		if err != nil {
			continue // refused when the configuration was checked
		}
		delete(own, name)
		tail = append(tail, "--"+name+"="+value)
	}
	args := make([]string, 0, len(own)+len(tail))
	for _, name := range slices.Sorted(maps.Keys(own)) {
		args = append(args, "--"+name+"="+own[name])
	}
	return append(args, tail...)
}
