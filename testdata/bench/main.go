// Command bench measures Loopdock and kube-controller-manager on the same work, in
// turns and on fresh planes. It prints a line for each round and, last, the lines
//
//	BENCH <name> ours=<n> peer=<n> unit=<u> ratio=<n>
//
// whose figures are medians over the rounds.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

func main() {
	o := &options{}
	flag.StringVar(&o.bin, "bin", ".build/bin", "folder of the built programs")
	flag.StringVar(&o.guests, "guests", ".build/guests", "folder of the built guests")
	flag.IntVar(&o.rounds, "rounds", 5, "how often each side does each benchmark")
	names := flag.String("name", "", "benchmarks to run, separated by commas; all if empty")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	if err := run(ctx, o, *names); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	bin, guests string
	rounds      int
}

// benchmarks is all there is, in the order in which it runs.
var benchmarks = []benchmark{convergeOne, convergeMany, steady, collect, coldStart, cacheMemory}

func run(ctx context.Context, o *options, names string) error {
	if o.rounds < 1 {
		return fmt.Errorf("-rounds is %d (it is 1 or more)", o.rounds)
	}
	chosen, err := choose(names)
	if err != nil {
		return err
	}
	var lines []string
	for _, b := range chosen {
		results, err := measure(ctx, o, &b)
		lines = append(lines, results...)
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %w", b.name, err), report(lines))
		}
	}
	return report(lines)
}

func report(lines []string) error {
	_, err := fmt.Println(strings.Join(lines, "\n"))
	return err
}

// choose picks benchmarks by name.
func choose(names string) ([]benchmark, error) {
	if names == "" {
		return benchmarks, nil
	}
	var out []benchmark
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(benchmarks, func(b benchmark) bool { return b.name == name })
		if i < 0 {
			var all []string
			for _, b := range benchmarks {
				all = append(all, b.name)
			}
			return nil, fmt.Errorf("there is no benchmark %q (there are: %s)", name, strings.Join(all, ", "))
		}
		out = append(out, benchmarks[i])
	}
	return out, nil
}
