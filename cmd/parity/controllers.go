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
	natives   []native
	scenarios []scenario
}

// A native is one of kube-controller-manager's controllers, and the one that
// stands in for it.
type native struct {
	name      string // in kube-controller-manager's --controllers
	guest     string // the controller in the module
	account   string // the service account in kube-system that it acts as
	component string // what it calls itself in Events
}

// controllers is all that can be compared.
var controllers = []*controller{
	{name: "replicaset", scenarios: replicaSetScenarios, natives: []native{
		{"replicaset-controller", "replicaset", "replicaset-controller", "replicaset-controller"},
	}},
	{name: "deployment", scenarios: deploymentScenarios, natives: []native{
		{"deployment-controller", "deployment", "deployment-controller", "deployment-controller"},
	}},
	{name: "endpoints", scenarios: endpointsScenarios, natives: []native{
		{"endpoints-controller", "endpoints", "endpoint-controller", "endpoint-controller"},
		{"endpointslice-controller", "endpointslice", "endpointslice-controller", "endpoint-slice-controller"},
		{"endpointslice-mirroring-controller", "endpointslicemirroring", "endpointslicemirroring-controller", "endpoint-slice-mirroring-controller"},
	}},
	{name: "cronjob", scenarios: cronJobScenarios, natives: []native{
		{"cronjob-controller", "cronjob", "cronjob-controller", "cronjob-controller"},
	}},
	{name: "serviceaccount", scenarios: serviceAccountScenarios, natives: []native{
		{"serviceaccount-controller", "serviceaccount", "service-account-controller", "service-account-controller"},
		{"root-ca-certificate-publisher-controller", docking.Publisher, "root-ca-cert-publisher", "root-ca-cert-publisher"},
	}},
	{name: "nodelifecycle", scenarios: nodeLifecycleScenarios, natives: []native{
		{"node-lifecycle-controller", "nodelifecycle", "node-controller", "node-controller"},
		{"taint-eviction-controller", "tainteviction", "node-controller", "taint-eviction-controller"},
	}},
	{name: "garbagecollector", scenarios: garbageCollectorScenarios, natives: []native{
		{"garbage-collector-controller", "garbagecollector", "generic-garbage-collector", "garbage-collector-controller"},
	}},
}

// user is the service account as a user.
func (n *native) user() string { return "system:serviceaccount:kube-system:" + n.account }

// owns tells if a user is one that the controller acts as.
func (c *controller) owns(user string) bool {
	for i := range c.natives {
		if c.natives[i].user() == user {
			return true
		}
	}
	return false
}

// component gives the native name of what an Event calls its source, and false
// if that is none of the controller's.
func (c *controller) component(source string) (string, bool) {
	for i := range c.natives {
		if n := &c.natives[i]; source == n.component || source == n.guest {
			return n.component, true
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
