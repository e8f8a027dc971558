// Package policy decides what a controller may do and read: what its manifest
// asks for, cut by what its operator grants. It decides over messages alone and
// asks nobody.
//
// It promises:
//
//  1. What is not granted is denied. A nil Grant denies everything but Events.
//  2. The version of a kind is no boundary, as in RBAC: a right on "apps/v1"
//     Deployments is one on "apps/v1beta1" Deployments. Group and kind are.
//  3. A right that names namespaces covers neither other namespaces, nor all of
//     them at once, nor anything cluster-scoped.
//  4. A kind that is not named is covered by a rule for "*" only.
//  5. Live reads, and reads of kinds known by group and resource only, must be
//     declared as such.
//  6. Server-side apply is the verb patch. Events are always allowed, and so are
//     discovery and the controller's own memos.
//  7. Each refusal says in one line what was refused, and its Hint is the line
//     that would have allowed it.
package policy
