package main

import (
	"net/netip"
	"strings"
)

// parseIP reads an IP address, also one that is written irregularly: with leading
// zeros, or an IPv4 address as an IPv6 one. Others compare addresses as texts, so
// that only regular ones are published.
func parseIP(s string) (netip.Addr, bool) {
	if !strings.Contains(s, ":") {
		s = withoutZeros(s)
	}
	ip, err := netip.ParseAddr(s)
	if err != nil || ip.Zone() != "" {
		return netip.Addr{}, false
	}
	return ip.Unmap(), true
}

// withoutZeros takes leading zeros off the parts of an IPv4 address.
func withoutZeros(s string) string {
	parts := strings.Split(s, ".")
	for i, part := range parts {
		if rest := strings.TrimLeft(part, "0"); rest != "" {
			parts[i] = rest
		} else if part != "" {
			parts[i] = "0"
		}
	}
	return strings.Join(parts, ".")
}

// isIPv6 reports whether a text is an IPv6 address.
func isIPv6(s string) bool {
	ip, ok := parseIP(s)
	return ok && ip.Is6()
}
