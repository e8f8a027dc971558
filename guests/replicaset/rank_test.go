//go:build !wasip1

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	view "github.com/loopdock/loopdock/sdk-go/view/corev1"
)

var rankNow = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// trait changes a Pod.
type trait func(*corev1.Pod)

func on(node string) trait          { return func(p *corev1.Pod) { p.Spec.NodeName = node } }
func phase(f corev1.PodPhase) trait { return func(p *corev1.Pod) { p.Status.Phase = f } }
func uid(u types.UID) trait         { return func(p *corev1.Pod) { p.UID = u } }
func created(ago time.Duration) trait {
	return func(p *corev1.Pod) { p.CreationTimestamp = metav1.NewTime(rankNow.Add(-ago)) }
}

func readyFor(d time.Duration) trait {
	return func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(rankNow.Add(-d))}}
	}
}

// readySometime is ready since nobody knows when.
func readySometime(p *corev1.Pod) {
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
}

func costs(s string) trait {
	return func(p *corev1.Pod) { p.Annotations = map[string]string{corev1.PodDeletionCost: s} }
}

func restarted(n int32) trait {
	return func(p *corev1.Pod) {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{RestartCount: n})
	}
}

// initRestarted has an init container restart, a sidecar if it has the policy.
func initRestarted(n int32, policy corev1.ContainerRestartPolicy) trait {
	return func(p *corev1.Pod) {
		c := corev1.Container{Name: "init"}
		if policy != "" {
			c.RestartPolicy = &policy
		}
		p.Spec.InitContainers = append(p.Spec.InitContainers, c)
		p.Status.InitContainerStatuses = append(p.Status.InitContainerStatuses, corev1.ContainerStatus{Name: "init", RestartCount: n})
	}
}

func ranked(traits ...trait) *corev1.Pod {
	p := &corev1.Pod{Spec: corev1.PodSpec{NodeName: "node"}, Status: corev1.PodStatus{Phase: corev1.PodRunning}}
	for _, t := range traits {
		t(p)
	}
	return p
}

