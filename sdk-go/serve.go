package sdk

import (
	"errors"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/view"
)

// describe answers the host's describe: the module's manifest.
func describe() []byte { return memory.encode(registered.manifest()) }

// serve answers the host's reconcile: a request in, a response out, which is
// good until the next call.
func serve(request []byte) []byte {
	memory.forget()
	var req abi.Request
	if err := req.Decode(request); err != nil {
		return memory.encode(refusal(err.Error()))
	}
	if int(req.Controller) >= len(registered.Controllers) {
		return memory.encode(refusal("the module has no controller with that number"))
	}
	c := &registered.Controllers[req.Controller]
	r := newReconcile(c, &req)
	err := c.call(r)
	return memory.encode(r.response(err))
}

// call runs the author's function. A panic is logged in one line, as the
// runtime's own report is long, and goes on: what it left behind can't be
// trusted, so the instance has to end.
func (c *Controller) call(r *Reconcile) error {
	defer func() {
		if p := recover(); p != nil {
			logLine(abi.LevelError, "reconcile panicked", []any{"controller", c.Name, "panic", p})
			panic(p)
		}
	}()
	return c.Reconcile(r)
}

func (r *Reconcile) response(err error) *abi.Response {
	out := &abi.Response{
		Batches:        r.encode(),
		RequeueAfterNS: int64(r.requeue),
		Memo:           r.memo,
		Metrics:        r.samples,
		Continues:      r.continues,
		Continuation:   r.next,
	}
	if err != nil {
		_, terminal := errors.AsType[*terminalError](err)
		out.Error = &abi.Error{Message: err.Error(), Terminal: terminal, Reason: reasonOf(err)}
	}
	return out
}

// reasonOf is the reason of the failed action or read that an error comes from,
// empty for others.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*ActionError](err); ok {
		return e.Reason
	}
	if e, ok := errors.AsType[*ReadError](err); ok {
		return e.Reason
	}
	return ""
}

// refusal is the answer to a request that this module can't serve: retrying
// the same bytes would not help.
func refusal(message string) *abi.Response {
	return &abi.Response{Error: &abi.Error{Message: message, Terminal: true}}
}

// Where protobuf objects hold their metadata, and it the UID.
const (
	fieldMetadata = 1
	fieldUID      = 5
)

// primaryUID is the UID of the key's object, empty where only the host can
// tell: it knows the object too.
func primaryUID(req *abi.Request) string {
	if req.Object == nil || req.Object.Encoding == abi.EncodingJSON {
		return req.Key.UID
	}
	return view.String(view.Bytes(req.Object.Body, fieldMetadata), fieldUID)
}
