package view_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsapi "k8s.io/api/apps/v1"
	autoscalingapi "k8s.io/api/autoscaling/v1"
	batchapi "k8s.io/api/batch/v1"
	certificatesapi "k8s.io/api/certificates/v1"
	coordinationapi "k8s.io/api/coordination/v1"
	coreapi "k8s.io/api/core/v1"
	discoveryapi "k8s.io/api/discovery/v1"
	policyapi "k8s.io/api/policy/v1"
	rbacapi "k8s.io/api/rbac/v1"
	storageapi "k8s.io/api/storage/v1"
	metaapi "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
	"github.com/loopdock/loopdock/sdk-go/view/autoscalingv1"
	"github.com/loopdock/loopdock/sdk-go/view/batchv1"
	"github.com/loopdock/loopdock/sdk-go/view/certificatesv1"
	"github.com/loopdock/loopdock/sdk-go/view/coordinationv1"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/discoveryv1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
	"github.com/loopdock/loopdock/sdk-go/view/policyv1"
	"github.com/loopdock/loopdock/sdk-go/view/rbacv1"
	"github.com/loopdock/loopdock/sdk-go/view/storagev1"
)

// object is what every generated type of k8s.io/api can do.
type object interface {
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

// kinds are the upstream types and their views. Together they reach every
// message that an object of these groups can hold.
var kinds = []struct {
	upstream object
	view     any
}{
	{&appsapi.ControllerRevision{}, appsv1.ControllerRevision(nil)},
	{&appsapi.DaemonSet{}, appsv1.DaemonSet(nil)},
	{&appsapi.Deployment{}, appsv1.Deployment(nil)},
	{&appsapi.ReplicaSet{}, appsv1.ReplicaSet(nil)},
	{&appsapi.StatefulSet{}, appsv1.StatefulSet(nil)},
	{&autoscalingapi.HorizontalPodAutoscaler{}, autoscalingv1.HorizontalPodAutoscaler(nil)},
	{&autoscalingapi.Scale{}, autoscalingv1.Scale(nil)},
	{&batchapi.CronJob{}, batchv1.CronJob(nil)},
	{&batchapi.Job{}, batchv1.Job(nil)},
	{&certificatesapi.CertificateSigningRequest{}, certificatesv1.CertificateSigningRequest(nil)},
	{&coordinationapi.Lease{}, coordinationv1.Lease(nil)},
	{&coreapi.ConfigMap{}, corev1.ConfigMap(nil)},
	{&coreapi.Endpoints{}, corev1.Endpoints(nil)}, //nolint:staticcheck // controllers still write them
	{&coreapi.Event{}, corev1.Event(nil)},
	{&coreapi.LimitRange{}, corev1.LimitRange(nil)},
	{&coreapi.Namespace{}, corev1.Namespace(nil)},
	{&coreapi.Node{}, corev1.Node(nil)},
	{&coreapi.PersistentVolume{}, corev1.PersistentVolume(nil)},
	{&coreapi.PersistentVolumeClaim{}, corev1.PersistentVolumeClaim(nil)},
	{&coreapi.Pod{}, corev1.Pod(nil)},
	{&coreapi.ReplicationController{}, corev1.ReplicationController(nil)},
	{&coreapi.ResourceQuota{}, corev1.ResourceQuota(nil)},
	{&coreapi.Secret{}, corev1.Secret(nil)},
	{&coreapi.Service{}, corev1.Service(nil)},
	{&coreapi.ServiceAccount{}, corev1.ServiceAccount(nil)},
	{&discoveryapi.EndpointSlice{}, discoveryv1.EndpointSlice(nil)},
	{&metaapi.DeleteOptions{}, metav1.DeleteOptions(nil)},
	{&metaapi.Status{}, metav1.Status(nil)},
	{&policyapi.PodDisruptionBudget{}, policyv1.PodDisruptionBudget(nil)},
	{&rbacapi.ClusterRole{}, rbacv1.ClusterRole(nil)},
	{&rbacapi.ClusterRoleBinding{}, rbacv1.ClusterRoleBinding(nil)},
	{&storageapi.CSINode{}, storagev1.CSINode(nil)},
	{&storageapi.StorageClass{}, storagev1.StorageClass(nil)},
	{&storageapi.VolumeAttachment{}, storagev1.VolumeAttachment(nil)},
}

// eachKind runs f on many random objects of every kind, with their encoding.
func eachKind(t *testing.T, f func(t *testing.T, upstream object, encoded []byte, v reflect.Value)) {
	t.Helper()
	for _, kind := range kinds {
		typ := reflect.TypeOf(kind.upstream).Elem()
		t.Run(typ.String(), func(t *testing.T) {
			for seed := range int64(40) {
				obj := fill(typ, seed)
				encoded, err := obj.Marshal()
				if err != nil {
					t.Fatal(err)
				}
				f(t, obj, encoded, reflect.ValueOf(encoded).Convert(reflect.TypeOf(kind.view)))
			}
		})
	}
}

func TestAccessorsAgreeWithUpstream(t *testing.T) {
	eachKind(t, func(t *testing.T, upstream object, _ []byte, v reflect.Value) {
		t.Helper()
		compareMessage(t, "", v, reflect.ValueOf(upstream).Elem())
	})
}

// TestRebuiltObjectsEqualUpstreamsBytes sets every field of a new message, in
// random order, to what the view of an upstream encoding reads: the same bytes
// must come out.
func TestRebuiltObjectsEqualUpstreamsBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	eachKind(t, func(t *testing.T, _ object, encoded []byte, v reflect.Value) {
		t.Helper()
		if got := rebuild(t, rng, v); !bytes.Equal(got.Bytes(), encoded) {
			t.Fatalf("rebuilt to other bytes:\n got %x\nwant %x", got.Bytes(), encoded)
		}
	})
}

