package host

import (
	"context"
	"strings"
	"sync"

	authzv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/loop"
	"github.com/loopdock/loopdock/host/policy"
	"github.com/loopdock/loopdock/host/reads"
)

// checkAccess asks the API server whether the controller's user may do what its
// manifest asks for, and warns, in a line for each kind and namespace, of the
// verbs that are missing. It refuses nothing: rights may be given later, and the
// server has the last word anyway.
func (h *Host) checkAccess(ctx context.Context, v *loop.Version) {
	user := h.cfg.Controllers[v.Manifest.Name].User
	conn, client, err := h.as(user)
	if err != nil {
		return // the version would not be there
	}
	api, err := kubernetes.NewForConfigAndClient(conn, client)
	if err != nil {
		return
	}
	for i := range v.Manifest.Access {
		a := &v.Manifest.Access[i]
		gvr, err := h.resource(ctx, a.Kind)
		if err != nil {
			continue // not served yet: the watch's status says so
		}
		for _, ns := range orAll(a.Namespaces) {
			missing := missingVerbs(ctx, api, gvr, a, ns)
			if len(missing) == 0 {
				continue
			}
			log := h.cfg.Logger.With("controller", v.Manifest.Name, "verb", strings.Join(missing, ","), "resource", resourceName(gvr, a.Subresource))
			if ns != "" {
				log = log.With("namespace", ns)
			}
			if user != "" {
				log = log.With("user", user)
			}
			log.Warn("the API server forbids what the controller asks for; grant it by a role")
		}
	}
}

// resource finds what a kind is called in roles. "*" is called so there too.
func (h *Host) resource(ctx context.Context, k *abi.Kind) (schema.GroupVersionResource, error) {
	gvk := reads.GVKOf(k)
	if k.Kind != policy.Any {
		gvr, _, err := h.mapper.Resource(ctx, gvk)
		return gvr, err
	}
	if k.APIVersion == policy.Any {
		gvk.Group = policy.Any
	}
	return schema.GroupVersionResource{Group: gvk.Group, Version: policy.Any, Resource: policy.Any}, nil
}

// missingVerbs asks for all verbs at once and gives those that are forbidden, in
// the manifest's order. A question that fails counts as allowed: the write will
// tell.
func missingVerbs(ctx context.Context, api kubernetes.Interface, gvr schema.GroupVersionResource, a *abi.Access, namespace string) []string {
	forbidden := make([]bool, len(a.Verbs))
	var questions sync.WaitGroup
	for i, verb := range a.Verbs {
		questions.Go(func() { // waited for below
			review := &authzv1.SelfSubjectAccessReview{Spec: authzv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authzv1.ResourceAttributes{
				Namespace: namespace, Verb: strings.ToLower(verb), Group: gvr.Group, Version: gvr.Version, Resource: gvr.Resource, Subresource: a.Subresource,
			}}}
			answer, err := api.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
			forbidden[i] = err == nil && !answer.Status.Allowed
		})
	}
	questions.Wait()
	var out []string
	for i, verb := range a.Verbs {
		if forbidden[i] {
			out = append(out, verb)
		}
	}
	return out
}

// resourceName writes a resource as roles and people do: "replicasets.apps/status".
func resourceName(gvr schema.GroupVersionResource, subresource string) string {
	name := gvr.GroupResource().String()
	if subresource != "" {
		name += "/" + subresource
	}
	return name
}

func orAll(namespaces []string) []string {
	if len(namespaces) == 0 {
		return []string{""}
	}
	return namespaces
}
