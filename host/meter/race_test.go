//go:build race

package meter_test

// sampled says that tests which compile much do a part of it: the race detector
// makes the compiler ten times slower.
const sampled = true
