package sdktest

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Scheme knows the kinds that travel as protobuf. All others are custom
// resources here and travel as JSON. A test may add to it before it makes a World.
var Scheme = newScheme()

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		admissionv1.AddToScheme, appsv1.AddToScheme, autoscalingv1.AddToScheme, autoscalingv2.AddToScheme,
		batchv1.AddToScheme, certificatesv1.AddToScheme, coordinationv1.AddToScheme, corev1.AddToScheme,
		discoveryv1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme, rbacv1.AddToScheme,
		schedulingv1.AddToScheme, storagev1.AddToScheme,
	} {
		if err := add(s); err != nil {
			panic(err) // two packages that claim one kind
		}
	}
	return s
}

// load reads the objects of a YAML text, or of a file if it names one.
func load(source string) ([]runtime.Object, error) {
	text := []byte(source)
	if !bytes.ContainsRune(text, '\n') {
		var err error
		if text, err = os.ReadFile(source); err != nil { //nolint:gosec // a test names its own fixtures
			return nil, err
		}
	}
	var out []runtime.Object
	for r := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text))); ; {
		doc, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		o, err := fromYAML(doc)
		if err != nil {
			return nil, err
		}
		if o != nil {
			out = append(out, o)
		}
	}
}

// fromYAML decodes one document strictly: a mistyped field must fail the test
// rather than be left out.
func fromYAML(doc []byte) (runtime.Object, error) {
	u := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(doc, &u.Object); err != nil || len(u.Object) == 0 {
		return nil, err
	}
	if !Scheme.Recognizes(u.GroupVersionKind()) {
		return u, nil
	}
	o, err := Scheme.New(u.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	return o, yaml.UnmarshalStrict(doc, o)
}

// newObject is an empty object of that kind.
func newObject(gvk schema.GroupVersionKind) runtime.Object {
	if o, err := Scheme.New(gvk); err == nil {
		o.GetObjectKind().SetGroupVersionKind(gvk)
		return o
	}
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(gvk)
	return u
}
