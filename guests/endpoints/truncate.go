package main

import "math"

// capacity is how many addresses Endpoints hold at most.
const capacity = 1000

// truncate takes addresses away where there are too many, first such as are not
// ready, from each subset in proportion. It reports whether it had to.
func truncate(list []subset) bool {
	ready, notReady := 0, 0
	for _, s := range list {
		ready += len(s.ready)
		notReady += len(s.notReady)
	}
	if ready+notReady <= capacity {
		return false
	}
	room, of := capacity-ready, notReady
	if ready > capacity {
		room, of = capacity, ready
	}
	left := room
	for i := range list {
		s := &list[i]
		if ready > capacity {
			s.ready = s.ready[:share(len(s.ready), of, room, left)]
			s.notReady = nil
			left -= len(s.ready)
			continue
		}
		s.notReady = s.notReady[:share(len(s.notReady), of, room, left)]
		left -= len(s.notReady)
	}
	return true
}

// share is how many of n addresses may stay, n being a part of a total that has
// only so much room, of which some is left.
func share(n, total, room, left int) int {
	return min(n, left, int(math.Ceil(float64(n)/float64(total)*float64(room))))
}
