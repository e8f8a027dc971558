package intstr_test

import (
	"errors"
	"testing"

	upstream "k8s.io/apimachinery/pkg/util/intstr"

	"github.com/loopdock/loopdock/sdk-go/view/intstr"
)

func FuzzScaledAgreesWithUpstream(f *testing.F) {
	for _, s := range []string{"25%", "-5%", "0%", "%", "33.3%", "7", "x%", "+7%", "", "100%%", "99999999999999999999%"} {
		f.Add(s, int32(7), int64(1), 10)
	}
	f.Add("", int32(-3), int64(0), 4)
	f.Add("5%", int32(1), int64(2), 4)
	f.Fuzz(func(t *testing.T, s string, i int32, typ int64, total int) {
		want := upstream.IntOrString{Type: upstream.Type(typ), IntVal: i, StrVal: s}
		b, err := want.Marshal()
		if err != nil {
			t.Skip()
		}
		got := intstr.IntOrString(b)
		if got.String() != want.String() || got.IntValue() != want.IntValue() {
			t.Errorf("%v: %q %d, want %q %d", want, got, got.IntValue(), want.String(), want.IntValue())
		}
		for _, up := range []bool{false, true} {
			w, wantErr := upstream.GetScaledValueFromIntOrPercent(&want, total, up)
			g, err := got.Scaled(total, up)
			if g != w || (err == nil) != (wantErr == nil) {
				t.Errorf("%v of %d, up %v: got %d %v, want %d %v", want, total, up, g, err, w, wantErr)
			}
		}
	})
}

func TestConstructorsAgreeWithUpstream(t *testing.T) {
	for _, s := range []string{"", "0", "-1", "2147483647", "2147483648", "25%", "abc"} {
		w := upstream.Parse(s)
		want, err := w.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if got := intstr.Parse(s); string(got) != string(want) {
			t.Errorf("Parse(%q) is %x, want %x", s, []byte(got), want)
		}
	}
	if _, err := intstr.IntOrString(nil).Scaled(1, true); !errors.Is(err, intstr.ErrAbsent) {
		t.Errorf("an absent value scales with %v", err)
	}
	if v, err := (intstr.IntOrString{}).Scaled(1, true); v != 0 || err != nil {
		t.Errorf("an empty value scales to %d %v", v, err)
	}
}
