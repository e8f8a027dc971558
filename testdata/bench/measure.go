package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/loopdock/loopdock/cmd/plane"
)

// A benchmark is some work that both sides do.
type benchmark struct {
	name    string
	modules []string // whose controllers run
	plane   plane.Config
	// figures are what a round comes to, in order.
	figures []figure
	// do does one round on a fresh plane, on which the side's controllers run, and
	// gives a number for each figure.
	do func(ctx context.Context, s *side) ([]float64, error)
	// late leaves it to do to start the side's controllers.
	late bool
	// rounds bounds the number of rounds of what takes long; 0 means no bound.
	rounds int
}

// A figure is one line of the result.
type figure struct{ name, unit string }

// roundIn bounds one round.
const roundIn = 15 * time.Minute

// measure runs a benchmark on both sides in turns, and gives its lines.
func measure(ctx context.Context, o *options, b *benchmark) ([]string, error) {
	rounds := o.rounds
	if b.rounds > 0 {
		rounds = min(rounds, b.rounds)
	}
	numbers := map[string][][]float64{} // by side, a row a round
	for round := range rounds {
		sides := []string{ours, peer}
		if round%2 == 1 {
			slices.Reverse(sides)
		}
		for _, name := range sides {
			row, err := playRound(ctx, o, b, name)
			if err != nil {
				return nil, fmt.Errorf("round %d of %s: %w", round+1, name, err)
			}
			numbers[name] = append(numbers[name], row)
			fmt.Printf("# %s round %d of %d %s:", b.name, round+1, rounds, name)
			for i, f := range b.figures {
				fmt.Printf(" %s %s", number(row[i]), f.unit)
			}
			fmt.Println()
		}
	}
	lines := make([]string, 0, len(b.figures))
	for i, f := range b.figures {
		a, p := median(numbers[ours], i), median(numbers[peer], i)
		lines = append(lines, fmt.Sprintf("BENCH %s ours=%s peer=%s unit=%s ratio=%.3f", f.name, number(a), number(p), f.unit, a/p))
	}
	return lines, nil
}

func playRound(ctx context.Context, o *options, b *benchmark, name string) (row []float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, roundIn)
	defer cancel()
	dir, err := os.MkdirTemp("", "loopdock-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	s, err := newSide(ctx, o, b, name, dir)
	if err != nil {
		return nil, err
	}
	defer s.stop()
	if !b.late {
		if err := s.begin(ctx); err != nil {
			return nil, err
		}
	}
	row, err = b.do(ctx, s)
	if err == nil && len(row) != len(b.figures) {
		err = fmt.Errorf("%d numbers for %d figures", len(row), len(b.figures))
	}
	return row, err
}

// median is that of a column.
func median(rows [][]float64, column int) float64 {
	all := make([]float64, 0, len(rows))
	for _, row := range rows {
		all = append(all, row[column])
	}
	slices.Sort(all)
	n := len(all)
	if n%2 == 1 {
		return all[n/2]
	}
	return (all[n/2-1] + all[n/2]) / 2
}

// number writes a figure with four digits that count.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
