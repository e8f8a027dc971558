// Package elect lets one host of several act: the one that holds a Lease. It
// wraps client-go's leader election, which elects but does not fence, and adds
// the fence that writers ask.
//
// It promises:
//
//  1. Run calls lead while this host holds the lease, at most once at a time,
//     and returns when lead has returned.
//  2. The context of lead ends with Run's, and when the lease is lost.
//  3. The lease is released after lead has returned, never before, so that the
//     next holder does not act beside this one. If lead takes too long, the
//     lease is not released and runs out by itself.
//  4. The fence is open only while less than RenewDeadline has passed since the
//     last successful renewal was sent: measured by the clock that has advanced
//     more, the monotonic or the wall clock, as the former stands still while
//     a machine is suspended. Since others wait for LeaseDuration, which is
//     longer, nobody else holds the lease while the fence is open.
//  5. The fence closes as soon as another holder is seen, or the lease is given
//     up.
//  6. Without election, lead is called at once and the fence is always open.
package elect
