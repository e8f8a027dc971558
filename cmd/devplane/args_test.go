package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFlagSetWith(t *testing.T) {
	own := flagSet{"b": "2", "a": "1"}
	for _, tc := range []struct {
		reason string
		extra  []string
		want   []string
	}{
		{"own flags come in the order of their names", nil, []string{"--a=1", "--b=2"}},
		{"an extra flag comes after them", []string{"0=x"}, []string{"--a=1", "--b=2", "--0=x"}},
		{"an extra flag replaces the own one", []string{"a=9"}, []string{"--b=2", "--a=9"}},
		{"dashes in front are welcome", []string{"--a=9"}, []string{"--b=2", "--a=9"}},
		{"a repeated flag stays repeated", []string{"a=8", "a=9"}, []string{"--b=2", "--a=8", "--a=9"}},
		{"commas and further equals signs are the value's", []string{"g=X=true,Y=false"}, []string{"--a=1", "--b=2", "--g=X=true,Y=false"}},
		{"a flag without a value is a switch", []string{"s"}, []string{"--a=1", "--b=2", "--s=true"}},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, own.with(tc.extra)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestAPIServerArgs(t *testing.T) {
	const noAccounts = "--disable-admission-plugins=ServiceAccount"
	on := true
	dir, keys := &workDir{path: "/d"}, &pki{}
	for _, tc := range []struct {
		reason   string
		cfg      Config
		has, not string
	}{
		{"without a service account controller pods need no service account", Config{Controllers: "job-controller"}, noAccounts, ""},
		{"with one they do", Config{Controllers: "*"}, "", noAccounts},
		{"the admission can be had without it", Config{ServiceAccountAdmission: &on}, "", noAccounts},
		{"there is no audit log by default", Config{}, "", "--audit-policy-file=/d/audit-policy.yaml"},
		{"an audit log has a policy", Config{AuditLog: "/a"}, "--audit-policy-file=/d/audit-policy.yaml", ""},
		{"an audit log is one file", Config{AuditLog: "/a"}, "--audit-log-maxsize=0", ""},
		{"a flag is there by default", Config{}, "--authorization-mode=RBAC", ""},
		{"a flag can be overridden", Config{APIServerArgs: []string{"authorization-mode=X"}}, "--authorization-mode=X", "--authorization-mode=RBAC"},
		{"only the loopback address is listened on", Config{}, "--bind-address=127.0.0.1", ""},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			args := apiserverArgs(&tc.cfg, dir, keys, 1234)
			if tc.has != "" && !slices.Contains(args, tc.has) {
				t.Errorf("%s is missing in %s", tc.has, strings.Join(args, " "))
			}
			if tc.not != "" && slices.Contains(args, tc.not) {
				t.Errorf("%s is in %s", tc.not, strings.Join(args, " "))
			}
		})
	}
}
