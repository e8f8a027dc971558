package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// run starts both sides, plays what is selected, and tells if all of it is the
// same or explained.
func run(ctx context.Context, o *options, out io.Writer) (bool, error) {
	explained, err := explanations(explainedYAML)
	if err != nil {
		return false, err
	}
	selected := selectControllers(controllers, o.only)
	if o.list {
		list(out, selected)
		return true, nil
	}
	if !o.self {
		var missing []*controller
		selected, missing = built(selected, o.guests)
		for _, c := range missing {
			fmt.Fprintf(out, "skipped %s: %s is not built\n", c.name, c.file(o.guests))
		}
	}
	if len(selected) == 0 {
		return false, errors.New("nothing to play: no controller is both selected and built")
	}
	dir := o.keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "loopdock-parity-"); err != nil {
			return false, err
		}
		defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	}
	r := &runner{o: o, out: out, explained: explained, dir: dir}
	if err := r.start(ctx, selected); err != nil {
		return false, errors.Join(err, r.stop())
	}
	err = r.playAll(ctx, selected)
	return r.summary(), errors.Join(err, r.stop())
}

func list(out io.Writer, selected []*controller) {
	for _, c := range selected {
		for i := range c.scenarios {
			fmt.Fprintf(out, "%s/%s\n", c.name, c.scenarios[i].name)
		}
	}
}

// runner plays scenarios on both sides.
type runner struct {
	o          *options
	out        io.Writer
	explained  []explanation
	dir        string
	ours, peer *side

	mu      sync.Mutex
	playing map[string]time.Time
	results []*result
	total   int
}

// start starts both sides, the one after the other, for they would only be in
// each other's way.
func (r *runner) start(ctx context.Context, selected []*controller) error {
	begin := time.Now()
	var err error
	r.say("starting the peer: a control plane with kube-controller-manager")
	if r.peer, err = startSide(ctx, r.o, "peer", filepath.Join(r.dir, "peer"), nil, r.out); err != nil {
		return err
	}
	if r.o.self {
		r.say("starting the peer a second time")
		r.ours, err = startSide(ctx, r.o, "ours", filepath.Join(r.dir, "ours"), nil, r.out)
		return err
	}
	r.say("starting ours: the same without %s, and Loopdock with their guests", strings.TrimPrefix(strings.ReplaceAll(without(selected), ",-", ", "), "*, "))
	if r.ours, err = startSide(ctx, r.o, "ours", filepath.Join(r.dir, "ours"), selected, r.out); err != nil {
		return err
	}
	r.say("both are ready (%.0f s)", time.Since(begin).Seconds())
	return nil
}

func (r *runner) stop() error {
	var err error
	for _, s := range []*side{r.ours, r.peer} {
		if s != nil {
			err = errors.Join(err, s.stop())
		}
	}
	return err
}

// playAll plays the slow scenarios all at once, and a few of the others beside them.
func (r *runner) playAll(ctx context.Context, selected []*controller) error {
	r.playing = map[string]time.Time{}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var progress sync.WaitGroup
	progress.Go(func() { r.progress(ctx, cancel) }) // waited for below
	defer progress.Wait()
	defer cancel()

	slow, quick := new(errgroup.Group), new(errgroup.Group)
	quick.SetLimit(r.o.parallel)
	for _, c := range selected {
		r.total += len(c.scenarios)
		for i := range c.scenarios {
			if s := &c.scenarios[i]; s.slow {
				slow.Go(func() error { return r.playOne(ctx, c, s) })
			}
		}
	}
	for _, c := range selected {
		for i := range c.scenarios {
			if s := &c.scenarios[i]; !s.slow {
				quick.Go(func() error { return r.playOne(ctx, c, s) })
			}
		}
	}
	if err := errors.Join(quick.Wait(), slow.Wait()); err != nil {
		return errors.Join(r.peer.ended(), r.ours.ended(), err)
	}
	return nil
}

// progressEvery is how often a line tells that it goes on.
const progressEvery = 20 * time.Second

// progress tells what is under way, and ends all if a side has ended.
func (r *runner) progress(ctx context.Context, cancel context.CancelFunc) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if r.peer.ended() != nil || r.ours.ended() != nil {
			cancel()
			return
		}
		if time.Since(last) < progressEvery {
			continue
		}
		last = time.Now()
		r.mu.Lock()
		names := slices.SortedFunc(maps.Keys(r.playing), func(a, b string) int { return r.playing[a].Compare(r.playing[b]) })
		done, total, more := len(r.results), r.total, ""
		r.mu.Unlock()
		const shown = 4
		if len(names) > shown {
			names, more = names[:shown], fmt.Sprintf(" and %d more", len(names)-shown)
		}
		r.say("%d of %d played; under way: %s%s", done, total, strings.Join(names, ", "), more)
	}
}

// playOne plays a scenario, more than once where the numbers of writes ask for
// it, and notes the result. Its error is that it was interrupted.
func (r *runner) playOne(ctx context.Context, c *controller, s *scenario) error {
	name := c.name + "/" + s.name
	r.mu.Lock()
	r.playing[name] = time.Now()
	r.mu.Unlock()
	res := &result{name: name}
	rounds := r.o.rounds
	if s.slow {
		rounds = min(rounds, 2)
	}
	for try := 1; try <= rounds; try++ {
		scope := c.name + "-" + s.name
		if try > 1 {
			scope = fmt.Sprintf("%s-%d", scope, try)
		}
		if err := r.round(ctx, c, s, scope, res); err != nil {
			return err
		}
		if res.settled() {
			break
		}
	}
	res.judge(r.explained)
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.playing, name)
	r.results = append(r.results, res)
	r.print(res)
	return nil
}

// lateBy is how much later both sides are looked at again where they differ.
const lateBy = 4 * time.Second

// round plays a scenario once, on both sides at a time, and compares.
func (r *runner) round(ctx context.Context, c *controller, s *scenario, scope string, res *result) error {
	sides := [2]*stage{{side: r.ours, name: scope}, {side: r.peer, name: scope}}
	var faults [2]error
	var g errgroup.Group
	for i, st := range sides {
		g.Go(func() error {
			faults[i] = st.play(ctx, s)
			return nil
		})
	}
	_ = g.Wait()
	defer sides[0].end()
	defer sides[1].end()
	for attempt := 0; ; attempt++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if attempt > 0 {
			if err := pause(lateBy).do(ctx, nil); err != nil {
				return err
			}
		}
		var shots [2]*snapshot
		for i, st := range sides {
			var err error
			if shots[i], err = st.snapshot(ctx); err != nil {
				return err
			}
		}
		res.compare(c, shots, faults)
		if len(res.differences) == 0 || attempt == 1 {
			res.note(c, shots, faults)
			break
		}
	}
	ours, peer := sides[0].audit.count(scope, c), sides[1].audit.count(scope, c)
	if ours.native > 0 && !r.o.self {
		return fmt.Errorf("%s/%s: kube-controller-manager wrote %d times on our plane in the guest's place", c.name, s.name, ours.native)
	}
	res.rounds = append(res.rounds, round{ours: ours.done, peer: peer.done, peerOnce: peer.once})
	return nil
}

func (r *runner) say(format string, args ...any) {
	fmt.Fprintf(r.out, "# "+format+"\n", args...)
}
