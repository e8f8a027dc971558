package informercache

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
)

// Phase is how a watch stands.
type Phase string

// The phases of a watch.
const (
	// Waiting: the server does not serve the kind (yet).
	Waiting Phase = "Waiting"
	// Forbidden: the host may not list and watch the kind.
	Forbidden Phase = "Forbidden"
	// Listing: the first list is under way.
	Listing Phase = "Listing"
	// Synced: the store follows the server.
	Synced Phase = "Synced"
	// Failing: the server cannot be asked, or its answers cannot be read.
	Failing Phase = "Failing"
)

// Status tells how a watch stands. A watch that was in sync keeps answering
// from its store whatever the phase.
type Status struct {
	Phase Phase
	// Message is one line that names kind, reason and remedy; "" when all is well.
	Message string
	// Encoding is how objects come; zero until something came.
	Encoding Encoding
}

// status is a Status under construction. It logs when the phase changes.
type status struct {
	target Target
	logger *slog.Logger
	store  *store

	mu     sync.Mutex
	now    Status
	broken bool // the last body could not be read
}

// get gives the status. Who has seen the first list in the store does not see it
// awaited here, though that is noted a moment later.
func (s *status) get() Status {
	_, synced := s.store.current()
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now
	if synced && now.Phase == Listing {
		now.Phase = Synced
	}
	return now
}

func (s *status) set(p Phase, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now.Phase != p {
		tell := s.logger.Info
		if s.isNoNews(p) {
			tell = s.logger.Debug
		}
		tell("watch "+string(p), "target", s.target.String(), "reason", message)
	}
	s.now.Phase, s.now.Message = p, message
}

// isNoNews reports whether a phase says that all goes well, of a watch of metadata:
// there may be one of every kind.
func (s *status) isNoNews(p Phase) bool {
	return s.target.MetadataOnly && (p == Listing || p == Synced)
}

// asking notes that the server is asked, if nothing is known yet.
func (s *status) asking() {
	if p := s.get().Phase; p == Waiting {
		s.working()
	}
}

// working notes that the server answers.
func (s *status) working() {
	_, synced := s.store.current()
	s.mu.Lock()
	broken := s.broken
	s.mu.Unlock()
	switch {
	case broken:
	case synced:
		s.set(Synced, "")
	default:
		s.set(Listing, "")
	}
}

// saw notes the encoding of a body, and whether it could be read.
func (s *status) saw(e Encoding, err error) {
	s.mu.Lock()
	s.now.Encoding, s.broken = e, err != nil
	s.mu.Unlock()
	if err != nil {
		s.set(Failing, fmt.Sprintf("cannot read %s from the server: %v; the server may be newer than this host knows", s.target, err))
	}
}

// failed notes that the server was asked and did not give what was asked for.
func (s *status) failed(verb string, err error) {
	switch {
	case errors.Is(err, context.Canceled):
	case apierrors.IsResourceExpired(err), apierrors.IsGone(err), apierrors.IsTooManyRequests(err):
		// the Reflector deals with these by itself
	case meta.IsNoMatchError(err), apierrors.IsNotFound(err):
		s.set(Waiting, fmt.Sprintf("%s is not served by the API server; install what provides it (a CustomResourceDefinition or an API service): it is picked up within seconds", s.target))
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		s.set(Forbidden, fmt.Sprintf("cannot %s %s: %v; grant the host's user list and watch on it", verb, s.target, err))
	default:
		s.set(Failing, fmt.Sprintf("cannot %s %s: %v; it is tried again", verb, s.target, err))
	}
}
