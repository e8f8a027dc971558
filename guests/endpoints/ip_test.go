//go:build !wasip1

package main

import "testing"

func TestParseIP(t *testing.T) {
	for text, regular := range map[string]string{
		"192.0.2.1": "192.0.2.1", "010.001.000.00": "10.1.0.0", "2001:DB8:0:0::1": "2001:db8::1", "::ffff:192.0.2.1": "192.0.2.1",
		"": "", "1.2.3": "", "1.2.3.256": "", "fe80::1%eth0": "", "web": "", "1..2.3": "",
	} {
		ip, ok := parseIP(text)
		switch {
		case ok != (regular != ""):
			t.Errorf("%q: an address is %v, not %v", text, ok, !ok)
		case ok && ip.String() != regular:
			t.Errorf("%q is %s, not %s", text, ip, regular)
		}
	}
}