// TestEditsLeaveTheRestAlone sets one field of an object that also has a field
// that nobody knows.
func TestEditsLeaveTheRestAlone(t *testing.T) {
	unknown := []byte{0xfa, 0xf0, 0x04, 3, 'n', 'e', 'w'} // field 9999
	for seed := range int64(200) {
		want, _ := fill(reflect.TypeFor[coreapi.Pod](), seed).(*coreapi.Pod)
		encoded, err := want.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		encoded = append(encoded, unknown...)
		before := slices.Clone(encoded)
		pod := corev1.Pod(encoded)
		pod = pod.WithSpec(pod.Spec().WithNodeName("here").WithoutPriority().AppendTolerations(corev1.Toleration(nil).WithKey("k")))
		pod = pod.WithMetadata(pod.Metadata().WithLabel("app", "web").WithoutAnnotation("a").WithFinalizers("x", "y"))
		if !bytes.Equal(encoded, before) {
			t.Fatal("an edit changed the bytes that it started from")
		}
		if !bytes.HasSuffix(pod, unknown) {
			t.Fatalf("the unknown field did not survive: %x", []byte(pod))
		}
		want.Spec.NodeName, want.Spec.Priority = "here", nil
		want.Spec.Tolerations = append(want.Spec.Tolerations, coreapi.Toleration{Key: "k"})
		if want.Labels == nil {
			want.Labels = map[string]string{}
		}
		want.Labels["app"] = "web"
		delete(want.Annotations, "a")
		if len(want.Annotations) == 0 {
			want.Annotations = nil
		}
		want.Finalizers = []string{"x", "y"}
		var got coreapi.Pod
		if err := got.Unmarshal(pod); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decoded(t, want), &got); diff != "" {
			t.Fatalf("edited pod (-want +got):\n%s", diff)
		}
		if keys := slices.Collect(maps.Keys(maps.Collect(pod.Metadata().Labels().All()))); len(keys) != len(want.Labels) {
			t.Fatalf("labels %v, want %v", keys, want.Labels)
		}
	}
}
