package main

// source is a folder of an upstream module that holds a generated.proto, and
// the package that its views go into.
type source struct {
	module string
	dir    string
	out    string
	// documented says that the package's comment stands in a file by hand.
	documented bool
}

const (
	apiModule       = "k8s.io/api"
	machineryModule = "k8s.io/apimachinery"
	viewPath        = "github.com/loopdock/loopdock/sdk-go/view"
)

// sources are all packages that are generated. A message that refers to one
// which is not listed here stops the generator.
var sources = []source{
	{apiModule, "apps/v1", "appsv1", false},
	{apiModule, "autoscaling/v1", "autoscalingv1", false},
	{apiModule, "batch/v1", "batchv1", false},
	{apiModule, "certificates/v1", "certificatesv1", false},
	{apiModule, "coordination/v1", "coordinationv1", false},
	{apiModule, "core/v1", "corev1", false},
	{apiModule, "discovery/v1", "discoveryv1", false},
	{apiModule, "policy/v1", "policyv1", false},
	{apiModule, "rbac/v1", "rbacv1", false},
	{apiModule, "scheduling/v1alpha3", "schedulingv1alpha3", false}, // parts of Jobs
	{apiModule, "storage/v1", "storagev1", false},
	{machineryModule, "pkg/api/resource", "resource", true},
	{machineryModule, "pkg/apis/meta/v1", "metav1", true},
	{machineryModule, "pkg/runtime", "k8sruntime", false},
	{machineryModule, "pkg/util/intstr", "intstr", true},
}

// opaque are the messages that JSON writes as one value: a field path ends at
// them.
var opaque = map[string]bool{
	".k8s.io.apimachinery.pkg.api.resource.Quantity":      true,
	".k8s.io.apimachinery.pkg.apis.meta.v1.Duration":      true,
	".k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1":      true,
	".k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime":     true,
	".k8s.io.apimachinery.pkg.apis.meta.v1.Time":          true,
	".k8s.io.apimachinery.pkg.runtime.RawExtension":       true,
	".k8s.io.apimachinery.pkg.util.intstr.IntOrString":    true,
	".k8s.io.apimachinery.pkg.api.resource.QuantityValue": true,
}

const (
	objectMeta = ".k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta"
	listMeta   = ".k8s.io.apimachinery.pkg.apis.meta.v1.ListMeta"
)