func bytesOf(tb testing.TB, p *corev1.Pod) view.Pod {
	tb.Helper()
	b, err := p.Marshal()
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func compared(tb testing.TB, a, b *corev1.Pod, crowdA, crowdB int) int {
	tb.Helper()
	x, y := newCandidate(bytesOf(tb, a), nil), newCandidate(bytesOf(tb, b), nil)
	x.crowd, y.crowd = crowdA, crowdB
	return compare(&x, &y, rankNow)
}

const month = 31 * 24 * time.Hour

// TestRanking holds which of two Pods is deleted first, rule by rule.
func TestRanking(t *testing.T) {
	const sidecar = corev1.ContainerRestartPolicyAlways
	cases := map[string]struct {
		reason         string
		first, second  *corev1.Pod
		crowd1, crowd2 int
		equal          bool
	}{
		"unassigned":               {"a Pod without a node goes first, whatever the crowd", ranked(on(""), phase(corev1.PodPending)), ranked(phase(corev1.PodPending)), 1, 2, false},
		"pending":                  {"before one whose phase is unknown", ranked(phase(corev1.PodPending)), ranked(phase(corev1.PodUnknown)), 1, 2, false},
		"unknown":                  {"before one that runs", ranked(phase(corev1.PodUnknown)), ranked(), 1, 2, false},
		"not ready":                {"before one that is ready", ranked(), ranked(readySometime), 1, 1, false},
		"cheap":                    {"the lower cost goes first, whatever the crowd", ranked(readyFor(0), costs("10")), ranked(readyFor(0), costs("100")), 1, 2, false},
		"negative cost":            {"cheaper than none", ranked(costs("-1")), ranked(), 0, 0, false},
		"cost with a plus":         {"no number: it counts as none", ranked(costs("+10"), uid("a")), ranked(uid("a")), 0, 0, true},
		"cost with a zero":         {"no number: it counts as none", ranked(costs("010"), uid("a")), ranked(uid("a")), 0, 0, true},
		"cost too large":           {"no number: it counts as none", ranked(costs("2147483648")), ranked(), 0, 0, true},
		"cost of zero":             {"is a number", ranked(costs("0")), ranked(costs("1")), 0, 0, false},
		"crowded":                  {"from the node with more related Pods", ranked(readyFor(0)), ranked(readySometime), 2, 1, false},
		"crowded beats age":        {"although it has been ready for longer", ranked(readyFor(0), created(month)), ranked(readyFor(0), created(0)), 2, 1, false},
		"ready since unknown":      {"counts as just now", ranked(readySometime), ranked(readyFor(0)), 1, 1, false},
		"ready for less":           {"goes first", ranked(readyFor(0), created(0)), ranked(readyFor(month), created(month)), 1, 1, false},
		"ready two and five hours": {"are of different magnitude", ranked(readyFor(2*time.Hour), created(month)), ranked(readyFor(5*time.Hour), created(month)), 1, 1, false},
		"ready five and eight":     {"are of the same magnitude: the UID decides", ranked(readyFor(8*time.Hour), uid("a")), ranked(readyFor(5*time.Hour), uid("b")), 1, 1, false},
		"same magnitude, same UID": {"are equal", ranked(readyFor(5 * time.Hour)), ranked(readyFor(8 * time.Hour)), 1, 1, true},
		"ready in the future":      {"a skewed clock makes no magnitude", ranked(readyFor(-time.Hour)), ranked(readyFor(time.Second)), 1, 1, false},
		"restarts":                 {"more restarts go first", ranked(readyFor(0), restarted(9001)), ranked(readyFor(0)), 1, 1, false},
		"restarts of one":          {"the most of one container count, not the sum", ranked(restarted(3)), ranked(restarted(2), restarted(2)), 1, 1, false},
		"sidecar restarts":         {"decide where the others are equal", ranked(restarted(5), initRestarted(9, sidecar)), ranked(restarted(5)), 1, 1, false},
		"init restarts":            {"don't count", ranked(initRestarted(9, "")), ranked(), 1, 1, true},
		"ready beats restarts":     {"readiness is looked at first", ranked(readyFor(time.Hour)), ranked(readyFor(month), restarted(9)), 1, 1, false},
		"created later":            {"goes first", ranked(readyFor(0), created(0)), ranked(readyFor(0), created(month)), 1, 1, false},
		"created unknown":          {"counts as just now", ranked(), ranked(created(0)), 1, 1, false},
		"created five and eight":   {"are of the same magnitude", ranked(created(5 * time.Hour)), ranked(created(8 * time.Hour)), 1, 1, true},
		"alike":                    {"are equal", ranked(readyFor(month), created(month)), ranked(readyFor(month), created(month)), 1, 1, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			there, back := compared(t, tc.first, tc.second, tc.crowd1, tc.crowd2), compared(t, tc.second, tc.first, tc.crowd2, tc.crowd1)
			if tc.equal && (there != 0 || back != 0) {
				t.Errorf("%s: got %d and %d, want equal", tc.reason, there, back)
			}
			if !tc.equal && (there >= 0 || back <= 0) {
				t.Errorf("%s: got %d and %d", tc.reason, there, back)
			}
		})
	}
}

// TestRankingAgreesWithItsRules compares random Pods with the rules as a list,
// on the API's own types.
func TestRankingAgreesWithItsRules(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		a, b := randomPod(r), randomPod(r)
		x, y := r.IntN(2), r.IntN(2)
		got, want := compared(t, a, b, x, y), byRules(a, b, x, y)
		if sign(got) != want {
			t.Fatalf("got %d, want %d for\n%+v crowd %d\n%+v crowd %d", got, want, a, x, b, y)
		}
	}
}

