package main

import (
	"time"

	"github.com/loopdock/loopdock/abi"
)

// logLines logs a line on each level, an empty one, and one that is not UTF-8.
func logLines(_ *abi.Request, _ *answer) {
	for _, level := range []int32{abi.LevelDebug, abi.LevelInfo, abi.LevelWarn, abi.LevelError} {
		log(level, "level "+decimal(int64(level)))
	}
	log(abi.LevelInfo, "größe \U0001F6E5")
	log(abi.LevelInfo, "bad \xff bytes")
}

func log(level int32, line string) {
	b := keep([]byte(line))
	importLog(level, at(b), uint32(len(b))) //nolint:gosec // lengths in a guest
}

// stdio prints two lines on stdout in three pieces, one on stderr, and a line without
// an end.
func stdio(_ *abi.Request, _ *answer) {
	for _, piece := range []string{"out one\nou", "t", " two\n"} {
		write(1, piece)
	}
	write(2, "err\n")
	write(1, "no end")
}

// write prints, and gives the error code and how much was written.
func write(fd int32, s string) (int32, uint32) {
	b, done := keep([]byte(s)), keep(make([]byte, 4))
	code := fdWrite(fd, at(vector(b)), 1, at(done))
	return code, uint32(number(done)) //nolint:gosec // four bytes
}

// vector is a list of one buffer, as WASI takes it.
func vector(b []byte) []byte {
	v := keep(make([]byte, 8))
	put(v, at(b))
	put(v[4:], uint32(len(b))) //nolint:gosec // lengths in a guest
	return v
}

func put(b []byte, n uint32) {
	for i := range 4 {
		b[i] = byte(n >> (8 * i)) //nolint:gosec // its low bits
	}
}

// clocks tells what both clocks show before and after a sleep of 25 minutes, and sleeps
// for as long by Go's own library.
func clocks(_ *abi.Request, a *answer) {
	a.number("wall", clock(0))
	a.number("monotonic", clock(1))
	a.number("wall-again", clock(0))
	a.number("poll", int64(poll(25*time.Minute, 0)))
	a.number("wall-after", clock(0))
	a.number("monotonic-after", clock(1))
	before := time.Now()                         //nolint:forbidigo // the guest's own clock is what is tried
	time.Sleep(25 * time.Minute)                 //nolint:forbidigo // over at once
	a.number("slept", int64(time.Since(before))) //nolint:forbidigo // as above
	a.number("poll-absolute", int64(poll(25*time.Minute, 1)))
	a.number("wall-in-the-end", time.Now().UnixNano()) //nolint:forbidigo // as above
}

func clock(id int32) int64 {
	b := keep(make([]byte, 8))
	if code := clockTimeGet(id, 1, at(b)); code != 0 {
		return -int64(code)
	}
	return number(b)
}

// poll sleeps by poll_oneoff, and gives the error code.
func poll(d time.Duration, flags byte) int32 {
	in, out, n := keep(make([]byte, 48)), keep(make([]byte, 32)), keep(make([]byte, 4))
	in[16], in[40] = 1, flags // the monotonic clock; the flag 1 means a time, and not a duration
	for i := range 8 {
		in[24+i] = byte(d >> (8 * i)) //nolint:gosec // its low bits
	}
	return pollOneoff(at(in), at(out), 1, at(n))
}

// randomNumbers tells 40 random bytes, in two pieces.
func randomNumbers(_ *abi.Request, a *answer) {
	for _, n := range []uint32{8, 32} {
		b := keep(make([]byte, n))
		a.number("code", int64(randomGet(at(b), n)))
		a.tell("random", b)
	}
}

// sleep sleeps for half an hour, as often as the configuration says.
func sleep(req *abi.Request, a *answer) {
	for range number(req.Config) {
		a.number("poll", int64(poll(30*time.Minute, 0)))
	}
}

// exit ends the instance with the code that the configuration says.
func exit(req *abi.Request, _ *answer) {
	log(abi.LevelInfo, "about to exit")
	procExit(int32(number(req.Config))) //nolint:gosec // small
}

// trap ends it as a defect does.
func trap(_ *abi.Request, _ *answer) {
	log(abi.LevelInfo, "about to trap")
	panic("on purpose")
}
