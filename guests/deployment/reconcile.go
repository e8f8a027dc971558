package main

import (
	"errors"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
)

// reconcile takes several steps: claim the ReplicaSets, bring the annotations
// of the one with the Deployment's template up to date or create it, scale
// them, write the status. A step that asks for actions whose results matter
// ends the call, and the next one continues in another, from what it then finds.
func reconcile(r *sdk.Reconcile) error {
	if !r.Exists() {
		return nil
	}
	d, err := newDeployment(r)
	if err != nil {
		return sdk.Terminal(err)
	}
	if d.selector.Empty() {
		return warnSelectsAll(r, d)
	}
	done := decodeStep(r.Continuation(), d.meta.UID())
	if done.kind != stepNone && done.kind != stepCreated {
		if err := sdk.Failures("cannot update the Deployment or its ReplicaSets", r.Results()); err != nil {
			return err
		}
	}
	found, err := findReplicaSets(r, d)
	if err != nil {
		return err
	}
	if done.kind == stepNone && found.unclaimed() {
		return claim(r, d, found)
	}
	return proceed(r, d, newReplicaSets(d, found.owned), done)
}

// proceed does what the Deployment needs with the ReplicaSets that it owns.
func proceed(r *sdk.Reconcile, d *deployment, sets replicaSets, done step) error {
	if !d.terminating() {
		d.notePause()
	}
	if done.kind == stepCreated {
		if over, err := accountCreation(r, d, sets, done); over || err != nil {
			return err
		}
	}
	if sets.updated != nil {
		if (done.kind == stepNone || done.kind == stepClaimed) && revise(r, d, sets) {
			return nil
		}
		d.noteUpdated(sets.updated)
	}
	to, rollingBack := rollbackTo(d)
	switch {
	case d.terminating():
		return settle(r, d, sets)
	case done.kind == stepRolled:
		r.RequeueAfter(0) // a roll-out goes on step by step
		return settleRollOut(r, d, sets)
	case done.kind == stepResized:
		r.RequeueAfter(0) // for what a roll-out has left to do
		return settleResize(r, d, sets)
	case d.Spec().Paused():
		return resize(r, d, sets)
	case rollingBack:
		return rollBack(r, d, sets, to)
	case wasScaled(d, sets):
		return resize(r, d, sets)
	}
	switch strategy := d.Spec().Strategy().Type(); strategy {
	case appsv1.RecreateDeploymentStrategyType:
		return recreate(r, d, sets)
	case appsv1.RollingUpdateDeploymentStrategyType:
		return roll(r, d, sets)
	default:
		return sdk.Terminal(errors.New("unexpected deployment strategy type: " + strategy))
	}
}

// warnSelectsAll refuses a Deployment whose selector is empty: it would take
// all Pods for its own.
func warnSelectsAll(r *sdk.Reconcile, d *deployment) error {
	r.Event(sdk.Warning, "SelectingAll", "This deployment is selecting all pods. A non-empty selector is required.")
	if d.status.ObservedGeneration() < d.meta.Generation() {
		d.writeStatus(r, d.status.WithObservedGeneration(d.meta.Generation()))
	}
	return nil
}
