package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// subset is addresses that have all of some ports.
type subset struct {
	ready, notReady []corev1.EndpointAddress
	ports           []corev1.EndpointPort
}

// packing turns addresses with a port each into as few subsets as there can be.
type packing struct {
	addresses []corev1.EndpointAddress
	number    map[string]int // of an address, by IP and UID
	ports     []*portUse
	used      map[string]*portUse
}

// portUse is a port, nil for none, and the addresses that have it.
type portUse struct {
	port  corev1.EndpointPort
	key   string
	ready map[int]bool
}

func newPacking() *packing {
	return &packing{number: map[string]int{}, used: map[string]*portUse{}}
}

// add adds an address with a port, nil for none. An address that is not ready in
// one place is nowhere ready with that port.
func (p *packing) add(a corev1.EndpointAddress, ready bool, port corev1.EndpointPort) {
	id := a.IP() + " " + a.TargetRef().UID()
	n, ok := p.number[id]
	if !ok {
		n = len(p.addresses)
		p.number[id] = n
		p.addresses = append(p.addresses, a)
	}
	key := corePortKey(port)
	use := p.used[key]
	if use == nil {
		use = &portUse{port: port, key: key, ready: map[int]bool{}}
		p.used[key] = use
		p.ports = append(p.ports, use)
	}
	was, known := use.ready[n]
	use.ready[n] = ready && (was || !known)
}

// corePortKey tells ports apart, and orders them.
func corePortKey(p corev1.EndpointPort) string {
	if p == nil {
		return ""
	}
	return portKey(p.Name(), p.Port(), p.Protocol(), p.AppProtocol())
}

func portKey(name string, number int32, protocol, app string) string {
	return name + " " + strconv.Itoa(int(number)) + " " + protocol + " " + app
}

// subsets groups the ports by the addresses that have them. The order is always the
// same for the same content.
func (p *packing) subsets() []subset {
	rank := p.rank()
	byAddresses := map[string]*subset{}
	slices.SortFunc(p.ports, func(a, b *portUse) int { return cmp.Compare(a.key, b.key) })
	var order []string
	for _, use := range p.ports {
		numbers := make([]int, 0, len(use.ready))
		for n := range use.ready {
			numbers = append(numbers, n)
		}
		slices.SortFunc(numbers, func(a, b int) int { return rank[a] - rank[b] })
		var signature strings.Builder
		for _, n := range numbers {
			signature.WriteString(strconv.Itoa(rank[n]))
			signature.WriteByte("-+"[btoi(use.ready[n])])
		}
		s := byAddresses[signature.String()]
		if s == nil {
			s = &subset{}
			for _, n := range numbers {
				if use.ready[n] {
					s.ready = append(s.ready, p.addresses[n])
				} else {
					s.notReady = append(s.notReady, p.addresses[n])
				}
			}
			byAddresses[signature.String()] = s
			order = append(order, signature.String())
		}
		if use.port != nil {
			s.ports = append(s.ports, use.port)
		}
	}
	out := make([]subset, len(order))
	for i, signature := range order {
		out[i] = *byAddresses[signature]
	}
	return out
}

// rank is the place of each address in order.
func (p *packing) rank() []int {
	order := make([]int, len(p.addresses))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := p.addresses[a], p.addresses[b]
		return cmp.Or(cmp.Compare(x.IP(), y.IP()), cmp.Compare(x.TargetRef().UID(), y.TargetRef().UID()))
	})
	rank := make([]int, len(order))
	for place, n := range order {
		rank[n] = place
	}
	return rank
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// repack brings the subsets of Endpoints, whoever wrote them, into the one form
// that this package gives them.
func repack(e corev1.Endpoints) []subset {
	p := newPacking()
	for s := range e.Subsets() {
		ports := slices.Collect(s.Ports())
		if len(ports) == 0 {
			ports = []corev1.EndpointPort{nil}
		}
		for _, port := range ports {
			for a := range s.Addresses() {
				p.add(a, true, port)
			}
			for a := range s.NotReadyAddresses() {
				p.add(a, false, port)
			}
		}
	}
	return p.subsets()
}

func encodeSubsets(list []subset) []corev1.EndpointSubset {
	out := make([]corev1.EndpointSubset, len(list))
	for i, s := range list {
		out[i] = corev1.EndpointSubset(nil).WithAddresses(s.ready...).WithNotReadyAddresses(s.notReady...).WithPorts(s.ports...)
	}
	return out
}

func sameSubsets(a, b []subset) bool {
	return slices.EqualFunc(a, b, func(a, b subset) bool {
		return slices.EqualFunc(a.ports, b.ports, func(a, b corev1.EndpointPort) bool { return corePortKey(a) == corePortKey(b) }) &&
			slices.EqualFunc(a.ready, b.ready, sameAddress) &&
			slices.EqualFunc(a.notReady, b.notReady, sameAddress)
	})
}

func sameAddress(a, b corev1.EndpointAddress) bool {
	return a.IP() == b.IP() && a.Hostname() == b.Hostname() && a.NodeName() == b.NodeName() &&
		a.HasNodeName() == b.HasNodeName() && sameRef(a.TargetRef(), b.TargetRef())
}
