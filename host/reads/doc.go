// Package reads answers a guest's queries. It is the only way by which a guest
// learns anything about the cluster, and the hottest path of the host.
//
// Each query is checked against the grant, noted as a subscription, answered
// from the cache or, where it says so, by the API server, and encoded as asked.
// A query that can't be answered gets an answer that says why; only queries
// that don't decode fail the call.
package reads
