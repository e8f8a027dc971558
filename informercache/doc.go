// Package informercache watches the API server and keeps each object once, as
// the bytes that came. Nothing is decoded but the metadata; queries are
// answered from indexes.
//
// What it promises, each with a test of the same number:
//
//  1. Identity. Within a [Target] an object is its namespace and name. There is
//     never more than one object of an identity, and a query never shows two.
//  2. Order. States of one object may be skipped but are never reordered: what
//     a subscriber is told, and what queries show, only moves forward. Nothing
//     is promised about the order of changes of different objects.
//  3. One moment. A query is answered from one moment of its watch: no change,
//     and no relist, is ever seen by half. Two queries are two moments.
//  4. Immutability. An [Object] and the bytes it returns never change, and may
//     be kept as long as one likes. They must not be written to.
//  5. Rebirth. An object that comes back under its name with another UID is a
//     delete and an add, in that order, however the server told it.
//  6. Bytes. An object holds the message that the server sent without the
//     "k8s\0" envelope and without managedFields, and otherwise byte for byte;
//     fields that nobody here knows are among them. What the server does not
//     serve as protobuf is held as JSON, cut the same way.
//  7. Visibility. When [Watch.Reached] says that a version was reached, queries
//     show the change that made this version or a later one. [Watch.WaitFor]
//     returns nil after that, and otherwise an error when its context ends or
//     the watch is released; it never gives up by itself. Versions that do not
//     compare (some aggregated APIs) are not waited for once the watch is in sync.
//  8. Sharing. There is one watch for a target, whoever asks and however often;
//     it holds the union of what its users demand. Widening a watch does not
//     restart it.
//  9. Patience. A kind that the server does not serve, or that may not be
//     listed, holds up nobody else: its watch says so in its [Status] and keeps
//     trying, a few seconds apart for a kind that is not served, and up to half
//     a minute otherwise.
//  10. Removal. When a kind stops being served, its objects stay as they were
//     last seen until a watch or a list says that they are gone, as client-go's
//     informers do: an API server that no longer serves a version has not
//     deleted anything. (Where a CustomResourceDefinition is removed, the server
//     deletes its objects first, and the watch reports that.)
//  11. Relists. After a break that lost events the store is replaced as a whole;
//     subscribers are told the differences, then [Subscriber].Progressed with
//     relisted set. The list is the truth, even if it is older than the store
//     (an API server restored from a backup).
//  12. Level. After [Watch.Level] returned nil, queries show for every object
//     the state it had when Level was called, or a later one. It asks the server by a
//     consistent list, and relies neither on bookmarks nor on the watch being
//     in time.
//  13. Observed fields. For a field that a user declared as observed, an object
//     tells when, by the local clock, it was last seen to change. Changes of
//     other fields, relists and restarts of the watch do not move that time.
//  14. Release. With its last user a watch ends: its goroutine, its objects and
//     its metrics. Nothing is reported as deleted.
//
// Subscribers are called on the watch's goroutine after the store is unlocked,
// so that they see at least the state that they are told of, and maybe a
// later one; they must be prompt, since the watch waits for them.
package informercache
