package reads

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"github.com/loopdock/loopdock/abi"
)

func (r *Reader) discovery(ctx context.Context) abi.Answer {
	resources, broken, err := r.Discovery.Served(ctx)
	if err != nil {
		return failed(err)
	}
	return abi.Answer{Status: abi.AnswerStatusOK, Resources: resources, FailedGroups: broken}
}

// Served lists the API server's resources through client-go's discovery.
type Served struct {
	Client discovery.DiscoveryInterfaceWithContext
}

// Served implements Discovery. A group that does not answer is named and does
// not hide the others.
func (s *Served) Served(ctx context.Context) ([]abi.ServedResource, []string, error) {
	groups, lists, err := s.Client.ServerGroupsAndResourcesWithContext(ctx)
	broken, partial := discovery.GroupDiscoveryFailedErrorGroups(err)
	if err != nil && !partial {
		return nil, nil, err
	}
	preferred := map[string]bool{}
	for _, g := range groups {
		preferred[g.PreferredVersion.GroupVersion] = true
	}
	var out []abi.ServedResource
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue
		}
		for i := range list.APIResources {
			a := &list.APIResources[i]
			out = append(out, abi.ServedResource{
				Group: gv.Group, Version: gv.Version, Resource: a.Name, Kind: a.Kind,
				Namespaced: a.Namespaced, Verbs: a.Verbs, Preferred: preferred[list.GroupVersion],
			})
		}
	}
	failed := make([]string, 0, len(broken))
	for gv := range broken {
		failed = append(failed, gv.String())
	}
	return out, failed, nil
}
