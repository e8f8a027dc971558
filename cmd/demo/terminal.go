package main

import (
	"fmt"
	"os"

	"golang.org/x/term"
)

// styled reports whether stdout shows bold and dim text: where it is a terminal.
var styled = term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("NO_COLOR") == ""

// say prints a heading of the story.
func say(format string, args ...any) { fmt.Printf("\n%s\n", style(1, fmt.Sprintf(format, args...))) }

// aside is a line of a program that runs beside the story.
func aside(line string) string { return "    " + style(2, line) }

// style wraps a text in an escape sequence of the terminal's: 1 is bold, 2 dim.
func style(code int, text string) string {
	if !styled {
		return text
	}
	return fmt.Sprintf("\033[%dm%s\033[0m", code, text)
}
