package meter_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/meter"
)

// job is real work for a guest: an object to reconcile, and what its queries find.
type job struct {
	guest  string
	object message
	finds  []message // by its first query; others find nothing
}

type message interface{ Marshal() ([]byte, error) }

const web = "web"

func meta(name, owner string) metav1.ObjectMeta {
	m := metav1.ObjectMeta{
		Name: name, Namespace: "default", UID: types.UID("uid-" + name), ResourceVersion: "12345", Generation: 1,
		Labels:            map[string]string{"app": web, "pod-template-hash": "5d4f8c7b9d", "tier": "frontend"},
		Annotations:       map[string]string{"example.com/checksum": "8c7dd922ad47494fc02c388e12c00eac"},
		CreationTimestamp: metav1.Unix(1_700_000_000, 0),
	}
	if owner != "" {
		yes := true
		m.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: owner, UID: types.UID("uid-" + owner), Controller: &yes, BlockOwnerDeletion: &yes}}
	}
	return m
}

func podSpec() corev1.PodSpec {
	c := corev1.Container{Name: web, Image: "registry.example.com/web:v1", Ports: []corev1.ContainerPort{{ContainerPort: 80}}}
	for i := range 8 {
		c.Env = append(c.Env, corev1.EnvVar{Name: fmt.Sprint("VARIABLE_", i), Value: "some value of middling length"})
	}
	return corev1.PodSpec{Containers: []corev1.Container{c}, NodeName: "node-1", ServiceAccountName: "default", RestartPolicy: corev1.RestartPolicyAlways}
}

// jobs are what the benchmarks measure.
func jobs() []job {
	n, now := int32(1000), metav1.Unix(1_700_000_100, 0)
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"app": web}}
	template := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": web, "tier": "frontend"}}, Spec: podSpec()}
	var pods, sets, cronJobs []message
	for i := range n {
		p := &corev1.Pod{ObjectMeta: meta(fmt.Sprint(web, "-", i), web), Spec: podSpec()}
		p.Status = corev1.PodStatus{Phase: corev1.PodRunning, HostIP: "10.0.0.1", PodIP: "10.1.0.1", StartTime: &now, Conditions: []corev1.PodCondition{
			{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: now},
			{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: now},
		}}
		pods = append(pods, p)
	}
	for i := range 100 {
		s := &appsv1.ReplicaSet{ObjectMeta: meta(fmt.Sprint(web, "-", i), web), Spec: appsv1.ReplicaSetSpec{Replicas: new(int32), Selector: selector, Template: template}}
		s.Spec.Template.Spec.Containers = []corev1.Container{{Name: web, Image: fmt.Sprint("registry.example.com/web:v", i)}}
		sets = append(sets, s)
		j := &batchv1.Job{ObjectMeta: meta(fmt.Sprint("nightly-", i), "nightly"), Spec: batchv1.JobSpec{Template: template}}
		j.Status = batchv1.JobStatus{StartTime: &now, CompletionTime: &now, Conditions: []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}}}
		cronJobs = append(cronJobs, j)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default", UID: "uid-default"}, Status: corev1.NamespaceStatus{Phase: corev1.NamespaceActive}}
	return []job{
		{guest: "replicaset", finds: pods, object: &appsv1.ReplicaSet{
			ObjectMeta: meta(web, ""), Spec: appsv1.ReplicaSetSpec{Replicas: &n, Selector: selector, Template: template},
			Status: appsv1.ReplicaSetStatus{Replicas: n, FullyLabeledReplicas: n, ReadyReplicas: n, AvailableReplicas: n, ObservedGeneration: 1},
		}},
		{guest: "deployment", finds: sets, object: &appsv1.Deployment{
			ObjectMeta: meta(web, ""), Spec: appsv1.DeploymentSpec{Replicas: &n, Selector: selector, Template: template, Strategy: appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}},
		}},
		{guest: "cronjob", finds: cronJobs, object: &batchv1.CronJob{
			ObjectMeta: meta("nightly", ""), Spec: batchv1.CronJobSpec{Schedule: "*/7 3-9 * * mon-fri", JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: template}}},
		}},
		{guest: "garbagecollector", finds: pods[:1], object: pods[0]},
		{guest: "namespaceowner", object: namespace},
		{guest: "serviceaccount", object: namespace},
	}
}

