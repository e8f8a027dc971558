package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A lifeline is the read end of a pipe that is never written to. Its end is
// reached when every process that holds the write end is gone, however it went.

// checkLifeline tells if a descriptor can serve as a lifeline.
func checkLifeline(f *os.File) error {
	if f == nil {
		return errors.New("it is not open")
	}
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("it is not open: %w", err)
	}
	if info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return errors.New("it is neither a pipe nor a socket")
	}
	return nil
}

// onEnd calls do, once, when the lifeline has reached its end. The goroutine
// that waits for it ends with the process.
func onEnd(lifeline *os.File, do func()) {
	closeOnExec(lifeline)
	go func() {
		_, _ = io.Copy(io.Discard, lifeline)
		do()
	}()
}
