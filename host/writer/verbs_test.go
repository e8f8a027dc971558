package writer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
)

func TestCreateProtobuf(t *testing.T) {
	e := newEnv(t, nil)
	a := e.action(abi.VerbCreate, "Pod", "", e.pod("a"))
	a.WantBody = true
	report := e.must(a)
	got := e.getPod("a")
	r := report.Results[0]
	if r.Name != "a" || r.UID != string(got.UID) || r.ResourceVersion != got.ResourceVersion || r.Encoding != abi.EncodingProtobuf {
		t.Errorf("result %+v of pod %s %s", r, got.UID, got.ResourceVersion)
	}
	var back corev1.Pod
	if err := back.Unmarshal(r.Body); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, &back); diff != "" {
		t.Errorf("the returned body: -want +got\n%s", diff)
	}
	if got.ManagedFields[0].Manager != "test" {
		t.Errorf("field manager %q, want the controller's name", got.ManagedFields[0].Manager)
	}
	want := []Write{{
		GVK: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, Namespace: e.namespace, Name: "a",
		UID: string(got.UID), ResourceVersion: got.ResourceVersion,
	}}
	if diff := cmp.Diff(want, report.Writes); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestCreateNamedByTheAction(t *testing.T) {
	e := newEnv(t, nil)
	if report := e.must(e.action(abi.VerbCreate, "Pod", "a", e.pod(""))); report.Results[0].Name != "a" {
		t.Errorf("result %+v", report.Results[0])
	}
	report := e.do(e.action(abi.VerbCreate, "Pod", "a", e.pod("")))
	if r := report.Results[0]; r.Reason != "AlreadyExists" || r.Code != 409 {
		t.Errorf("the second one: %+v", r)
	}
}

func TestDryRun(t *testing.T) {
	e := newEnv(t, nil)
	a := e.action(abi.VerbCreate, "Pod", "", e.pod("a"))
	a.DryRun = true
	if report := e.must(a); len(report.Writes) != 0 || e.countPods() != 0 {
		t.Errorf("writes %v, %d pods", report.Writes, e.countPods())
	}
}

func TestUpdate(t *testing.T) {
	e := newEnv(t, nil)
	first := e.must(e.action(abi.VerbCreate, "ConfigMap", "", e.configMap("c"))).Results[0]
	changed := e.configMap("c")
	changed.Data["k"] = "w"
	update := e.action(abi.VerbUpdate, "ConfigMap", "c", changed)
	update.ResourceVersion, update.UID = first.ResourceVersion, first.UID

	second := e.must(update).Results[0]
	if second.Outcome != abi.OutcomeOK || second.ResourceVersion == first.ResourceVersion {
		t.Errorf("the update: %+v", second)
	}
	if r := e.do(update).Results[0]; r.Reason != "Conflict" {
		t.Errorf("with an old version: %+v", r)
	}
	update.ResourceVersion = second.ResourceVersion
	report := e.must(update)
	if r := report.Results[0]; r.Outcome != abi.OutcomeUnchanged || len(report.Writes) != 0 {
		t.Errorf("that changes nothing: %+v, writes %v", r, report.Writes)
	}
	update.UID = "another"
	if r := e.do(update).Results[0]; r.Reason != "Conflict" {
		t.Errorf("with another UID: %+v", r)
	}
	update.UID, update.ResourceVersion, update.Encoding = "", "", abi.EncodingJSON
	changed.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}
	changed.Data["k"] = "x"
	update.Body, update.WantBody = toJSON(t, changed), true
	if r := e.must(update).Results[0]; r.Encoding != abi.EncodingJSON || !strings.Contains(string(r.Body), `"k":"x"`) {
		t.Errorf("in JSON: %+v", r)
	}
}

func TestVersionFromDependency(t *testing.T) {
	e := newEnv(t, nil)
	changed := e.configMap("c")
	changed.Data["k"] = "w"
	update := e.action(abi.VerbUpdate, "ConfigMap", "c", changed)
	update.DependsOn, update.ResourceVersionFromDependency = 1, true
	e.must(e.action(abi.VerbCreate, "ConfigMap", "", e.configMap("c")), update)
}

