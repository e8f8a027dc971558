package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// Most pods of scenarios are bound to no node, so that nothing happens to them
// but what a step says: it plays kubelet.

// ready waits for as many pods as told and has those be ready that are not.
func ready(selector string, n int) step { return become(selector, n, running) }

// unready has all the pods run and not be ready.
func unready(selector string, n int) step { return become(selector, n, stalled) }

// succeed and fail end all the pods.
func succeed(selector string, n int) step { return become(selector, n, succeeded) }
func fail(selector string, n int) step    { return become(selector, n, failed) }

// readySome does so with some of the pods that are not ready yet, the first ones by name.
func readySome(selector string, total, some int) step {
	return step{fmt.Sprintf("%d of %d pods %s become ready", some, total, selector), func(ctx context.Context, st *stage) error {
		pods, err := st.pods(ctx, selector, total)
		if err != nil {
			return err
		}
		pods = slices.DeleteFunc(pods, func(p unstructured.Unstructured) bool { return podReady(&p) })
		for i := range pods[:min(some, len(pods))] {
			if err := st.setPod(ctx, &pods[i], running); err != nil {
				return err
			}
		}
		return nil
	}}
}

func become(selector string, n int, s podState) step {
	return step{fmt.Sprintf("%d pods %s become %s", n, selector, s.what), func(ctx context.Context, st *stage) error {
		pods, err := st.pods(ctx, selector, n)
		if err != nil {
			return err
		}
		for i := range pods {
			if s == running && podReady(&pods[i]) {
				continue // it may be on its way out
			}
			if err := st.setPod(ctx, &pods[i], s); err != nil {
				return err
			}
		}
		return nil
	}}
}

// pods waits for pods that are not being deleted, and gives them by name.
func (st *stage) pods(ctx context.Context, selector string, n int) ([]unstructured.Unstructured, error) {
	var pods []unstructured.Unstructured
	err := st.await(ctx, patience, func(ctx context.Context) (bool, error) {
		list, err := st.of("pods").List(ctx, metav1.ListOptions{LabelSelector: selector})
		if err != nil {
			return false, err
		}
		pods = slices.DeleteFunc(live(list.Items), func(p unstructured.Unstructured) bool {
			phase := field(p.Object, "status.phase")
			return phase == succeeded.phase || phase == failed.phase
		})
		return len(pods) == n, nil
	})
	if err != nil {
		return nil, fmt.Errorf("%w: there are %d pods %s, not %d", err, len(pods), selector, n)
	}
	slices.SortFunc(pods, func(a, b unstructured.Unstructured) int { return strings.Compare(a.GetName(), b.GetName()) })
	return pods, nil
}

// podState is what a kubelet would report.
type podState struct {
	what, phase, ready string
}

var (
	running   = podState{"ready", "Running", "True"}
	stalled   = podState{"not ready", "Running", "False"}
	succeeded = podState{"done", "Succeeded", "False"}
	failed    = podState{"failed", "Failed", "False"}
)

// setPod reports a pod's state. Its address is that of its annotation "ip".
func (st *stage) setPod(ctx context.Context, pod *unstructured.Unstructured, s podState) error {
	at := metav1.Now().UTC().Format(time.RFC3339)
	status := map[string]any{
		"phase": s.phase,
		"conditions": []any{
			map[string]any{"type": "Ready", "status": s.ready, "lastTransitionTime": at},
			map[string]any{"type": "ContainersReady", "status": s.ready, "lastTransitionTime": at},
		},
	}
	if ip := pod.GetAnnotations()["ip"]; ip != "" {
		status["podIP"], status["podIPs"] = ip, []any{map[string]any{"ip": ip}}
	}
	body, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		return err
	}
	_, err = st.dynamic.Resource(resources["pods"]).Namespace(pod.GetNamespace()).
		Patch(ctx, pod.GetName(), types.MergePatchType, body, metav1.PatchOptions{}, "status")
	return err
}
