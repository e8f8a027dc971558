//go:build !wasip1

package main

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// TestShares holds how a change of size is distributed, with a surge of three
// unless told otherwise. The first ReplicaSet has the Deployment's template,
// each other one is older than the one before.
func TestShares(t *testing.T) {
	type sizes []int32
	cases := map[string]struct {
		reason   string
		from, to int32
		surge    int32
		before   sizes
		max      string // the annotation; "" for what belongs to from
		want     sizes
	}{
		"up":                          {"each by a fifth", 10, 12, 0, sizes{5, 5}, "", sizes{6, 6}},
		"down":                        {"each by a fifth", 10, 8, 0, sizes{5, 5}, "", sizes{4, 4}},
		"up, unequal":                 {"in proportion", 5, 10, 0, sizes{4, 1}, "", sizes{8, 2}},
		"down, unequal":               {"in proportion", 10, 5, 0, sizes{8, 2}, "", sizes{4, 1}},
		"up by one":                   {"it goes to the younger of two that are equal", 10, 11, 0, sizes{5, 5}, "", sizes{6, 5}},
		"down by one":                 {"the older of two that are equal gives it", 10, 9, 0, sizes{5, 5}, "", sizes{5, 4}},
		"three":                       {"what rounding leaves over goes to the largest", 10, 20, 0, sizes{4, 3, 3}, "", sizes{8, 6, 6}},
		"three, one more":             {"one more for the largest, none for the rest", 10, 11, 0, sizes{4, 3, 3}, "", sizes{5, 3, 3}},
		"to none":                     {"all go", 10, 0, 3, sizes{7, 6}, "", sizes{0, 0}},
		"the surge is kept":           {"thirteen become twenty-three", 10, 20, 3, sizes{7, 6}, "", sizes{12, 11}},
		"the surge is given up":       {"what is beyond goes", 10, 10, 0, sizes{7, 6}, "13", sizes{5, 5}},
		"while few are there":         {"all room is filled, by the largest", 10, 20, 0, sizes{2, 2}, "", sizes{16, 4}},
		"unknown maximum":             {"the Deployment's own number of Pods stands for it", 10, 20, 0, sizes{5, 5}, "none", sizes{10, 10}},
		"maximum of zero":             {"as well", 10, 20, 0, sizes{5, 5}, "0", sizes{10, 10}},
		"negative":                    {"as well", 10, 20, 0, sizes{5, 5}, "-7", sizes{10, 10}},
		"without Pods":                {"those that have none get none", 10, 20, 0, sizes{5, 5, 0}, "", sizes{10, 10, 0}},
		"nothing to do but to record": {"the sizes are right already", 10, 12, 0, sizes{6, 6}, "", sizes{6, 6}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, web, newer, old)
			limits(tc.surge, 1)(w)
			names := []string{"web-new", "web-old", "web-older"}[:len(tc.before)]
			addSet("web-older", func(rs *appsv1.ReplicaSet) { rs.CreationTimestamp.Time = rs.CreationTimestamp.Add(-time.Hour) })(w)
			if len(names) < 3 {
				w.Remove("ReplicaSet", "default", "web-older")
			}
			limit := tc.max
			if limit == "" {
				limit = strconv.Itoa(int(tc.from + tc.surge))
			}
			for i, n := range tc.before {
				sized(names[i], n, n)(w)
				annotated(names[i], desiredAnnotation, "9999")(w)
				annotated(names[i], maxAnnotation, limit)(w)
			}
			wants(tc.to)(w)
			editDeployment(func(d *appsv1.Deployment) { d.Status.Replicas = tc.from })(w)
			w.Reconcile("default/web")
			var got sizes
			for i, name := range names {
				rs := setOf(w, name)
				got = append(got, *rs.Spec.Replicas)
				desired, limit := rs.Annotations[desiredAnnotation], rs.Annotations[maxAnnotation]
				if tc.before[i] > 0 && (desired != decimal(tc.to) || limit != decimal(tc.to+tc.surge)) {
					t.Errorf("%s: %s has recorded %s and %s", tc.reason, name, desired, limit)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestResizes holds what becomes of a Deployment that was scaled or is paused.
func TestResizes(t *testing.T) {
	done := sized("web-old", 0, 0)
	without := func(w *sdktest.World) { w.Remove("ReplicaSet", "default", "web-new") }
	cases := map[string]situation{
		"up":                   {reason: "the only one takes all", change: all(done, wants(12)), want: lines(updates("web-new", "up", 10, 12), again)},
		"down":                 {reason: "the only one takes all", change: all(done, wants(3)), want: lines(updates("web-new", "down", 10, 3), again)},
		"to none":              {reason: "the only one takes all", change: all(done, wants(0)), want: lines(updates("web-new", "down", 10, 0), again)},
		"from none":            {reason: "nothing is recorded that would tell of a scaling; a roll-out does it", change: all(done, sized("web-new", 0, 0)), want: lines(updates("web-new", "up", 0, 10), again)},
		"the old one":          {reason: "no new one is begun before", change: all(without, sized("web-old", 5, 5), annotated("web-old", desiredAnnotation, "5")), want: lines(updates("web-old", "up", 5, 10), again)},
		"paused":               {reason: "the size is passed on all the same", change: all(paused, unlimited, done, wants(12)), want: lines(updates("web-new", "up", 10, 12), again)},
		"paused, without Pods": {reason: "the one of the template gets them", change: all(paused, unlimited, done, sized("web-new", 0, 0)), want: lines(updates("web-new", "up", 0, 10), again)},
		"paused, old ones":     {reason: "without the template's the youngest gets them", change: all(paused, unlimited, without, done, addSet("web-a", func(rs *appsv1.ReplicaSet) { rs.CreationTimestamp.Time = rs.CreationTimestamp.Add(-1e9) })), want: lines(updates("web-old", "up", 0, 10), again)},
		"paused half-way":      {reason: "both stay as they are", change: all(paused, unlimited, sized("web-old", 8, 8), sized("web-new", 5, 5)), want: []string{statusLine}},
		"saturated":            {reason: "the old one was adopted, and has no place", change: all(paused, unlimited, sized("web-old", 3, 3)), want: lines(updates("web-old", "down", 3, 0), again)},
		"shared":               {reason: "several share it", change: all(wants(20), sized("web-old", 8, 8), sized("web-new", 5, 0)), want: lines(updates("web-old", "up", 8, 14), updates("web-new", "up", 5, 9), again)},
		"recorded nonsense":    {reason: "tells of no scaling", change: all(done, annotated("web-new", desiredAnnotation, "x")), want: []string{statusLine}},
		"nothing recorded":     {reason: "neither", change: all(done, annotated("web-new", desiredAnnotation, "")), want: []string{statusLine}},
		"recorded, but scaled": {reason: "somebody scaled it to the right number: only the record is wrong, and stays", change: all(done, annotated("web-new", desiredAnnotation, "7")), want: []string{statusLine}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tc.sources = []string{web, newer, old}
			tc.change = all(underway, observed, tc.change)
			tc.run(t)
		})
	}
}
