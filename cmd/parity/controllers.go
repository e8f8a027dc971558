package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/loopdock/loopdock/cmd/docking"
)

// A controller is one guest module and the native controllers whose place it takes.
type controller struct {
	name      string // of the module and its file
	natives   []docking.Native
	scenarios []scenario
}

// controllers is all that can be compared.
var controllers = []*controller{
	compared("replicaset", replicaSetScenarios),
	compared("deployment", deploymentScenarios),
	compared("endpoints", endpointsScenarios),
	compared("cronjob", cronJobScenarios),
	compared("serviceaccount", serviceAccountScenarios),
	compared("nodelifecycle", nodeLifecycleScenarios),
	compared("garbagecollector", garbageCollectorScenarios),
}

func compared(module string, scenarios []scenario) *controller {
	return &controller{name: module, natives: docking.Find(module)[0].Natives, scenarios: scenarios}
}

// owns tells if a user is one that the controller acts as.
func (c *controller) owns(user string) bool {
	for i := range c.natives {
		if c.natives[i].User() == user {
			return true
		}
	}
	return false
}

// component gives the native name of what an Event calls its source, and false
// if that is none of the controller's.
func (c *controller) component(source string) (string, bool) {
	for i := range c.natives {
		if n := &c.natives[i]; source == n.Component || source == n.Guest {
			return n.Component, true
		}
	}
	return "", false
}

// file is where the guest is.
func (c *controller) file(guests string) string { return filepath.Join(guests, c.name+".wasm") }

// selectControllers picks what to play: the controllers that -only names (all
// if it is empty), each with its scenarios.
func selectControllers(all []*controller, only string) []*controller {
	var out []*controller
	for _, c := range all {
		if picked := pick(c, only); picked != nil {
			out = append(out, picked)
		}
	}
	return out
}

// built parts controllers by whether their guests are there.
func built(selected []*controller, guests string) (there, missing []*controller) {
	for _, c := range selected {
		if _, err := os.Stat(c.file(guests)); err != nil {
			missing = append(missing, c)
			continue
		}
		there = append(there, c)
	}
	return there, missing
}

// pick gives the controller with the scenarios that -only names, nil for none.
func pick(c *controller, only string) *controller {
	if only == "" {
		return c
	}
	out := *c
	out.scenarios = nil
	for item := range strings.SplitSeq(only, ",") {
		name, beginning, _ := strings.Cut(strings.TrimSpace(item), "/")
		if name != c.name {
			continue
		}
		for _, s := range c.scenarios {
			if strings.HasPrefix(s.name, beginning) {
				out.scenarios = append(out.scenarios, s)
			}
		}
	}
	if len(out.scenarios) == 0 {
		return nil
	}
	return &out
}
