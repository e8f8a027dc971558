package resource_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	view "github.com/loopdock/loopdock/sdk-go/view/resource"
)

// TestCanonicalText compares with upstream's comparison of quantities.
func TestCanonicalText(t *testing.T) {
	texts := []string{
		"0", "0Gi", "-0", "1", "+1", "1000m", "1e0", "1E0", "10e-1", "0.001k", "1k", "1e3", "1000", "1Ki", "1024", "1.5Gi", "1536Mi",
		"1Gi", "1024Mi", "1073741824", "1G", "1000M", "500m", "0.5", ".5", "5.", "-500m", "-0.5", "100n", "0.1u", "1E", "1000P", "1Ei", "1024Pi", "7Ti", "12e6",
	}
	for _, a := range texts {
		for _, b := range texts {
			x, y := resource.MustParse(a), resource.MustParse(b)
			if got, want := same(a, b), x.Cmp(y) == 0; got != want {
				t.Errorf("%s and %s: the same is %v, want %v", a, b, got, want)
			}
		}
	}
	for _, text := range []string{"", "x", "1x", "1 Gi", "1ei", "Gi", "1.2.3", "1Zi", "--1", "1e", "1e1.5"} {
		if got := string(view.CanonicalText([]byte(text))); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func same(a, b string) bool {
	return string(view.CanonicalText([]byte(a))) == string(view.CanonicalText([]byte(b)))
}
