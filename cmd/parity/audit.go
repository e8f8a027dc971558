package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// auditPolicy notes writes, once each is answered. Of Events it also notes the
// body, for only that says whose they are.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Request
  verbs: [create, update, patch]
  resources:
  - group: ""
    resources: [events]
  - group: events.k8s.io
    resources: [events]
- level: None
  resources:
  - group: coordination.k8s.io
    resources: [leases]
- level: Metadata
  verbs: [create, update, patch, delete, deletecollection]
`

// auditEvent is what is read of a line of the audit log.
type auditEvent struct {
	Verb string `json:"verb"`
	User struct {
		Username string `json:"username"`
	} `json:"user"`
	ImpersonatedUser *struct {
		Username string `json:"username"`
	} `json:"impersonatedUser"`
	UserAgent string `json:"userAgent"`
	ObjectRef *struct {
		Resource    string `json:"resource"`
		Namespace   string `json:"namespace"`
		Name        string `json:"name"`
		Subresource string `json:"subresource"`
	} `json:"objectRef"`
	ResponseStatus *struct {
		Code int `json:"code"`
	} `json:"responseStatus"`
	RequestObject *struct {
		InvolvedObject struct {
			Name string `json:"name"`
		} `json:"involvedObject"`
		Source struct {
			Component string `json:"component"`
		} `json:"source"`
	} `json:"requestObject"`
}

// A write is one request that the API server has answered.
type write struct {
	user      string // for whom; of an Event, its source
	component bool   // user is an Event's source
	driver    bool   // it was the scenario's own
	native    bool   // it was kube-controller-manager's
	what      string // such as "replicasets/status update"
	object    string // its resource, namespace and name
	code      int
	at        time.Time // when it was read
}

// scopeMark parts a scenario's name, which is that of its namespace, from what
// its further namespaces and cluster-scoped objects are called.
const scopeMark = "--"

// driverAgent is the user agent of the scenarios' own requests.
const driverAgent = "parity"

// nativeAgent begins kube-controller-manager's user agents.
const nativeAgent = "kube-controller-manager"

// audit follows an audit log and sorts its writes by scenario.
type audit struct {
	mu     sync.Mutex
	writes map[string][]write
	source map[string]string // of each Event, by namespace and name
}

func newAudit() *audit { return &audit{writes: map[string][]write{}, source: map[string]string{}} }

// follow reads the log until ctx ends.
func (a *audit) follow(ctx context.Context, path string) error {
	f, err := os.Open(path) //nolint:gosec // our own plane's
	if err != nil {
		return fmt.Errorf("cannot read the audit log: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	r := bufio.NewReaderSize(f, 1<<20)
	var part []byte
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		line, err := r.ReadBytes('\n')
		part = append(part, line...)
		switch {
		case err == nil:
			if err := a.add(part, time.Now()); err != nil {
				return err
			}
			part = part[:0]
		case !errors.Is(err, io.EOF):
			return fmt.Errorf("cannot read the audit log: %w", err)
		default:
			select {
			case <-ctx.Done():
				return nil
			case <-tick.C:
			}
		}
	}
}

// add takes one line.
func (a *audit) add(line []byte, at time.Time) error {
	var e auditEvent
	if err := json.Unmarshal(line, &e); err != nil {
		return fmt.Errorf("cannot read a line of the audit log: %w", err)
	}
	if e.ObjectRef == nil || e.ResponseStatus == nil {
		return nil
	}
	ref := e.ObjectRef
	w := write{
		user: e.User.Username, code: e.ResponseStatus.Code, at: at,
		driver: strings.HasPrefix(e.UserAgent, driverAgent+"/") || e.UserAgent == driverAgent,
		native: strings.HasPrefix(e.UserAgent, nativeAgent),
	}
	if e.ImpersonatedUser != nil {
		w.user = e.ImpersonatedUser.Username
	}
	w.what, w.object = ref.Resource, strings.Join([]string{ref.Resource, ref.Namespace, ref.Name}, "/")
	if ref.Subresource != "" {
		w.what += "/" + ref.Subresource
	}
	w.what += " " + e.Verb
	about := ref.Namespace
	if about == "" {
		about = ref.Name
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if ref.Resource == "events" && e.RequestObject != nil {
		key := ref.Namespace + "/" + ref.Name
		if e.Verb == "create" {
			a.source[key] = e.RequestObject.Source.Component
		}
		w.user, w.component = a.source[key], true
		if name := e.RequestObject.InvolvedObject.Name; ref.Namespace == "default" && name != "" {
			about = name // a cluster-scoped object's Events are in default
		}
	}
	scope, _, _ := strings.Cut(about, scopeMark)
	a.writes[scope] = append(a.writes[scope], w)
	return nil
}

// last is when a scenario's objects were last written by anyone but itself.
func (a *audit) last(scope string) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := a.writes[scope]
	for i := len(all) - 1; i >= 0; i-- {
		if w := &all[i]; !w.driver && w.code < 400 {
			return w.at
		}
	}
	return time.Time{}
}

// A tally is how often a controller wrote in a scenario.
type tally struct {
	done   map[string]int // by kind and verb
	once   map[string]int // the same without deletions of what it had deleted already
	native int            // how many were kube-controller-manager's
}

// count counts a controller's writes in a scenario. What was refused is no write.
func (a *audit) count(scope string, c *controller) tally {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := tally{done: map[string]int{}, once: map[string]int{}}
	deleted := map[string]bool{}
	for i := range a.writes[scope] {
		w := &a.writes[scope][i]
		verb := w.what[strings.LastIndexByte(w.what, ' ')+1:]
		if verb == "create" && w.code < 400 {
			delete(deleted, w.object)
		}
		own := !w.driver && c.owns(w.user)
		if w.component {
			_, own = c.component(w.user)
		}
		if !own || w.code >= 400 {
			continue
		}
		out.done[w.what]++
		if verb != "delete" || !deleted[w.object] {
			out.once[w.what]++
		}
		if verb == "delete" {
			deleted[w.object] = true
		}
		if w.native {
			out.native++
		}
	}
	return out
}
