//go:build !wasip1

package main

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

const (
	shop    = "testdata/shop.yaml"
	account = "testdata/account.yaml"
	certs   = "testdata/published.yaml"
)

const (
	rootCA = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
	config = `{"rootCA": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"}`
)

// situation is what a controller finds in a Namespace, and what it then does.
type situation struct {
	reason  string
	sources []string
	change  func(w *sdktest.World)
	want    []string
}

func (s situation) run(t *testing.T, controller string) *sdktest.World {
	t.Helper()
	w := sdktest.New(t, s.sources...)
	w.Controller, w.Config = controller, config
	if s.change != nil {
		s.change(w)
	}
	if diff := cmp.Diff(s.want, w.Reconcile("shop").Lines()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", s.reason, diff)
	}
	return w
}

func terminating(w *sdktest.World) {
	sdktest.Edit(w, "Namespace", "", "shop", func(ns *corev1.Namespace) { ns.Status.Phase = corev1.NamespaceTerminating })
}

// refused has the API server refuse a creation as it does in a Namespace that is
// being terminated, or without saying why.
func refused(cause metav1.CauseType) func(*sdktest.World) {
	return func(w *sdktest.World) {
		w.OnAction = func(a *abi.Action) *abi.Result {
			err := apierrors.NewForbidden(schema.GroupResource{Resource: "things"}, a.Name, errors.New("no"))
			err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: cause}}
			r := sdktest.Failure(err)
			return &r
		}
	}
}

func TestServiceAccount(t *testing.T) {
	const create = "create ServiceAccount shop/default"
	const forbidden = create + `: Forbidden: things "default" is forbidden: no`
	cases := map[string]situation{
		"missing":     {"a Namespace gets one", []string{shop}, nil, []string{create}},
		"there":       {"nothing is to be done", []string{shop, account}, nil, nil},
		"terminating": {"it is held back", []string{shop}, terminating, nil},
		"no Namespace": {
			"it has gone with all that was in it", nil, nil, nil,
		},
		"terminating by now": {"the API server knows better, and that is all right", []string{shop}, refused(corev1.NamespaceTerminatingCause), []string{forbidden}},
		"refused":            {"any other refusal is a failure", []string{shop}, refused("Other"), []string{forbidden, `error: things "default" is forbidden: no`}},
		"there live": {
			"somebody was faster: it is there, and that was the point",
			[]string{shop},
			func(w *sdktest.World) { w.AddLive(account) },
			[]string{create},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) { tc.run(t, "serviceaccount") })
	}
}

func editConfigMap(f func(*corev1.ConfigMap)) func(*sdktest.World) {
	return func(w *sdktest.World) { sdktest.Edit(w, "ConfigMap", "shop", configMapName, f) }
}

func TestPublisher(t *testing.T) {
	const create, update = "create ConfigMap shop/kube-root-ca.crt", "update ConfigMap shop/kube-root-ca.crt"
	const forbidden = create + `: Forbidden: things "kube-root-ca.crt" is forbidden: no`
	cases := map[string]situation{
		"missing":            {"a Namespace gets one", []string{shop}, nil, []string{create}},
		"there":              {"another description is as good", []string{shop, certs}, nil, nil},
		"terminating":        {"it is held back", []string{shop}, terminating, nil},
		"terminating by now": {"the API server knows better, and that is all right", []string{shop}, refused(corev1.NamespaceTerminatingCause), []string{forbidden}},
		"refused":            {"any other refusal is a failure", []string{shop}, refused("Other"), []string{forbidden, `error: things "kube-root-ca.crt" is forbidden: no`}},
		"changed": {
			"the certificates come back",
			[]string{shop, certs},
			editConfigMap(func(cm *corev1.ConfigMap) { cm.Data[certificates] = "mine" }),
			[]string{update},
		},
		"changed and terminating": {
			"what is still there is kept in order",
			[]string{shop, certs},
			func(w *sdktest.World) {
				terminating(w)
				editConfigMap(func(cm *corev1.ConfigMap) { cm.Data[certificates] = "mine" })(w)
			},
			[]string{update},
		},
		"emptied": {
			"so they do if all is gone",
			[]string{shop, certs},
			editConfigMap(func(cm *corev1.ConfigMap) { cm.Data = nil }),
			[]string{update},
		},
		"more": {
			"what is not ours goes",
			[]string{shop, certs},
			editConfigMap(func(cm *corev1.ConfigMap) { cm.Data["more"] = "data" }),
			[]string{update},
		},
		"no description": {
			"there must be one",
			[]string{shop, certs},
			editConfigMap(func(cm *corev1.ConfigMap) { cm.Annotations = map[string]string{"other": "note"} }),
			[]string{update},
		},
		"not configured": {
			"it says what is missing, and waits",
			[]string{shop},
			func(w *sdktest.World) { w.Config = "" },
			[]string{"terminal error: cannot publish the root certificates: the configuration has no rootCA (set it to their PEM text)"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := tc.run(t, "root-ca-certificate-publisher")
			if len(tc.want) != 1 || tc.want[0] != create && tc.want[0] != update {
				return
			}
			cm := sdktest.Get[*corev1.ConfigMap](w, "ConfigMap", "shop", configMapName)
			if diff := cmp.Diff(map[string]string{certificates: rootCA}, cm.Data); diff != "" {
				t.Error(diff)
			}
			if cm.Annotations[descriptionKey] != description {
				t.Errorf("the annotations are %v", cm.Annotations)
			}
		})
	}
}