func TestPatchAndApply(t *testing.T) {
	e := newEnv(t, nil)
	first := e.must(e.action(abi.VerbCreate, "Pod", "", e.pod("a"))).Results[0]
	patch := func(t abi.PatchType, body string) abi.Action {
		a := e.action(abi.VerbPatch, "Pod", "a", nil)
		a.PatchType, a.Body = t, []byte(body)
		return a
	}
	e.must(
		patch(abi.PatchTypeJSON, `[{"op":"add","path":"/metadata/labels","value":{"json":"1"}}]`),
		patch(abi.PatchTypeMerge, `{"metadata":{"labels":{"merge":"1"}}}`),
		patch(abi.PatchTypeStrategic, `{"spec":{"containers":[{"name":"c","image":"new"}]}}`),
	)
	for _, kind := range []abi.PatchType{abi.PatchTypeJSON, abi.PatchTypeMerge, abi.PatchTypeStrategic} {
		stale := patch(kind, `{"metadata":{"labels":{"stale":"1"}}}`)
		if kind == abi.PatchTypeJSON {
			stale = patch(kind, `[{"op":"add","path":"/metadata/labels/stale","value":"1"}]`)
		}
		stale.ResourceVersion = first.ResourceVersion
		if r := e.do(stale).Results[0]; r.Reason != "Conflict" {
			t.Errorf("patch %d of an old version: %+v", kind, r)
		}
		stale.ResourceVersion, stale.UID = "", "another"
		if r := e.do(stale).Results[0]; r.Outcome != abi.OutcomeFailed || r.Code == 0 {
			t.Errorf("patch %d of another UID: %+v", kind, r)
		}
		stale.UID = first.UID
		e.must(stale)
	}
	apply := e.action(abi.VerbApply, "Pod", "a", nil)
	apply.Body = []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {own: \"1\"}}\n")
	e.must(apply)
	apply.FieldManager = "other"
	apply.Body = []byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"merge":"3"}}}`)
	if r := e.do(apply).Results[0]; r.Reason != "Conflict" || len(r.Causes) == 0 {
		t.Errorf("apply over another's field: %+v", r)
	}
	apply.Force = true
	e.must(apply)
	got := e.getPod("a")
	if got.Labels["merge"] != "3" || got.Labels["json"] != "1" || got.Labels["own"] != "1" || got.Spec.Containers[0].Image != "new" {
		t.Errorf("labels %v, image %s", got.Labels, got.Spec.Containers[0].Image)
	}
}

func TestSubresources(t *testing.T) {
	e := newEnv(t, nil)
	e.must(e.action(abi.VerbCreate, "Pod", "", e.pod("a")))

	status := e.pod("a")
	status.Status.Phase = corev1.PodRunning
	update := e.action(abi.VerbUpdate, "Pod", "a", status)
	update.Subresource = "status"
	if report := e.must(update); len(report.Writes) != 1 || e.getPod("a").Status.Phase != corev1.PodRunning {
		t.Errorf("status: %+v", report)
	}

	bind := e.action(abi.VerbCreate, "Pod", "a", &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: e.namespace}, Target: corev1.ObjectReference{Kind: "Node", Name: "n"},
	})
	bind.Subresource, bind.BodyKind = "binding", &abi.Kind{APIVersion: "v1", Kind: "Binding"}
	if report := e.must(bind); len(report.Writes) != 0 || e.getPod("a").Spec.NodeName != "n" {
		t.Errorf("binding: %+v", report)
	}

	evict := e.action(abi.VerbCreate, "Pod", "a", &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: e.namespace}})
	evict.Subresource, evict.BodyKind = "eviction", &abi.Kind{APIVersion: "policy/v1", Kind: "Eviction"}
	if report := e.must(evict); len(report.Writes) != 1 || !report.Writes[0].Deleted || e.getPod("a").DeletionTimestamp == nil {
		t.Errorf("eviction: %+v", report)
	}
}

func TestScaleAndToken(t *testing.T) {
	e := newEnv(t, nil)
	one, three := int32(1), int32(3)
	labels := map[string]string{"a": "b"}
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "d"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &one, Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: e.pod("x").Spec},
		},
	}
	scale := e.action(abi.VerbUpdate, "Deployment", "d", &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Name: "d", Namespace: e.namespace}, Spec: autoscalingv1.ScaleSpec{Replicas: three},
	})
	scale.Subresource, scale.BodyKind = "scale", &abi.Kind{APIVersion: "autoscaling/v1", Kind: "Scale"}
	report := e.must(e.action(abi.VerbCreate, "Deployment", "", deployment), scale)
	got, err := e.client.AppsV1().Deployments(e.namespace).Get(t.Context(), "d", metav1.GetOptions{})
	if err != nil || *got.Spec.Replicas != three || report.Writes[1].ResourceVersion != got.ResourceVersion {
		t.Errorf("%v: %d replicas, writes %+v", err, *got.Spec.Replicas, report.Writes)
	}

	token := e.action(abi.VerbCreate, "ServiceAccount", "sa", &authenticationv1.TokenRequest{})
	token.Subresource, token.BodyKind, token.WantBody = "token", &abi.Kind{APIVersion: "authentication.k8s.io/v1", Kind: "TokenRequest"}, true
	report = e.must(e.action(abi.VerbCreate, "ServiceAccount", "", &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "sa"}}), token)
	var request authenticationv1.TokenRequest
	if err := request.Unmarshal(report.Results[1].Body); err != nil || request.Status.Token == "" || len(report.Writes) != 1 {
		t.Errorf("token %q, %v, writes %+v", request.Status.Token, err, report.Writes)
	}
}

func TestDelete(t *testing.T) {
	e := newEnv(t, nil)
	created := e.must(e.action(abi.VerbCreate, "ConfigMap", "", e.configMap("c"))).Results[0]
	remove := e.action(abi.VerbDelete, "ConfigMap", "c", nil)
	remove.UID = "another"
	if r := e.do(remove).Results[0]; r.Reason != "Conflict" {
		t.Errorf("of another UID: %+v", r)
	}
	remove.UID, remove.ResourceVersion, remove.Propagation = created.UID, created.ResourceVersion, abi.PropagationBackground
	report := e.must(remove)
	if w := report.Writes[0]; !w.Deleted || w.UID != created.UID || w.Name != "c" {
		t.Errorf("writes %+v", report.Writes)
	}
	if r := e.do(remove).Results[0]; r.Reason != "NotFound" || r.Outcome != abi.OutcomeFailed {
		t.Errorf("once more: %+v", r)
	}
	remove.Tolerates = []string{"NotFound"}
	if r := e.must(remove).Results[0]; r.Reason != "NotFound" || r.Outcome != abi.OutcomeOK {
		t.Errorf("tolerated: %+v", r)
	}
}

// TestFinalizer: the write that takes the last finalizer lets the object go.
func TestFinalizer(t *testing.T) {
	e := newEnv(t, nil)
	held := e.configMap("c")
	held.Finalizers = []string{"example.com/held"}
	created := e.must(e.action(abi.VerbCreate, "ConfigMap", "", held)).Results[0]
	report := e.must(e.action(abi.VerbDelete, "ConfigMap", "c", nil))
	if w := report.Writes[0]; !w.Deleted || w.Gone || w.UID != created.UID || w.ResourceVersion == "" {
		t.Errorf("of the deletion: %+v", report.Writes)
	}
	release := e.action(abi.VerbPatch, "ConfigMap", "c", nil)
	release.PatchType, release.Body = abi.PatchTypeMerge, []byte(`{"metadata":{"finalizers":null}}`)
	report = e.must(release)
	if w := report.Writes[0]; !w.Deleted || !w.Gone || w.UID != created.UID {
		t.Errorf("of the release: %+v", report.Writes)
	}
}

func TestDeleteCollection(t *testing.T) {
	e := newEnv(t, nil)
	for _, name := range []string{"a", "b", "c"} {
		c := e.configMap(name)
		c.Labels = map[string]string{"in": map[bool]string{true: "yes", false: "no"}[name != "b"]}
		e.must(e.action(abi.VerbCreate, "ConfigMap", "", c))
	}
	remove := e.action(abi.VerbDeleteCollection, "ConfigMap", "", nil)
	remove.LabelSelector = "in=yes"
	report := e.must(remove)
	var names []string
	for _, w := range report.Writes {
		names = append(names, w.Name)
		if !w.Deleted || w.UID == "" {
			t.Errorf("write %+v", w)
		}
	}
	left, err := e.client.CoreV1().ConfigMaps(e.namespace).List(t.Context(), metav1.ListOptions{LabelSelector: "in"})
	if err != nil || len(left.Items) != 1 || left.Items[0].Name != "b" || strings.Join(names, " ") != "a c" {
		t.Errorf("%v: %d left, deleted %v", err, len(left.Items), names)
	}
}
