// Command parity plays the same scenarios once against kube-controller-manager
// and once against Loopdock, each on a fresh control plane, and compares what
// the two leave behind and how often they wrote.
//
// On the peer's plane kube-controller-manager runs every controller. On ours it
// runs all but those under test, whose guests Loopdock docks in their place;
// each acts there as the service account that the native controller acts as, so
// with the rights of Kubernetes' own role. Everything else is equal.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const usage = `parity plays the same scenarios once against kube-controller-manager and once
against Loopdock, and compares what the two leave behind.

A line a scenario tells if the final objects and the Events are the same, and
how often each side wrote (ours/peer, by kind and verb). Creations and deletions
must be equal in number, but for deletions of what the peer itself had deleted
already; updates and patches may be fewer than the peer's, not more. Events are
compared by their texts, not by the requests for them.

Some of it depends on timing, also from one run of the peer to the next. So a
scenario that differs is played again, a few times: it is the same if each of
our rounds ended as one of the peer's did, and if for no kind and verb the
least that ours wrote is more than the most that the peer wrote.

The last line is

   PARITY same=<n> of=<n> writes_ours=<n> writes_peer=<n>

and the exit code is 0 if every scenario is the same, or its differences are all
in cmd/parity/explained.yaml.

Example: two controllers, and of one of them only the scenarios named roll-...

   make parity ONLY=replicaset,deployment
   parity -only deployment/roll

Flags:
`

// options are the flags.
type options struct {
	bin, guests string
	only        string
	parallel    int
	rounds      int
	keep        string
	list        bool
	self        bool
	verbose     bool
}

func main() {
	o, err := parse(os.Args[1:], os.Stderr)
	switch {
	case err == flag.ErrHelp: //nolint:errorlint // as flag returns it
		return
	case err != nil:
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	same, err := run(ctx, o, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "parity:", err)
	}
	if err != nil || !same {
		os.Exit(1) //nolint:gocritic // the signals' handler ends with the process
	}
}

func parse(args []string, out io.Writer) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("parity", flag.ContinueOnError)
	f.SetOutput(out)
	f.Usage = func() {
		fmt.Fprint(out, usage)
		f.PrintDefaults()
	}
	f.StringVar(&o.bin, "bin", ".build/bin", "`folder` of the built programs")
	f.StringVar(&o.guests, "guests", ".build/guests", "`folder` of the built guests")
	f.StringVar(&o.only, "only", "", "play only these: `CONTROLLER[/BEGINNING],...`")
	f.IntVar(&o.parallel, "parallel", 6, "play `N` scenarios at once, beside those that mostly wait")
	f.IntVar(&o.rounds, "rounds", 5, "play a scenario that differs up to `N` times")
	f.StringVar(&o.keep, "keep", "", "keep logs, and both sides of what differs, in `folder`")
	f.BoolVar(&o.list, "list", false, "list the scenarios and end")
	f.BoolVar(&o.self, "self", false, "play the peer against itself: what differs then differs by chance")
	f.BoolVar(&o.verbose, "v", false, "show every difference, not only the first few")
	return o, f.Parse(args)
}