func randomPod(r *rand.Rand) *corev1.Pod {
	traits := [][]trait{
		{on(""), on("n"), on("n"), on("n")},
		{phase(corev1.PodRunning), phase(corev1.PodRunning), phase(corev1.PodPending), phase(corev1.PodUnknown), phase("")},
		{func(*corev1.Pod) {}, readySometime, readyFor(3 * time.Hour), readyFor(4 * time.Hour), readyFor(50 * time.Second)},
		{func(*corev1.Pod) {}, costs("0"), costs("-0"), costs("5"), costs("05")},
		{restarted(0), restarted(2)},
		{initRestarted(3, ""), initRestarted(3, corev1.ContainerRestartPolicyAlways), initRestarted(4, corev1.ContainerRestartPolicyAlways)},
		{func(*corev1.Pod) {}, created(time.Hour), created(70 * time.Minute), created(month), created(-time.Minute)},
		{uid("a"), uid("b")},
	}
	p := &corev1.Pod{}
	for _, choice := range traits {
		choice[r.IntN(len(choice))](p)
	}
	return p
}

// byRules gives what the first rule that tells two Pods apart says: each rule
// is a number by which the lower Pod goes first.
func byRules(a, b *corev1.Pod, crowdA, crowdB int) int {
	readyA, sinceA := readiness(a)
	readyB, sinceB := readiness(b)
	rules := [][2]float64{
		{one(a.Spec.NodeName != ""), one(b.Spec.NodeName != "")},
		{phases[a.Status.Phase], phases[b.Status.Phase]},
		{one(readyA), one(readyB)},
		{cost(a), cost(b)},
		{-float64(crowdA), -float64(crowdB)},
	}
	if readyA && readyB && !sinceA.Equal(sinceB) {
		return pick(append(rules, ages(sinceA, sinceB, a.UID, b.UID)...))
	}
	rules = append(rules,
		[2]float64{-float64(a.Status.ContainerStatuses[0].RestartCount), -float64(b.Status.ContainerStatuses[0].RestartCount)},
		[2]float64{-sidecarRestarts(a), -sidecarRestarts(b)},
	)
	if !a.CreationTimestamp.Equal(&b.CreationTimestamp) {
		rules = append(rules, ages(a.CreationTimestamp.Time, b.CreationTimestamp.Time, a.UID, b.UID)...)
	}
	return pick(rules)
}

var phases = map[corev1.PodPhase]float64{corev1.PodUnknown: 1, corev1.PodRunning: 2}

func pick(rules [][2]float64) int {
	for _, rule := range rules {
		if rule[0] != rule[1] {
			return sign(int(math.Copysign(1, rule[0]-rule[1])))
		}
	}
	return 0
}

func ages(t, u time.Time, a, b types.UID) [][2]float64 {
	if t.IsZero() || u.IsZero() {
		return [][2]float64{{one(!t.IsZero()), one(!u.IsZero())}}
	}
	return [][2]float64{{logarithm(t), logarithm(u)}, {one(a > b), one(b > a)}}
}

func logarithm(t time.Time) float64 {
	if d := rankNow.Sub(t); d > 0 {
		return math.Floor(math.Log2(float64(d)))
	}
	return -1
}

func readiness(p *corev1.Pod) (bool, time.Time) {
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
			return true, c.LastTransitionTime.Time
		}
	}
	return false, time.Time{}
}

func cost(p *corev1.Pod) float64 {
	n, err := strconv.Atoi(p.Annotations[corev1.PodDeletionCost])
	if err != nil || p.Annotations[corev1.PodDeletionCost] == "05" {
		return 0
	}
	return float64(n)
}

func sidecarRestarts(p *corev1.Pod) float64 {
	if p.Spec.InitContainers[0].RestartPolicy == nil {
		return 0
	}
	return float64(p.Status.InitContainerStatuses[0].RestartCount)
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func BenchmarkInOrderOfDeletion(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var pods []view.Pod
	for i := range 1000 {
		p := randomPod(r)
		p.UID = types.UID(fmt.Sprint("uid-", i))
		pods = append(pods, bytesOf(b, p))
	}
	for b.Loop() {
		inOrderOfDeletion(pods, map[string]int{"n": 3}, true, rankNow)
	}
}
