package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopdock/loopdock/cmd/docking"
)

func TestAudit(t *testing.T) {
	c := &controller{natives: []docking.Native{{Name: "n", Guest: "web", Account: "web-controller", Component: "native-web"}}}
	a := newAudit()
	begin := time.Now()
	for i, line := range []string{
		`{"verb":"create","user":{"username":"system:serviceaccount:kube-system:web-controller"},"userAgent":"kube-controller-manager/v1","objectRef":{"resource":"pods","namespace":"s"},"responseStatus":{"code":201}}`,
		`{"verb":"update","user":{"username":"admin"},"impersonatedUser":{"username":"system:serviceaccount:kube-system:web-controller"},"userAgent":"loopdock/dev","objectRef":{"resource":"pods","subresource":"status","namespace":"s--b","name":"p"},"responseStatus":{"code":200}}`,
		`{"verb":"update","user":{"username":"system:serviceaccount:kube-system:web-controller"},"userAgent":"kube-controller-manager/v1","objectRef":{"resource":"pods","namespace":"s","name":"p"},"responseStatus":{"code":409}}`,
		`{"verb":"create","user":{"username":"system:serviceaccount:kube-system:other"},"userAgent":"kube-controller-manager/v1","objectRef":{"resource":"pods","namespace":"s"},"responseStatus":{"code":201}}`,
		`{"verb":"create","user":{"username":"admin"},"userAgent":"parity","objectRef":{"resource":"pods","namespace":"s"},"responseStatus":{"code":201}}`,
		`{"verb":"create","user":{"username":"admin"},"userAgent":"loopdock/dev","objectRef":{"resource":"events","namespace":"default","name":"e"},"responseStatus":{"code":201},"requestObject":{"involvedObject":{"name":"s--node"},"source":{"component":"web"}}}`,
		`{"verb":"patch","user":{"username":"admin"},"userAgent":"loopdock/dev","objectRef":{"resource":"nodes","name":"s--node"},"responseStatus":{"code":200}}`,
		`{"verb":"create","user":{"username":"admin"},"userAgent":"x","objectRef":{"resource":"pods","namespace":"t"},"responseStatus":{"code":201}}`,
	} {
		if err := a.add([]byte(line), begin.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	got := a.count("s", c)
	if diff := cmp.Diff(map[string]int{"pods create": 1, "pods/status update": 1, "events create": 1}, got.done); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got.native != 1 {
		t.Errorf("kube-controller-manager wrote %d times, want 1", got.native)
	}
	if got, want := a.last("s"), begin.Add(6*time.Second); !got.Equal(want) {
		t.Errorf("the last write was at %s, want %s", got, want)
	}
	if got := a.last("nowhere"); !got.IsZero() {
		t.Errorf("nobody wrote, and the last write was at %s", got)
	}
	if err := a.add([]byte("{"), begin); err == nil {
		t.Error("a broken line is taken")
	}
}

// TestAuditDeletions holds that a deletion counts once more only if what was
// deleted has been made anew.
func TestAuditDeletions(t *testing.T) {
	c := &controller{natives: []docking.Native{{Name: "n", Guest: "web", Account: "web-controller", Component: "native-web"}}}
	a := newAudit()
	request := func(verb, user, name string) {
		t.Helper()
		if err := a.add(fmt.Appendf(nil, `{"verb":%q,"user":{"username":%q},"objectRef":{"resource":"pods","namespace":"s","name":%q},"responseStatus":{"code":200}}`, verb, user, name), time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	const account = "system:serviceaccount:kube-system:web-controller"
	for _, name := range []string{"a", "a", "b"} {
		request("delete", account, name)
	}
	request("create", "admin", "b")
	request("delete", account, "b")
	got := a.count("s", c)
	if all, once := got.done["pods delete"], got.once["pods delete"]; all != 4 || once != 3 {
		t.Errorf("%d deletions are counted, and %d without repeats, want 4 and 3", all, once)
	}
}

func TestUnmet(t *testing.T) {
	o := objects(t, `
metadata: {labels: {example.com/a: b}, finalizers: [x, y]}
spec: {replicas: 3, taints: [{key: example.com/out, effect: NoExecute}]}
status: {conditions: [{type: Ready, status: "True"}], list: [{ports: []}]}`)[0]
	for _, tc := range []struct {
		conditions string
		holds      bool
	}{
		{"", true},
		{"spec.replicas=3 status.conditions[Ready].status=True", true},
		{"spec.replicas=3 status.conditions[Ready].status=False", false},
		{"spec.replicas!=", true},
		{"spec.missing=", true},
		{"spec.missing!=", false},
		{"metadata.finalizers=2", true},
		{"metadata.labels.example~com/a=b", true},
		{"spec.taints[example~com/out].effect=NoExecute", true},
		{"status.list[0].ports=0", true},
		{"status.list[1].ports=", true},
		{"status.conditions[Other].status=", true},
	} {
		if got := unmet(o, tc.conditions); (got == "") != tc.holds {
			t.Errorf("unmet(%q) = %q", tc.conditions, got)
		}
	}
}

func TestSelect(t *testing.T) {
	all := []*controller{
		{name: "a", scenarios: []scenario{{name: "one"}, {name: "only"}, {name: "two"}}},
		{name: "b", scenarios: []scenario{{name: "one"}}},
	}
	for _, tc := range []struct {
		only string
		want []string
	}{
		{"", []string{"a/one", "a/only", "a/two", "b/one"}},
		{"b", []string{"b/one"}},
		{"a/on,b", []string{"a/one", "a/only", "b/one"}},
		{"c", nil},
		{"a/nothing", nil},
	} {
		var got []string
		for _, c := range selectControllers(all, tc.only) {
			for _, s := range c.scenarios {
				got = append(got, c.name+"/"+s.name)
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("-only %q: -want +got:\n%s", tc.only, diff)
		}
	}
}

// TestTable: names are namespaces, there are at least ten scenarios each, and
// no two share a name.
func TestTable(t *testing.T) {
	for _, c := range controllers {
		seen := map[string]bool{}
		for i := range c.scenarios {
			name := c.name + "-" + c.scenarios[i].name
			if seen[name] || len(name) > 56 {
				t.Errorf("%s: the name is taken or too long", name)
			}
			seen[name] = true
		}
		if len(seen) < 10 {
			t.Errorf("%s has %d scenarios", c.name, len(seen))
		}
	}
}
