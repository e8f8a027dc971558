package writer

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/cmd/plane/planetest"
	"github.com/loopdock/loopdock/host/elect"
)

// TestStalledLease: when renewals hang, a writer that goes on writing begins
// nothing after the deadline, though the API server would take it.
func TestStalledLease(t *testing.T) {
	const deadline = 1500 * time.Millisecond
	stalled := make(chan struct{})
	lease := rest.CopyConfig(planetest.Shared(t))
	var mu sync.Mutex
	var renewed time.Time
	lease.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return tripper(func(req *http.Request) (*http.Response, error) {
			sent := time.Now() //nolint:forbidigo // a real server's time
			select {
			case <-stalled:
				<-req.Context().Done()
				return nil, req.Context().Err()
			default:
			}
			resp, err := next.RoundTrip(req)
			if err == nil && req.Method != http.MethodGet {
				mu.Lock()
				renewed = sent
				mu.Unlock()
			}
			return resp, err
		})
	})
	e := newEnv(t, nil) // for its namespace and client
	elector, err := elect.New(elect.Config{
		REST: lease, Namespace: e.namespace, Name: "host", Identity: "a",
		LeaseDuration: 3 * time.Second, RenewDeadline: deadline, RetryPeriod: 200 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	var last time.Time // a write reached the connection
	conn := rest.CopyConfig(planetest.Shared(t))
	conn.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return tripper(func(req *http.Request) (*http.Response, error) {
			last = time.Now() //nolint:forbidigo // a real server's time
			return next.RoundTrip(req)
		})
	})
	w, err := New(Config{Controller: "test", REST: conn, Mapper: mapper{}, Grant: everything, Fence: elector.Fence()})
	if err != nil {
		t.Fatal(err)
	}
	patch := e.action(abi.VerbPatch, "ConfigMap", "c", nil)
	patch.PatchType, patch.Body = abi.PatchTypeMerge, []byte(`{"data":{"k":"w"}}`)
	e.must(e.action(abi.VerbCreate, "ConfigMap", "", e.configMap("c")))

	writing := 0
	err = elector.Run(t.Context(), func(ctx context.Context) {
		for refused := false; !refused || ctx.Err() == nil; {
			report, err := w.Perform(context.WithoutCancel(ctx), Owner{}, []abi.Batch{{Actions: []abi.Action{patch}}})
			if err != nil {
				t.Error(err)
				return
			}
			r := report.Results[0]
			if refused = r.Reason == "LeaseLost"; !refused && r.Outcome != abi.OutcomeOK {
				t.Errorf("%+v", r)
				return
			}
			if refused && !strings.Contains(report.Errors.Error(), "lease") {
				t.Errorf("error %v", report.Errors)
			}
			if writing++; writing == 20 {
				close(stalled)
			}
		}
	})
	if !errors.Is(err, elect.ErrLost) {
		t.Errorf("Run = %v, want %v", err, elect.ErrLost)
	}
	mu.Lock()
	defer mu.Unlock()
	const slack = 300 * time.Millisecond // between the fence's look at the clock and this test's
	if late := last.Sub(renewed) - deadline; late > slack || last.Sub(renewed) < deadline/2 {
		t.Errorf("the last write was begun %v after the last renewal, want just under %v", last.Sub(renewed), deadline)
	}
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
