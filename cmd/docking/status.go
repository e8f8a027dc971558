package docking

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// Status is what is read of /status.
type Status struct {
	Controllers []struct{ Name, Module, Release, Phase, Message string }
	// Failed gives, by file, why a module is not docked.
	Failed map[string]string
}

// Status asks the program how its controllers are doing.
func (h *Host) Status(ctx context.Context) (*Status, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+h.address+"/status", nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end
	var status Status
	return &status, json.NewDecoder(resp.Body).Decode(&status)
}

// Await waits, a minute at most, until the status is as ready wants it. What
// ready says last is the error. A module that is refused ends the wait.
func (h *Host) Await(ctx context.Context, ready func(*Status) error) error {
	var last error
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		if err := h.Err(); err != nil {
			return false, err
		}
		status, err := h.Status(ctx)
		if err != nil {
			last = err
			return false, nil //nolint:nilerr // tried again, and told if time is over
		}
		for file, why := range status.Failed {
			return false, fmt.Errorf("%s: %s", filepath.Base(file), why)
		}
		last = ready(status)
		return last == nil, nil
	})
	if wait.Interrupted(err) && last != nil {
		return last
	}
	return err
}

// Running wants exactly those controllers to be docked, and to run.
func Running(names ...string) func(*Status) error {
	return func(s *Status) error {
		waiting := map[string]bool{}
		for _, name := range names {
			waiting[name] = true
		}
		for _, c := range s.Controllers {
			switch {
			case !waiting[c.Name]:
				return fmt.Errorf("%s is docked, which was not expected", c.Name)
			case c.Phase != "Running":
				return fmt.Errorf("%s does not run yet: %s", c.Name, c.Message)
			}
			delete(waiting, c.Name)
		}
		for name := range waiting {
			return fmt.Errorf("%s is not docked", name)
		}
		return nil
	}
}
