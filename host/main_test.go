package host_test

import (
	"testing"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/loopdock/loopdock/cmd/plane/planetest"
)

func TestMain(m *testing.M) { planetest.Main(m) }

// clientOf is a client that no fault concerns.
func clientOf(t *testing.T, config *rest.Config) kubernetes.Interface {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}
