package host

import (
	"context"
	"strings"
	"time"

	"github.com/loopdock/loopdock/host/loop"
	"github.com/loopdock/loopdock/host/reads"
	authzv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// accessBound is how long a docking waits for an API server that does not answer.
const accessBound = 5 * time.Second

// checkAccess asks the API server whether the controller's user may do what its
// manifest asks for, and warns of each verb that is missing. It refuses
// nothing: rights may be given later, and the server has the last word anyway.
func (h *Host) checkAccess(ctx context.Context, v *loop.Version) {
	ctx, cancel := context.WithTimeout(ctx, accessBound)
	defer cancel()
	conn, client, err := h.as(h.cfg.Controllers[v.Manifest.Name].User)
	if err != nil {
		return
	}
	api, err := kubernetes.NewForConfigAndClient(conn, client)
	if err != nil {
		return
	}
	for i := range v.Manifest.Access {
		a := &v.Manifest.Access[i]
		gvr, _, err := h.mapper.Resource(ctx, reads.GVKOf(a.Kind))
		if err != nil {
			continue // not served yet: the watch's status says so
		}
		for _, verb := range a.Verbs {
			for _, ns := range orAll(a.Namespaces) {
				review := &authzv1.SelfSubjectAccessReview{Spec: authzv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authzv1.ResourceAttributes{
					Namespace: ns, Verb: strings.ToLower(verb), Group: gvr.Group, Version: gvr.Version, Resource: gvr.Resource, Subresource: a.Subresource,
				}}}
				answer, err := api.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
				if err == nil && !answer.Status.Allowed {
					h.cfg.Logger.Warn("the API server forbids what the controller asks for; grant it by a (Cluster)Role",
						"controller", v.Manifest.Name, "verb", verb, "group", gvr.Group, "resource", gvr.Resource, "subresource", a.Subresource, "namespace", ns)
				}
			}
		}
	}
}

func orAll(namespaces []string) []string {
	if len(namespaces) == 0 {
		return []string{""}
	}
	return namespaces
}
