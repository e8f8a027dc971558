//go:build !wasip1

package main

// Twins of the imports, so that the package builds and is vetted like any other. There
// is no host: nothing calls them.

func importRead(_, _, _, _ uint32) int32                                             { return 0 }
func importLog(_ int32, _, _ uint32)                                                 {}
func argsSizesGet(_, _ uint32) int32                                                 { return 0 }
func argsGet(_, _ uint32) int32                                                      { return 0 }
func environSizesGet(_, _ uint32) int32                                              { return 0 }
func environGet(_, _ uint32) int32                                                   { return 0 }
func clockTimeGet(_ int32, _ uint64, _ uint32) int32                                 { return 0 }
func clockResGet(_ int32, _ uint32) int32                                            { return 0 }
func pollOneoff(_, _, _, _ uint32) int32                                             { return 0 }
func schedYield() int32                                                              { return 0 }
func randomGet(_, _ uint32) int32                                                    { return 0 }
func procExit(_ int32)                                                               {}
func fdWrite(_ int32, _, _, _ uint32) int32                                          { return 0 }
func fdRead(_ int32, _, _, _ uint32) int32                                           { return 0 }
func fdFdstatGet(_ int32, _ uint32) int32                                            { return 0 }
func fdSeek(_ int32, _ int64, _ int32, _ uint32) int32                               { return 0 }
func fdClose(_ int32) int32                                                          { return 0 }
func fdPrestatGet(_ int32, _ uint32) int32                                           { return 0 }
func fdPrestatDirName(_ int32, _, _ uint32) int32                                    { return 0 }
func pathOpen(_, _ int32, _, _ uint32, _ int32, _, _ int64, _ int32, _ uint32) int32 { return 0 }
func pathFilestatGet(_, _ int32, _, _, _ uint32) int32                               { return 0 }

// The exports, for the same reason.
var _ = []any{makeRoom, describe, reconcile, place}
