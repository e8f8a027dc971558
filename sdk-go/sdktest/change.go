package sdktest

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"

	"github.com/loopdock/loopdock/abi"
)

// changed is what an update, a patch or an apply makes of an object.
func changed(a *abi.Action, old runtime.Object, results []abi.Result) (runtime.Object, error) {
	gvk := gvkOf(a.Kind)
	var wanted runtime.Object
	var err error
	if a.Verb == abi.VerbUpdate {
		if wanted, err = decode(gvk, a.Body, a.Encoding); err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		version := accessor(wanted).GetResourceVersion()
		if a.ResourceVersionFromDependency {
			version = results[a.DependsOn-1].ResourceVersion
		}
		if version != "" && version != accessor(old).GetResourceVersion() {
			return nil, apierrors.NewConflict(resource(gvk), a.Name, errors.New("the object has been modified; please apply your changes to the latest version and try again"))
		}
	} else if wanted, err = patched(a, old); err != nil {
		return nil, err
	}
	if accessor(wanted).GetUID() != "" && accessor(wanted).GetUID() != accessor(old).GetUID() {
		return nil, apierrors.NewConflict(resource(gvk), a.Name, errors.New("the UID is another"))
	}
	return settled(a, old, wanted)
}

// settled keeps the status where the object is written, the rest where the
// status is, and counts generations as the API server does.
func settled(a *abi.Action, old, wanted runtime.Object) (runtime.Object, error) {
	was, err := fields(old)
	if err != nil {
		return nil, err
	}
	now, err := fields(wanted)
	if err != nil {
		return nil, err
	}
	if a.Subresource == "status" {
		status, annotations := now["status"], nested(now, "metadata", "annotations")
		now = runtime.DeepCopyJSON(was)
		now["status"] = status
		if Scheme.Recognizes(gvkOf(a.Kind)) { // the built-in kinds take annotations along
			if m, ok := now["metadata"].(map[string]any); ok {
				m["annotations"] = annotations
			}
		}
	} else if a.Subresource == "" && was["status"] != nil {
		now["status"] = was["status"]
	}
	m := accessor(old)
	for _, kept := range [][]string{{"metadata", "uid"}, {"metadata", "name"}, {"metadata", "namespace"}, {"metadata", "creationTimestamp"}, {"metadata", "generation"}} {
		if v, ok, _ := unstructured.NestedFieldCopy(was, kept...); ok {
			if err := unstructured.SetNestedField(now, v, kept...); err != nil {
				return nil, err
			}
		}
	}
	out, err := fromFields(gvkOf(a.Kind), now)
	if err == nil && !reflect.DeepEqual(was["spec"], now["spec"]) {
		accessor(out).SetGeneration(m.GetGeneration() + 1)
	}
	return out, err
}

// nested is the value at a path in a tree, nil if there is none.
func nested(tree map[string]any, path ...string) any {
	v, _, _ := unstructured.NestedFieldNoCopy(tree, path...)
	return v
}

// patched is an object after a patch, or an apply, which is a merge here.
func patched(a *abi.Action, old runtime.Object) (runtime.Object, error) {
	doc, err := json.Marshal(old)
	if err != nil {
		return nil, err
	}
	patch := a.Body
	typ := a.PatchType
	if a.Verb == abi.VerbApply {
		typ = abi.PatchTypeMerge
		if patch, err = yaml.YAMLToJSON(patch); err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
	}
	switch typ {
	case abi.PatchTypeStrategic:
		if _, custom := old.(*unstructured.Unstructured); custom {
			return nil, apierrors.NewGenericServerResponse(http.StatusUnsupportedMediaType, "patch", resource(gvkOf(a.Kind)), a.Name, "", 0, false)
		}
		doc, err = strategicpatch.StrategicMergePatch(doc, patch, old)
	case abi.PatchTypeMerge:
		doc, err = jsonpatch.MergePatch(doc, patch)
	case abi.PatchTypeJSON:
		var p jsonpatch.Patch
		if p, err = jsonpatch.DecodePatch(patch); err == nil {
			doc, err = p.Apply(doc)
		}
	default:
		err = errors.New("a patch needs a type")
	}
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return decode(gvkOf(a.Kind), doc, abi.EncodingJSON)
}

// plural guesses the resource's name of a kind.
func plural(kind string) string {
	kind = strings.ToLower(kind)
	switch {
	case strings.HasSuffix(kind, "s"), strings.HasSuffix(kind, "x"):
		return kind + "es"
	case strings.HasSuffix(kind, "y"):
		return strings.TrimSuffix(kind, "y") + "ies"
	}
	return kind + "s"
}
