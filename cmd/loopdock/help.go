package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// The columns of a page of help.
const (
	helpWidth  = 100
	helpIndent = 3  // what the page puts before each flag
	flagWidth  = 37 // the longest flag, and two spaces
	pageIndent = 6  // what the page puts before each further line
)

func init() { cli.FlagStringer = flagHelp }

// flagHelp writes a flag and what it means: in two columns, the second wrapped.
func flagHelp(f cli.Flag) string {
	doc, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return ""
	}
	usage := doc.GetUsage()
	value := ""
	if doc.TakesValue() {
		value = "VALUE"
		if parts := strings.SplitN(usage, "`", 3); len(parts) == 3 {
			value, usage = parts[1], strings.TrimPrefix(strings.Join(parts, ""), parts[1]+": ")
		}
	}
	all := slices.Clone(f.Names())
	for i := range all {
		all[i] = dashed(all[i])
	}
	names := strings.Join(all, ", ")
	if value != "" {
		names += " " + value
	}
	switch text := doc.GetDefaultText(); text {
	case "", "false", "0", "0s":
	default:
		usage += " (default: " + strings.Trim(text, `"`) + ")"
	}
	pad := strings.Repeat(" ", max(2, flagWidth-len(names)))
	text := wrap(strings.Fields(usage), "", helpIndent+flagWidth)
	return names + pad + strings.ReplaceAll(text, "\n"+strings.Repeat(" ", pageIndent), "\n")
}

// wrap joins words to lines of at most helpWidth; indent is where the first
// begins, and the others are brought to.
func wrap(words []string, separator string, indent int) string {
	var out strings.Builder
	at := indent
	for i, w := range words {
		if i < len(words)-1 {
			w += separator
		}
		switch {
		case i == 0:
		case at+1+len(w) > helpWidth:
			out.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			out.WriteString(" ")
			at++
		}
		out.WriteString(w)
		at += len(w)
	}
	return out.String()
}
