package serviceaccount

import (
	"context"
	"errors"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"

	"github.com/loopdock/loopdock/testdata/upstream/standin"
)

// ServiceAccountsControllerOptions has the native options' shape.
type ServiceAccountsControllerOptions struct {
	ServiceAccounts                       []v1.ServiceAccount
	ServiceAccountResync, NamespaceResync time.Duration
}

// DefaultServiceAccountsControllerOptions are those of the native controller.
func DefaultServiceAccountsControllerOptions() ServiceAccountsControllerOptions {
	return ServiceAccountsControllerOptions{ServiceAccounts: []v1.ServiceAccount{{ObjectMeta: metav1.ObjectMeta{Name: "default"}}}}
}

// ServiceAccountsController runs the guest.
type ServiceAccountsController struct {
	client clientset.Interface
}

// NewServiceAccountsController has the native constructor's shape.
func NewServiceAccountsController(_ klog.Logger, accounts coreinformers.ServiceAccountInformer, namespaces coreinformers.NamespaceInformer, client clientset.Interface, options ServiceAccountsControllerOptions) (*ServiceAccountsController, error) {
	if a := options.ServiceAccounts; len(a) != 1 || a[0].Name != "default" {
		return nil, errors.New("the guest keeps the account default and no other")
	}
	accounts.Informer() // the native one registers them too, and tests look at them
	namespaces.Informer()
	return &ServiceAccountsController{client: client}, nil
}

// Run runs the guest until ctx ends.
func (c *ServiceAccountsController) Run(ctx context.Context, workers int) {
	(&standin.Controller{
		Module: "serviceaccount", Name: "serviceaccount", Workers: workers, Client: c.client.AppsV1().RESTClient(),
		Config: func() any { return struct{}{} }, // it has no settings
	}).Run(ctx)
}
