package writer

import (
	"context"
	"crypto/rand"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilrand "k8s.io/apimachinery/pkg/util/rand"

	"github.com/loopdock/loopdock/abi"
)

// Names are drawn as the API server draws them.
const (
	suffixLength = 5
	longestBase  = 63 - suffixLength
	// draws is how many names are tried that turn out to be taken.
	draws = 5
)

// randomSuffix is a suffix in the alphabet of Kubernetes' generated names.
func randomSuffix() string {
	b := make([]byte, suffixLength)
	_, _ = rand.Read(b) // never fails
	for i := range b {
		b[i] &= 0x7f // SafeEncodeString takes runes, not bytes
	}
	return utilrand.SafeEncodeString(string(b))
}

// create creates an object once.
func (w *Writer) create(ctx context.Context, t *task) done {
	for try := 1; ; try++ {
		sent := *t
		if err := w.draw(&sent); err != nil {
			return failure(err)
		}
		ans, f, err := w.client.send(ctx, sent.call(w.cfg.Controller))
		if err == nil {
			return w.success(ctx, &sent, ans)
		}
		if !apierrors.IsAlreadyExists(err) {
			return w.fate(ctx, &sent, f, err)
		}
		switch again := f.begun.Load() > 1; { // by the transport
		case sent.drawn && !again && try < draws:
			continue
		case sent.drawn && again, !sent.drawn && w.mayBeOurs(t):
			return w.taken(ctx, &sent, err)
		}
		return failure(err)
	}
}

// draw draws the name of an object that has only the beginning of one.
func (w *Writer) draw(t *task) error {
	if t.name != "" || t.generateName == "" {
		return nil
	}
	t.name = t.generateName[:min(len(t.generateName), longestBase)] + w.suffix()
	t.drawn = true
	var err error
	if t.body, err = (edit{name: t.name}).object(t.encoding, t.body); err != nil {
		return invalid("cannot set the name in the body: %w", err)
	}
	return nil
}

// mayBeOurs reports whether it is worth looking at who controls an object that
// exists already.
func (w *Writer) mayBeOurs(t *task) bool {
	if t.owner.UID == "" || t.action.DryRun {
		return false
	}
	tolerated := tolerate(t.action, done{result: abi.Result{Outcome: abi.OutcomeFailed, Reason: "AlreadyExists", Code: 1}, err: errInvalid})
	return tolerated.err != nil
}

// taken decides over a create whose name exists already: it is success if the
// object is ours, and not about to go.
func (w *Writer) taken(ctx context.Context, t *task, exists error) done {
	o, err := w.get(ctx, t.unknown(exists), t.action.WantBody)
	if err != nil || o.terminating || o.controller != t.owner.UID {
		return failure(exists)
	}
	return t.succeeded(&o)
}
