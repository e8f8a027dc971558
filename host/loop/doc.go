// Package loop runs one docked controller: its queue, its workers, and what
// each ending of a reconcile does to the key.
//
// Promises:
//
//  1. Two reconciles of one key never overlap, a swap of the module included.
//  2. A key does not run before the caches that its controller reads have seen
//     the key's own last writes; until then it is parked and holds no worker.
//  3. A failed key backs off. A mere change does not cut that short; a change of
//     its object's generation does.
//  4. A write whose outcome is unknown holds the key until it is resolved.
//  5. A kind that is not served holds this controller alone, and none of its
//     workers.
//  6. Of the kinds that discovery finds for wildcard keys, one that can't be listed
//     delays a start by no more than its bound, and nothing else. Kinds that come
//     later bring their keys, and those that go take theirs along.
package loop
