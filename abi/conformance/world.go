package conformance

import (
	"bytes"
	"math"
	"slices"
	"time"

	"github.com/loopdock/loopdock/abi"
)

// checkLog: lines come in order with their levels, and are UTF-8.
func checkLog(b *bench) {
	_, lines, err := b.try(command("log"), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.equal([]line{
		{abi.LevelDebug, "level -4"},
		{abi.LevelInfo, "level 0"},
		{abi.LevelWarn, "level 4"},
		{abi.LevelError, "level 8"},
		{abi.LevelInfo, "größe \U0001F6E5"},
		{abi.LevelInfo, "bad \uFFFD bytes"},
	}, lines)
}

// checkStdio: what is printed is lines as well, also the last one without an end, and
// none of it shows up in the next call.
func checkStdio(b *bench) {
	for range 2 {
		_, lines, err := b.try(command("stdio"), nil)
		if err != nil {
			b.Fatal(err)
		}
		b.equal([]line{
			{abi.LevelInfo, "out one"}, {abi.LevelInfo, "out two"}, {abi.LevelWarn, "err"}, {abi.LevelInfo, "no end"},
		}, lines)
	}
}

// checkTime: both clocks begin at the request's time and stand still; a sleep moves
// them by what was asked for, and is over at once.
func checkTime(b *bench) {
	req := command("time")
	now, nap := req.NowNS, int64(25*time.Minute)
	b.wantNumbers(b.call(req, nil), map[string]int64{
		"wall": now, "monotonic": now, "wall-again": now, "poll": 0,
		"wall-after": now + nap, "monotonic-after": now + nap,
		"slept": nap, "poll-absolute": notsup, "wall-in-the-end": now + 2*nap,
	})
}

// checkTimeOfEachRequest: the next call begins at its own time, also an earlier one.
func checkTimeOfEachRequest(b *bench) {
	for _, now := range []int64{2e18, 1, 1e18, math.MaxInt64 / 2} {
		req := command("time")
		req.NowNS = now
		b.wantNumbers(b.call(req, nil), map[string]int64{"wall": now, "monotonic": now})
	}
}

// checkRandom: the same seed gives the same numbers, in every instance and in every
// piece that is asked for; another seed gives others.
func checkRandom(b *bench) {
	numbers := func(seed uint64) []byte {
		req := command("random")
		req.Seed = seed
		var all [][]byte
		for _, i := range b.call(req, nil) {
			if i.Name == "random" {
				all = append(all, i.Body)
			}
		}
		return slices.Concat(all...)
	}
	first := numbers(7)
	if len(first) != 40 {
		b.Fatalf("%d bytes came, and not 40", len(first))
	}
	if bytes.Equal(first[:8], first[8:16]) {
		b.Error("the numbers repeat themselves")
	}
	b.equal(first, numbers(7))
	if bytes.Equal(first, numbers(8)) {
		b.Error("another seed gives the same numbers")
	}
	b.guest = b.dock()
	b.equal(first, numbers(7))
}

// checkSleep: two halves of an hour are allowed in one call, a third is not.
func checkSleep(b *bench) {
	req := command("sleep")
	req.Config = encode(2)
	b.equal(told{{"poll", encode(0)}, {"poll", encode(0)}}, b.call(req, nil))
	req.Config = encode(3)
	b.fails(req, nil)
}

// checkExit: an exit is a failure, whatever its code, and what was logged before it is
// not lost.
func checkExit(b *bench) {
	for _, code := range []int64{0, 3, -1} {
		req := command("exit")
		req.Config = encode(code)
		b.equal([]line{{abi.LevelInfo, "about to exit"}}, b.fails(req, nil))
	}
}

// checkTrap: a trap is one as well. A runtime may have its own last words.
func checkTrap(b *bench) {
	lines := b.fails(command("trap"), nil)
	if len(lines) == 0 || lines[0] != (line{abi.LevelInfo, "about to trap"}) {
		b.Errorf("before it trapped the guest logged %v", lines)
	}
}
