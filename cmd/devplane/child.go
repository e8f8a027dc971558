package main

import (
	"fmt"
	"os"
	"runtime/debug"
)

const (
	// childCommand as first argument makes the program one of its own children.
	childCommand = "child"
	// childLifelineFD is the read end of the pipe whose write end only the
	// parent holds.
	childLifelineFD = 3
)

// programs are the parts by the names of their upstream programs. Each gets
// its arguments through os.Args and returns its exit code.
var programs = map[string]func() int{
	etcdName:        etcdMain,
	apiserverName:   apiserverMain,
	controllersName: controllersMain,
	schedulerName:   schedulerMain,
	kwokName:        kwokMain,
}

// runChild runs one part. It ends at once when the parent is gone.
func runChild(args []string) int {
	lifeline := os.NewFile(childLifelineFD, "lifeline")
	if checkLifeline(lifeline) != nil || len(args) == 0 || programs[args[0]] == nil {
		fmt.Fprintln(os.Stderr, "devplane: child is for devplane's own use (see --help)")
		return 1
	}
	onEnd(lifeline, func() {
		fmt.Fprintln(os.Stderr, "devplane: the parent is gone")
		os.Exit(1)
	})
	debug.SetTraceback("single")
	os.Args = args
	return programs[args[0]]()
}
