package main

import (
	"errors"
	"math"
	"time"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
	"github.com/loopdock/loopdock/sdk-go/view/intstr"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// deployment is the object of one reconcile, beside what is asked of it again
// and again.
type deployment struct {
	appsv1.Deployment
	settings
	meta     metav1.ObjectMeta
	selector meta.Selector
	replicas int32
	rolling  bool  // the strategy is a rolling update
	surge    int32 // how many Pods there may be beyond replicas
	// unavailable is how many of replicas may be unavailable.
	unavailable int32
	now         time.Time

	// status and revision are the object's, with what was noted on the way.
	// Both are written in one update, at the end or before something is scaled.
	status   appsv1.DeploymentStatus
	revision string
	written  bool
}

// newDeployment looks at the key's object. The error is about its selector.
func newDeployment(r *sdk.Reconcile) (*deployment, error) {
	d := &deployment{Deployment: r.Object(), settings: readSettings(r), replicas: 1, now: r.Now()}
	d.meta, d.status = d.Metadata(), d.Status()
	d.revision, _ = d.meta.Annotations().Get(revisionAnnotation)
	spec := d.Spec()
	if spec.HasReplicas() {
		d.replicas = spec.Replicas()
	}
	d.rolling = spec.Strategy().Type() == appsv1.RollingUpdateDeploymentStrategyType
	if d.rolling {
		d.surge, d.unavailable = fenceposts(spec.Strategy().RollingUpdate(), d.replicas)
	}
	selector, err := meta.NewSelector(spec.Selector())
	d.selector = selector
	if err != nil {
		err = errors.New("deployment " + d.meta.Namespace() + "/" + d.meta.Name() + " has invalid label selector: " + err.Error())
	}
	return d, err
}

// fenceposts is how many Pods a rolling update may have beyond replicas, and
// how many of these may be unavailable. One of both has to be above zero, or
// nothing could move: percentages of few replicas may round to none.
func fenceposts(limits appsv1.RollingUpdateDeployment, replicas int32) (surge, unavailable int32) {
	surge = scaled(limits.MaxSurge(), replicas, true)
	unavailable = scaled(limits.MaxUnavailable(), replicas, false)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, min(unavailable, replicas)
}

// scaled is zero for what is no number: the API server lets no such thing pass.
func scaled(v intstr.IntOrString, total int32, roundUp bool) int32 {
	n, err := v.Scaled(int(total), roundUp)
	if err != nil {
		return 0
	}
	return int32(n) //nolint:gosec // a count of Pods
}

// deadline is within what time a roll-out has to make progress, and whether
// there is such a limit.
func (d *deployment) deadline() (time.Duration, bool) {
	spec := d.Spec()
	seconds := spec.ProgressDeadlineSeconds()
	return time.Duration(seconds) * time.Second, spec.HasProgressDeadlineSeconds() && seconds != math.MaxInt32
}

// maxReplicas is how many Pods there may be at most.
func (d *deployment) maxReplicas() int32 { return d.replicas + d.surge }

// terminating reports whether the Deployment is being deleted.
func (d *deployment) terminating() bool { return d.meta.HasDeletionTimestamp() }

// quoted is the Deployment's name as messages show it.
func (d *deployment) quoted() string { return quote(d.meta.Name()) }

// quote puts a name of the API, which has nothing to escape, into quotes.
func quote(name string) string { return `"` + name + `"` }

// readLive reads the Deployment from the API server. One that was replaced by
// another of the same name is an error.
func readLive(r *sdk.Reconcile, d *deployment) (appsv1.Deployment, error) {
	fresh, err := sdk.Get[appsv1.Deployment](r, sdk.Query{
		Kind: kindDeployment, Namespace: d.meta.Namespace(), Name: d.meta.Name(), Live: true, Quiet: true,
	})
	if err != nil {
		return nil, err
	}
	if uid := fresh.Metadata().UID(); uid != d.meta.UID() {
		return nil, errors.New("the Deployment was replaced by one with UID " + uid)
	}
	return fresh, nil
}
