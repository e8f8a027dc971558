package main

import (
	"iter"
	"slices"
	"strings"

	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/discoveryv1"
)

// endpointPorts is the ports that a Service has on a Pod, in order.
func endpointPorts(s *service, pod corev1.Pod) []discoveryv1.EndpointPort {
	var out []discoveryv1.EndpointPort
	for port := range s.spec.Ports() {
		if number, ok := portOn(pod, port); ok {
			out = append(out, slicePort(port, number))
		}
	}
	sortPorts(out)
	return out
}

// namedPort is what ports of Services and of Endpoints have in common.
type namedPort interface {
	Name() string
	Protocol() string
	AppProtocol() string
	HasAppProtocol() bool
}

// slicePort is a port as slices have it.
func slicePort(port namedPort, number int32) discoveryv1.EndpointPort {
	p := discoveryv1.EndpointPort(nil).WithName(port.Name()).WithPort(number).WithProtocol(port.Protocol())
	if port.HasAppProtocol() {
		p = p.WithAppProtocol(port.AppProtocol())
	}
	return p
}

// slicePortKey tells ports apart, and orders them. One that is left out differs
// from any that is given.
func slicePortKey(p discoveryv1.EndpointPort) string {
	if !p.HasPort() {
		return portKey(p.Name(), -1, p.Protocol(), p.AppProtocol())
	}
	return portKey(p.Name(), p.Port(), p.Protocol(), p.AppProtocol())
}

func sortPorts(list []discoveryv1.EndpointPort) {
	slices.SortFunc(list, func(a, b discoveryv1.EndpointPort) int { return strings.Compare(slicePortKey(a), slicePortKey(b)) })
}

// portsKey tells sets of ports apart.
func portsKey(ports iter.Seq[discoveryv1.EndpointPort]) string {
	var keys []string
	for p := range ports {
		keys = append(keys, slicePortKey(p))
	}
	slices.Sort(keys)
	return strings.Join(keys, "\n")
}

// portGroups is endpoints by the ports that they have, which slices have in common.
type portGroups struct {
	list []*portGroup
	by   map[string]*portGroup
}

type portGroup struct {
	ports     []discoveryv1.EndpointPort
	key       string
	endpoints *endpointSet
}

func newPortGroups() *portGroups { return &portGroups{by: map[string]*portGroup{}} }

// of is the group with those ports.
func (g *portGroups) of(ports []discoveryv1.EndpointPort) *portGroup {
	key := portsKey(slices.Values(ports))
	group := g.by[key]
	if group == nil {
		group = &portGroup{ports: ports, key: key, endpoints: newEndpointSet()}
		g.by[key] = group
		g.list = append(g.list, group)
	}
	return group
}
