package main

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	anyTemplate = regexp.MustCompile(`<template-\d+>`)
	aggregated  = regexp.MustCompile(`\(combined from similar events\): `)
)

// eventCounts says how often each Event of a controller's happened. Warnings
// only count as there or not there: they are repeated as often as something is
// tried again.
func eventCounts(s *snapshot, c *controller) map[string]int {
	n := newNames(s)
	for _, o := range withSubjects(s) {
		if field(o, "kind") == "Deployment" {
			name := n.replace(field(o, "metadata.name"))
			n.patterns = append(n.patterns, pattern{regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `-(<template-\d+>|[a-z0-9]{6,10}\b)`), name + "-<template>"})
		}
	}
	out := map[string]int{}
	for _, e := range s.events {
		component, ok := c.component(field(e, "source.component"))
		if !ok {
			continue
		}
		message := aggregated.ReplaceAllString(field(e, "message"), "")
		line := strings.Join([]string{
			component, field(e, "type"), field(e, "reason"),
			field(e, "involvedObject.kind") + "/" + field(e, "involvedObject.name"), strconv.Quote(message),
		}, " ")
		line = anyTemplate.ReplaceAllString(n.replace(line), "<template>")
		times, err := strconv.Atoi(field(e, "count"))
		switch {
		case field(e, "type") == "Warning":
			out[line] = 1
		case err != nil:
			out[line]++
		default:
			out[line] += times
		}
	}
	return out
}
