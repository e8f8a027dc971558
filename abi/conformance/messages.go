package conformance

import (
	"bytes"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/abi/wire"
)

// checkRequest: every field of a request reaches the guest.
func checkRequest(b *bench) {
	kind := &abi.Kind{APIVersion: "apps/v1", Kind: "ReplicaSet"}
	for _, req := range []*abi.Request{
		command("echo"),
		{
			Controller: 1,
			Key:        &abi.Key{Group: "apps", Resource: "replicasets", Namespace: "default", Name: "echo", UID: "u-1"},
			Object: &abi.Object{
				Body: []byte("\x0a\x00"), Encoding: abi.EncodingProtobuf, ObservedNS: []int64{1, 0, -1}, Slot: 7, Unchanged: true, Kind: kind,
			},
			Reasons: []abi.Reason{
				{Type: abi.ReasonTypeUpdated, Kind: kind, Namespace: "default", Name: "web"}, {Type: abi.ReasonTypeRetry},
			},
			NowNS: 1, Seed: 1<<64 - 1, Attempt: 3, Config: []byte(`{"größe":1}`), Memo: []byte{0, 255}, Continuation: []byte("step"),
			Results: []abi.Result{
				{Outcome: abi.OutcomeOK, Name: "web", UID: "u-2", ResourceVersion: "9", Body: []byte{1}, Encoding: abi.EncodingJSON},
				{Outcome: abi.OutcomeFailed, Reason: "Invalid", Message: "no", Code: 422, Causes: []abi.Cause{{Reason: "r", Message: "m", Field: "f"}}},
			},
			Depth: 2,
		},
	} {
		b.sameRequest(req)
	}
}

// checkLargeRequest: a request may be larger than the memory that a guest begins with.
func checkLargeRequest(b *bench) {
	for _, size := range []int{1 << 16, 5 << 20, 1} {
		req := command("echo")
		req.Object = &abi.Object{Body: bytes.Repeat([]byte{7}, size), Encoding: abi.EncodingProtobuf}
		b.sameRequest(req)
	}
}

func (b *bench) sameRequest(req *abi.Request) {
	b.Helper()
	echoed := b.bytes(b.call(req, nil), "request")
	if bytes.Equal(echoed, req.Append(nil)) {
		return
	}
	var got abi.Request
	if err := got.Decode(echoed); err != nil {
		b.Fatal(err)
	}
	b.equal(req, &got)
}

// checkResponse: every field of a response reaches the host.
func checkResponse(b *bench) {
	grace, kind := int64(0), &abi.Kind{APIVersion: "v1", Kind: "Pod"}
	for _, want := range []*abi.Response{
		{},
		{Error: &abi.Error{Message: "no", Terminal: true}, Memo: []byte("left")},
		{Continues: true, ForgetsResidents: true},
		{
			Batches: []abi.Batch{
				{Mode: abi.BatchModeSlowStart, Actions: []abi.Action{{Verb: abi.VerbCreate, Kind: kind, Namespace: "default", Body: []byte{10, 0}, WantBody: true}}},
				{
					Mode: abi.BatchModeParallel, Always: true, Actions: []abi.Action{
						{
							Verb: abi.VerbUpdate, Kind: kind, Namespace: "default", Name: "web", Subresource: "status", Body: []byte("{}"),
							Encoding: abi.EncodingJSON, BodyKind: kind, FieldManager: "m", UID: "u", ResourceVersion: "1", DependsOn: 1,
							ResourceVersionFromDependency: true, Tolerates: []string{"Conflict", ""}, DryRun: true,
						},
						{Verb: abi.VerbApply, Kind: kind, PatchType: abi.PatchTypeStrategic, Force: true},
						{Verb: abi.VerbDelete, Kind: kind, Name: "web", Propagation: abi.PropagationOrphan, GracePeriodSeconds: &grace},
						{Verb: abi.VerbDeleteCollection, Kind: kind, LabelSelector: "a=b", FieldSelector: "c=d"},
						{Verb: abi.VerbEvent, Kind: kind, Name: "web", Event: &abi.Event{Type: "Normal", Reason: "Made", Message: "größe"}},
						{Verb: abi.VerbExternal, External: &abi.External{Provider: "p", Operation: "o", Payload: []byte{0}}},
					},
				},
			},
			RequeueAfterNS: 1, Memo: []byte{1, 0}, Continuation: []byte("step"),
			Metrics: []abi.Sample{{Name: "seconds", Labels: []string{"one", ""}, Value: -0.5}},
		},
	} {
		req := command("respond")
		req.Config = want.Append(nil)
		got, _, err := b.try(req, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.equal(want, got)
	}
}

// checkUnknownFields: what a later version of the ABI may add to a response is skipped.
func checkUnknownFields(b *bench) {
	req := command("raw")
	req.Config = wire.AppendUint(nil, 1000, 7)
	req.Config = (&abi.Response{RequeueAfterNS: 5}).Append(wire.AppendFixed64(req.Config, 1001, 8))
	req.Config = wire.AppendString(req.Config, 1002, "nine")
	got, _, err := b.try(req, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.equal(&abi.Response{RequeueAfterNS: 5}, got)
}

// checkBrokenResponse: an answer that is none fails the call.
func checkBrokenResponse(b *bench) {
	b.fails(command("malformed"), nil)
	b.fails(command("outside"), nil)
}

// checkLargeResponse: a response may be large as well.
func checkLargeResponse(b *bench) {
	req := command("large")
	req.Config = encode(5 << 20)
	got := b.bytes(b.call(req, nil), "large")
	if !bytes.Equal(got, bytes.Repeat([]byte{0x5a}, 5<<20)) {
		b.Errorf("%d bytes came, and not 5 MiB of 0x5a", len(got))
	}
}
