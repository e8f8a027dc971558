//go:build !wasip1

package main

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// answers gives the same bytes to every read.
type answers []byte

func (a answers) Read(_, buffer []byte) int32 {
	if len(a) <= len(buffer) {
		copy(buffer, a)
	}
	return int32(len(a))
}

func (answers) Log(int32, []byte) {}

// BenchmarkSteady is a reconcile that finds all of 1,000 Pods as they should be.
func BenchmarkSteady(b *testing.B) {
	const count = 1000
	w := sdktest.New(b, web, two)
	zero := int32(0)
	rs := sdktest.Get[*appsv1.ReplicaSet](w, "ReplicaSet", "default", "web")
	n := int32(count)
	rs.Spec.Replicas = &n
	rs.Status = appsv1.ReplicaSetStatus{Replicas: n, FullyLabeledReplicas: n, ReadyReplicas: n, AvailableReplicas: n, TerminatingReplicas: &zero, ObservedGeneration: 1}
	pod := sdktest.Get[*corev1.Pod](w, "Pod", "default", "web-a").DeepCopy()
	owned := abi.Answer{Status: abi.AnswerStatusOK}
	for i := range count {
		pod.UID = types.UID(fmt.Sprint("uid-", i))
		owned.Objects = append(owned.Objects, abi.Object{Body: bytesOf(b, pod), Encoding: abi.EncodingProtobuf})
	}
	body, err := rs.Marshal()
	if err != nil {
		b.Fatal(err)
	}
	request := (&abi.Request{Key: &abi.Key{Namespace: "default", Name: "web"}, Object: &abi.Object{Body: body}, NowNS: w.Now.UnixNano()}).Append(nil)
	sdk.UseHost(answers((&abi.Answers{Answers: []abi.Answer{owned, {Status: abi.AnswerStatusOK}}}).Append(nil)))
	defer sdk.UseHost(nil)
	b.ReportAllocs()
	for b.Loop() {
		var out abi.Response
		if err := out.Decode(sdk.Serve(request)); err != nil || out.Error != nil || len(out.Batches) > 0 {
			b.Fatalf("%v %+v", err, out)
		}
	}
}
