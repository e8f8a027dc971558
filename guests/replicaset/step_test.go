//go:build !wasip1

package main

import (
	"reflect"
	"testing"
)

func TestStepsSurviveTheWay(t *testing.T) {
	for _, s := range []step{
		{kind: stepClaimed, uid: "u"},
		{kind: stepScaled, uid: "u"},
		{kind: stepScaled, uid: "u", deleting: []string{"a", "b-1"}},
	} {
		if got := decodeStep(s.encode(), "u"); !reflect.DeepEqual(got, s) {
			t.Errorf("got %+v, want %+v", got, s)
		}
		if got := decodeStep(s.encode(), "other"); got.kind != stepNone {
			t.Errorf("another ReplicaSet continues with %+v", got)
		}
	}
	if got := decodeStep(nil, "u"); got.kind != stepNone {
		t.Errorf("nothing became %+v", got)
	}
}
