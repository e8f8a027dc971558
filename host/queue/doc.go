// Package queue holds the keys of one controller that wait for a reconcile: a
// client-go workqueue with priorities, with back-off that a mere event does not
// cut short, and with keys that are parked.
//
// It promises:
//
//  1. A key is with one worker at a time, and waits at most once, however often
//     it is added.
//  2. A key that is added while it is with a worker comes again after Done.
//  3. Normal keys go before low ones; within a priority it is first come, first
//     served. A key that is added again at a higher priority moves up.
//  4. After Fail a key comes when its back-off has passed, and not earlier,
//     whatever Add and AddAfter say meanwhile. Only AddNow cuts it short.
//  5. After AddAfter a key comes when the time has passed, or earlier for any
//     other cause; a run makes the requests that came before it obsolete. Of
//     several requests the earliest counts.
//  6. A parked key is not handed to a worker. What would have queued it
//     meanwhile does so when it is unparked.
//  7. Len, and the depth in the metrics, count the keys that are ready.
//
// # Notes
//
//   - All methods may be called from any goroutine. Park, Fail, Forget and
//     AddAfter are best called by the key's worker before Done: the key is then
//     held without a gap.
//   - A key that comes again after Done counts as an add at that moment, not
//     when the event came.
package queue
