// Package wire reads and writes the protobuf wire format, by hand and without
// reflection, since every guest carries it: the general libraries pull fmt in,
// which alone adds 0.74 MB to a guest.
//
// It is the only place that reads bytes which come from the other side of the
// wall. It is checked in tests against google.golang.org/protobuf's protowire,
// by fuzzing as well.
package wire
