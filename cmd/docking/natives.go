package docking

import "k8s.io/client-go/rest"

// A Module is one of the guests here, and the native controllers whose place it takes.
type Module struct {
	Name    string // of the module and its file
	Natives []Native
}

// A Native is one of kube-controller-manager's controllers, and the one that
// stands in for it.
type Native struct {
	Name      string // in kube-controller-manager's --controllers
	Guest     string // the controller in the module
	Account   string // the service account in kube-system that it acts as
	Component string // what it calls itself in Events
}

// User is the service account as a user.
func (n *Native) User() string { return "system:serviceaccount:kube-system:" + n.Account }

// Modules are all that take the place of native controllers.
var Modules = []Module{
	{"replicaset", []Native{
		{"replicaset-controller", "replicaset", "replicaset-controller", "replicaset-controller"},
	}},
	{"deployment", []Native{
		{"deployment-controller", "deployment", "deployment-controller", "deployment-controller"},
	}},
	{"endpoints", []Native{
		{"endpoints-controller", "endpoints", "endpoint-controller", "endpoint-controller"},
		{"endpointslice-controller", "endpointslice", "endpointslice-controller", "endpoint-slice-controller"},
		{"endpointslice-mirroring-controller", "endpointslicemirroring", "endpointslicemirroring-controller", "endpoint-slice-mirroring-controller"},
	}},
	{"cronjob", []Native{
		{"cronjob-controller", "cronjob", "cronjob-controller", "cronjob-controller"},
	}},
	{"serviceaccount", []Native{
		{"serviceaccount-controller", "serviceaccount", "service-account-controller", "service-account-controller"},
		{"root-ca-certificate-publisher-controller", Publisher, "root-ca-cert-publisher", "root-ca-cert-publisher"},
	}},
	{"nodelifecycle", []Native{
		{"node-lifecycle-controller", "nodelifecycle", "node-controller", "node-controller"},
		{"taint-eviction-controller", "tainteviction", "node-controller", "taint-eviction-controller"},
	}},
	{"garbagecollector", []Native{
		{"garbage-collector-controller", "garbagecollector", "generic-garbage-collector", "garbage-collector-controller"},
	}},
}

// Find gives the modules of those names, in the order of the table; names that are
// not in it are left out.
func Find(names ...string) []Module {
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	var out []Module
	for _, m := range Modules {
		if wanted[m.Name] {
			out = append(out, m)
		}
	}
	return out
}

// StandIn gives the flags by which each controller acts as its native one's user,
// with the settings that it needs, and the controllers' names. Settings are written
// to the folder; config is the connection to the cluster.
func StandIn(dir string, config *rest.Config, natives ...Native) (flags, names []string, err error) {
	for i := range natives {
		n := &natives[i]
		names = append(names, n.Guest)
		flags = append(flags, "--user", n.Guest+"="+n.User())
		if n.Guest != Publisher {
			continue
		}
		settings, err := PublisherSettings(dir, config)
		if err != nil {
			return nil, nil, err
		}
		flags = append(flags, settings...)
	}
	return flags, names, nil
}
