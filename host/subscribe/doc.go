// Package subscribe remembers what each key read, and tells which keys a
// change concerns: those to which an answer would now differ in the fields
// that matter to them.
//
// Promises, each with a test of its name:
//
//  1. A read is noted before the cache is asked, so no change between the two
//     is missed.
//  2. A key that reconciles again loses the reads that it did not repeat, but
//     only once the reconcile has ended well.
//  3. A change costs look-ups by name, owner, index value and label, never a
//     scan of all subscriptions.
//  4. Equal queries are stored once, whoever asks.
//  5. A key is named once a change, however many of its reads match.
package subscribe
