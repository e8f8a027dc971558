package metav1_test

import (
	"bytes"
	"testing"
	"time"

	upstream "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

var times = []time.Time{
	{}, time.Unix(0, 0), time.Unix(1, 999_999_999), time.Unix(-5, 1), time.Date(2031, 5, 6, 7, 8, 9, 123_456_789, time.UTC),
}

func TestTimesEqualUpstreams(t *testing.T) {
	for _, at := range times {
		u := upstream.NewTime(at)
		want, err := u.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		got := metav1.NewTime(at)
		if !bytes.Equal(got, want) || got.IsZero() != u.IsZero() {
			t.Errorf("%v is %x, want %x", at, []byte(got), want)
		}
		if err := u.Unmarshal(want); err != nil || !got.Time().Equal(u.Time) {
			t.Errorf("%v reads back as %v, want %v (%v)", at, got.Time(), u, err)
		}
		for _, other := range times {
			a, b := upstream.NewTime(at.Truncate(time.Second)), upstream.NewTime(other.Truncate(time.Second))
			if v := metav1.NewTime(other); got.Equal(v) != a.Equal(&b) || got.Before(v) != a.Before(&b) {
				t.Errorf("%v and %v: equal %v, before %v", at, other, got.Equal(v), got.Before(v))
			}
		}
	}
}

func TestMicroTimesEqualUpstreams(t *testing.T) {
	for _, at := range times {
		u := upstream.NewMicroTime(at)
		want, err := u.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		got := metav1.NewMicroTime(at)
		if !bytes.Equal(got, want) || got.IsZero() != u.IsZero() {
			t.Errorf("%v is %x, want %x", at, []byte(got), want)
		}
		if err := u.Unmarshal(want); err != nil || !got.Time().Equal(u.Time) {
			t.Errorf("%v reads back as %v, want %v (%v)", at, got.Time(), u, err)
		}
		if !got.IsZero() && got.UnixMicro() != u.UnixMicro() {
			t.Errorf("%v is %d microseconds, want %d", at, got.UnixMicro(), u.UnixMicro())
		}
	}
}
