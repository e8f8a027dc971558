package main

import (
	"encoding/binary"
	"errors"
	"time"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/coordinationv1"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// memory is what is known of a node from earlier looks.
type memory struct {
	uid       string
	heartbeat string    // of its Ready condition, as it came
	heard     time.Time // when this host last heard of the node
	judged    time.Time // when its health was last judged
}

// heartbeat is when the node's condition Ready was last reported, as it came, and
// whether it was.
func (n *node) heartbeat() string {
	if n.ready == nil {
		return "none"
	}
	return string(n.ready.LastHeartbeatTime())
}

// listen judges whether a node has been silent for too long. Times are those at
// which this host saw something change, never those that others have written.
func listen(r *sdk.Reconcile, set settings, n *node, was memory) (silent bool, is memory, err error) {
	now := r.Now()
	is = memory{uid: n.meta.UID(), heartbeat: n.heartbeat(), heard: was.heard, judged: was.judged}
	grace := set.grace
	if n.ready == nil {
		grace = set.startup
	}
	switch {
	case was.uid == "" && n.ready == nil: // it has a while from its registration on
		is.heard = n.meta.CreationTimestamp().Time()
	case was.uid == "" || is.heartbeat != was.heartbeat:
		is.heard = now
	}
	lease, err := renewed(r, n)
	if err != nil {
		return false, is, err
	}
	resumed, err := resumedAt(r)
	if err != nil {
		return false, is, err
	}
	is.heard = later(is.heard, later(lease.seen, resumed))
	if was.uid == "" {
		is.judged = now
	}
	due := later(is.heard.Add(grace), is.judged.Add(set.period))
	if now.Before(due) {
		if n.ready.Status() != corev1.ConditionUnknown {
			r.RequeueAfter(due.Sub(now))
		}
		return false, is, nil
	}
	is.judged = now
	if n.ready != nil && n.ready.Status() == corev1.ConditionUnknown {
		return false, is, nil // what could be said is said already
	}
	stale, err := outdated(r, n, lease.version)
	if err != nil || stale {
		is.judged = was.judged
		r.RequeueAfter(set.period)
		return false, is, err
	}
	return true, is, nil
}

// leaseSight is what the cache has of a node's Lease.
type leaseSight struct {
	version string
	seen    time.Time // when it was seen to be renewed, zero for never
}

func renewed(r *sdk.Reconcile, n *node) (leaseSight, error) {
	o, err := r.Get(sdk.Query{Kind: kindLease, Namespace: leaseNamespace, Name: n.meta.Name(), Quiet: true})
	if errors.Is(err, sdk.ErrNotFound) {
		return leaseSight{}, nil
	}
	return leaseSight{coordinationv1.Lease(o.Body).Metadata().ResourceVersion(), sdk.ObservedAt(&o, 0)}, err
}

// outdated reports whether the API server has another Lease than the cache: then a
// node must not be declared silent on the cache's word.
func outdated(r *sdk.Reconcile, n *node, version string) (bool, error) {
	lease, err := sdk.Get[coordinationv1.Lease](r, sdk.Query{Kind: kindLease, Namespace: leaseNamespace, Name: n.meta.Name(), Live: true})
	if errors.Is(err, sdk.ErrNotFound) {
		return false, nil
	}
	return lease.Metadata().ResourceVersion() != version, err
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

func (m *memory) encode() []byte {
	b := binary.AppendVarint(nil, nanos(m.heard))
	b = binary.AppendVarint(b, nanos(m.judged))
	b = append(append(b, m.uid...), '\n')
	return append(b, m.heartbeat...)
}

func decodeMemory(b []byte) memory {
	heard, b := varint(b)
	judged, b := varint(b)
	for i, c := range b {
		if c == '\n' {
			return memory{uid: string(b[:i]), heartbeat: string(b[i+1:]), heard: moment(heard), judged: moment(judged)}
		}
	}
	return memory{}
}

func varint(b []byte) (int64, []byte) {
	v, n := binary.Varint(b)
	return v, b[max(n, 0):]
}

// nanos and moment turn times into numbers and back; zero is the zero time.
func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func moment(nanos int64) time.Time {
	if nanos == 0 {
		return time.Time{}
	}
	return time.Unix(0, nanos).UTC()
}