// worker is a guest that reconciles a job.
type worker struct {
	guest   api.Module
	request []byte
	answers map[string][]byte
}

func body(tb testing.TB, m message) []byte {
	tb.Helper()
	b, err := m.Marshal()
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func newWorker(tb testing.TB, j job, wasm []byte, k *tank) *worker {
	tb.Helper()
	w := &worker{answers: map[string][]byte{}}
	r := newRuntime(tb, wazero.NewRuntimeConfig())
	if _, err := wasi_snapshot_preview1.Instantiate(tb.Context(), r); err != nil {
		tb.Fatal(err)
	}
	var found []abi.Object
	for _, m := range j.finds {
		found = append(found, abi.Object{Body: body(tb, m), Encoding: abi.EncodingProtobuf, Kind: &abi.Kind{APIVersion: "v1", Kind: "Pod"}})
	}
	read := func(_ context.Context, m api.Module, queries, queriesLen, buffer, bufferLen uint32) int32 {
		q, _ := m.Memory().Read(queries, queriesLen)
		a, ok := w.answers[string(q)]
		if !ok {
			a = answer(tb, q, found)
			w.answers[string(q)] = a
		}
		if len(a) <= int(bufferLen) {
			m.Memory().Write(buffer, a)
		}
		return int32(len(a))
	}
	_, err := r.NewHostModuleBuilder("loopdock_abi_1").
		NewFunctionBuilder().WithFunc(read).Export("read").
		NewFunctionBuilder().WithFunc(func(_, _, _ int32) {}).Export("log").
		Instantiate(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	k.offer(tb, r)
	w.guest, _ = describe(tb, r, wasm)
	key := &abi.Key{Namespace: "default", Name: web}
	w.request = (&abi.Request{Key: key, Object: &abi.Object{Body: body(tb, j.object), Kind: &abi.Kind{APIVersion: "v1", Kind: "Pod"}}, NowNS: 1_700_000_200e9, Seed: 7}).Append(nil)
	return w
}

// answer gives the first query what there is to find.
func answer(tb testing.TB, queries []byte, found []abi.Object) []byte {
	tb.Helper()
	var q abi.Queries
	if err := q.Decode(queries); err != nil {
		tb.Fatal(err)
	}
	var out abi.Answers
	for i := range q.Queries {
		a := abi.Answer{Status: abi.AnswerStatusOK}
		if i == 0 {
			a.Objects = found
		}
		out.Answers = append(out.Answers, a)
	}
	return out.Append(nil)
}

// reconcile gives the guest's response.
func (w *worker) reconcile(tb testing.TB) []byte {
	tb.Helper()
	n := uint64(len(w.request))
	at, err := w.guest.ExportedFunction(abi.ExportAlloc).Call(tb.Context(), n)
	if err != nil {
		tb.Fatal(err)
	}
	w.guest.Memory().Write(uint32(at[0]), w.request)
	out, err := w.guest.ExportedFunction(abi.ExportReconcile).Call(tb.Context(), at[0], n)
	if err != nil {
		tb.Fatal(err)
	}
	b, ok := w.guest.Memory().Read(uint32(out[0]>>32), uint32(out[0]))
	if !ok {
		tb.Fatal("the response is outside of memory")
	}
	return b
}

// TestWork: a metered guest gives the answers that it gives plain.
func TestWork(t *testing.T) {
	if sampled {
		t.Skip("compiling all guests takes minutes")
	}
	guests(t) // skips without
	for _, j := range jobs() {
		t.Run(j.guest, func(t *testing.T) {
			wasm := readFile(t, "../../.build/guests/"+j.guest+".wasm")
			out, _ := metered(t, wasm, meter.Config{Fuel: 1000})
			k := &tank{slice: 1000}
			want, got := newWorker(t, j, wasm, k).reconcile(t), newWorker(t, j, out, k).reconcile(t)
			if !bytes.Equal(got, want) {
				t.Errorf("it answers %q, not %q", got, want)
			}
			var r abi.Response
			if err := r.Decode(got); err != nil || r.Error != nil {
				t.Errorf("%v %+v", err, r.Error)
			}
		})
	}
}
