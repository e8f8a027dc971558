package meta_test

import (
	"testing"
	"time"

	coreapi "k8s.io/api/core/v1"
	metaapi "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

func pod(t *testing.T, phase coreapi.PodPhase, deleted bool, ready coreapi.ConditionStatus, since int64) corev1.Pod {
	t.Helper()
	p := &coreapi.Pod{Status: coreapi.PodStatus{Phase: phase}}
	if deleted {
		p.DeletionTimestamp = &metaapi.Time{Time: time.Unix(5, 0)}
	}
	p.Status.Conditions = []coreapi.PodCondition{{Type: coreapi.PodScheduled, Status: coreapi.ConditionTrue}}
	if ready != "" {
		c := coreapi.PodCondition{Type: coreapi.PodReady, Status: ready}
		if since != 0 {
			c.LastTransitionTime = metaapi.Unix(since, 0)
		}
		p.Status.Conditions = append(p.Status.Conditions, c)
	}
	return encode(t, p)
}

func TestPodStates(t *testing.T) {
	for name, tc := range map[string]struct {
		phase                         coreapi.PodPhase
		deleted                       bool
		active, terminating, terminal bool
	}{
		"running":          {coreapi.PodRunning, false, true, false, false},
		"no phase yet":     {"", false, true, false, false},
		"running, deleted": {coreapi.PodRunning, true, false, true, false},
		"succeeded":        {coreapi.PodSucceeded, false, false, false, true},
		"failed, deleted":  {coreapi.PodFailed, true, false, false, true},
	} {
		p := pod(t, tc.phase, tc.deleted, "", 0)
		if got := [3]bool{meta.IsPodActive(p), meta.IsPodTerminating(p), meta.IsPodTerminal(p)}; got != [3]bool{tc.active, tc.terminating, tc.terminal} {
			t.Errorf("%s: active, terminating, terminal are %v", name, got)
		}
	}
}

func TestPodAvailability(t *testing.T) {
	now := time.Unix(100, 500)
	for name, tc := range map[string]struct {
		reason           string
		ready            coreapi.ConditionStatus
		since            int64
		min              int32
		is, availableNow bool
		wait             time.Duration
	}{
		"no condition":   {"nothing says that it is ready", "", 0, 0, false, false, 0},
		"not ready":      {"it says that it is not", coreapi.ConditionFalse, 10, 0, false, false, 0},
		"ready":          {"at once without a minimum", coreapi.ConditionTrue, 100, 0, true, true, 0},
		"long enough":    {"ready for longer", coreapi.ConditionTrue, 80, 10, true, true, 0},
		"just enough":    {"ready for exactly as long", coreapi.ConditionTrue, 90, 10, true, true, 0},
		"not yet":        {"ready, but not for long", coreapi.ConditionTrue, 95, 10, true, false, 5*time.Second - 500},
		"since when":     {"without a time it is never long enough", coreapi.ConditionTrue, 0, 10, true, false, 0},
		"since when, no": {"but that matters with a minimum only", coreapi.ConditionTrue, 0, 0, true, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := pod(t, coreapi.PodRunning, false, tc.ready, tc.since)
			if got := meta.IsPodReady(p); got != tc.is {
				t.Errorf("%s: ready is %v", tc.reason, got)
			}
			if got := meta.IsPodAvailable(p, tc.min, now); got != tc.availableNow {
				t.Errorf("%s: available is %v", tc.reason, got)
			}
			if got, ok := meta.NextPodAvailability(p, tc.min, now); got != tc.wait || ok != (tc.wait > 0) {
				t.Errorf("%s: next is %v %v, want %v", tc.reason, got, ok, tc.wait)
			}
			if c, ok := meta.PodReadyCondition(p); ok != (tc.ready != "") || ok && c.Status() != string(tc.ready) {
				t.Errorf("%s: condition is %v", tc.reason, c.Status())
			}
		})
	}
}
