package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
)

// teamYAML is a Team, the Namespace that it owns, and what is in that.
//
//go:embed team.yaml
var teamYAML []byte

const (
	team = "blue" // the Team and its Namespace
	shop = "shop" // the Deployment and its Service

	// members is how many pods the Deployment asks for.
	members = 6
	// nobody holds the Lease of a node that is dead: its fake kubelet plays it no more.
	nobody = "nobody"
)

var teams = schema.GroupVersionResource{Group: "demo.example", Version: "v1", Resource: "teams"}

// teamStory is what becomes of a Team: each step is the work of several guests.
type teamStory struct {
	client  kubernetes.Interface
	dynamic dynamic.Interface
	victim  string // the node that dies
}

func (s *teamStory) tell(ctx context.Context) error {
	for _, step := range []func(context.Context) error{s.settle, s.rollOut, s.lose, s.recover, s.tick, s.leave} {
		start := time.Now()
		if err := step(ctx); err != nil {
			return err
		}
		fmt.Printf("  done in %.2f s\n", time.Since(start).Seconds())
	}
	return nil
}

// settle creates everything, and waits until the Service has its slices.
func (s *teamStory) settle(ctx context.Context) error {
	say("A Team owns a Namespace with a Deployment of %d, a Service and a CronJob", members)
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(teamYAML), 4096)
	var owner []metav1.OwnerReference
	for {
		o := &unstructured.Unstructured{}
		if err := decoder.Decode(o); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if o.GetKind() == "Namespace" {
			o.SetOwnerReferences(owner)
		}
		created, err := s.create(ctx, o)
		if err != nil {
			return fmt.Errorf("cannot create %s %s: %w", o.GetKind(), o.GetName(), err)
		}
		if o.GetKind() == "Team" {
			owner = []metav1.OwnerReference{{APIVersion: o.GetAPIVersion(), Kind: o.GetKind(), Name: o.GetName(), UID: created.GetUID()}}
		}
	}
	if err := s.deployed(ctx); err != nil {
		return err
	}
	if err := s.sliced(ctx, ""); err != nil {
		return err
	}
	return s.poll(ctx, "the ServiceAccount and the root certificates of the Namespace", func() (string, bool, error) {
		_, err := s.client.CoreV1().ServiceAccounts(team).Get(ctx, "default", metav1.GetOptions{})
		if err == nil {
			_, err = s.client.CoreV1().ConfigMaps(team).Get(ctx, "kube-root-ca.crt", metav1.GetOptions{})
		}
		return once(err == nil, "the Namespace has its ServiceAccount and its root certificates"), err == nil, ignoreNotFound(err)
	})
}

// create waits for the kind to be served, where it is new.
func (s *teamStory) create(ctx context.Context, o *unstructured.Unstructured) (created *unstructured.Unstructured, err error) {
	gvk := o.GroupVersionKind()
	resource := s.dynamic.Resource(gvk.GroupVersion().WithResource(strings.ToLower(gvk.Kind) + "s"))
	err = wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		created, err = resource.Namespace(o.GetNamespace()).Create(ctx, o, metav1.CreateOptions{})
		return err == nil, ignoreNotFound(err)
	})
	return created, err
}

// rollOut brings a new template in.
func (s *teamStory) rollOut(ctx context.Context) error {
	say("The Deployment gets a new template, and rolls out")
	body := []byte(`{"spec":{"template":{"metadata":{"annotations":{"release":"2"}}}}}`)
	if _, err := s.client.AppsV1().Deployments(team).Patch(ctx, shop, types.MergePatchType, body, metav1.PatchOptions{}); err != nil {
		return err
	}
	if err := s.deployed(ctx); err != nil {
		return err
	}
	return s.sliced(ctx, "")
}

// lose takes a node from its kubelet, and waits until its pods run elsewhere.
func (s *teamStory) lose(ctx context.Context) error {
	pods, err := s.pods(ctx)
	if err != nil {
		return err
	}
	s.victim = pods[0].Spec.NodeName
	say("Node %s dies: in a while it is tainted, and its pods move", s.victim)
	if err := s.hold(ctx, s.victim, nobody); err != nil {
		return err
	}
	if err := s.poll(ctx, "the node to be tainted", func() (string, bool, error) {
		node, err := s.client.CoreV1().Nodes().Get(ctx, s.victim, metav1.GetOptions{})
		if err != nil {
			return "", false, err
		}
		return once(tainted(node), "the node is tainted as unreachable"), tainted(node), nil
	}); err != nil {
		return err
	}
	if err := s.poll(ctx, "the pods to move", func() (string, bool, error) {
		pods, err := s.pods(ctx)
		n := 0
		for i := range pods {
			if running(&pods[i]) && pods[i].Spec.NodeName != s.victim {
				n++
			}
		}
		return fmt.Sprintf("%d of %d pods run on other nodes", n, members), n == members, err
	}); err != nil {
		return err
	}
	return s.sliced(ctx, s.victim)
}

// recover gives the node back to its kubelet.
func (s *teamStory) recover(ctx context.Context) error {
	say("Node %s is back: it is tainted no longer, and the pods that it lost end", s.victim)
	if err := s.hold(ctx, s.victim, ""); err != nil {
		return err
	}
	return s.poll(ctx, "the node to recover", func() (string, bool, error) {
		node, err := s.client.CoreV1().Nodes().Get(ctx, s.victim, metav1.GetOptions{})
		if err != nil {
			return "", false, err
		}
		pods, err := s.pods(ctx)
		over := err == nil && !tainted(node) && len(pods) == members
		return once(over, "the node is as good as before"), over, err
	})
}

// tick waits for the CronJob's next Job.
func (s *teamStory) tick(ctx context.Context) error {
	say("The CronJob has started a Job at the full minute, or does so now")
	return s.poll(ctx, "a Job of the CronJob", func() (string, bool, error) {
		jobs, err := s.client.BatchV1().Jobs(team).List(ctx, metav1.ListOptions{})
		if err != nil || len(jobs.Items) == 0 {
			return "", false, err
		}
		return "Job " + jobs.Items[0].Name + " was started", true, nil
	})
}

// leave deletes the Team, on which all the rest depends.
func (s *teamStory) leave(ctx context.Context) error {
	say("The Team is deleted: its Namespace goes, and all that is in it")
	if err := s.dynamic.Resource(teams).Delete(ctx, team, metav1.DeleteOptions{}); err != nil {
		return err
	}
	return s.poll(ctx, "the Namespace to go", func() (string, bool, error) {
		_, err := s.client.CoreV1().Namespaces().Get(ctx, team, metav1.GetOptions{})
		gone := apierrors.IsNotFound(err)
		return once(gone, "the Namespace is gone"), gone, ignoreNotFound(err)
	})
}

// deployed waits until a roll-out is over.
func (s *teamStory) deployed(ctx context.Context) error {
	return s.poll(ctx, "the Deployment to roll out", func() (string, bool, error) {
		d, err := s.client.AppsV1().Deployments(team).Get(ctx, shop, metav1.GetOptions{})
		if err != nil {
			return "", false, err
		}
		st := &d.Status
		return fmt.Sprintf("%d of %d pods are of the newest template, %d available", st.UpdatedReplicas, members, st.AvailableReplicas),
			rolledOut(d), nil
	})
}

func rolledOut(d *appsv1.Deployment) bool {
	return d.Status.ObservedGeneration == d.Generation && d.Status.Replicas == members &&
		d.Status.UpdatedReplicas == members && d.Status.AvailableReplicas == members
}

// sliced waits until the Service's slices name exactly the pods that serve, none
// of them on the given node.
func (s *teamStory) sliced(ctx context.Context, without string) error {
	return s.poll(ctx, "the Service's slices", func() (string, bool, error) {
		slices, err := s.client.DiscoveryV1().EndpointSlices(team).List(ctx, metav1.ListOptions{LabelSelector: discoveryv1.LabelServiceName + "=" + shop})
		if err != nil {
			return "", false, err
		}
		ready, stale := 0, false
		for i := range slices.Items {
			for _, e := range slices.Items[i].Endpoints {
				if e.Conditions.Ready == nil || *e.Conditions.Ready {
					ready++
					stale = stale || (e.NodeName != nil && *e.NodeName == without)
				}
			}
		}
		return fmt.Sprintf("%d of %d pods are in the Service's slices", ready, members), ready == members && !stale, nil
	})
}

// hold has somebody else hold a node's Lease for an hour, so that its fake kubelet
// lets go of it; empty gives the Lease back.
func (s *teamStory) hold(ctx context.Context, node, holder string) error {
	body := []byte(`{"spec":{"holderIdentity":null}}`)
	if holder != "" {
		body = fmt.Appendf(nil, `{"spec":{"holderIdentity":%q,"leaseDurationSeconds":3600}}`, holder)
	}
	_, err := s.client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Patch(ctx, node, types.MergePatchType, body, metav1.PatchOptions{})
	return err
}

func (s *teamStory) pods(ctx context.Context) ([]corev1.Pod, error) {
	list, err := s.client.CoreV1().Pods(team).List(ctx, metav1.ListOptions{LabelSelector: "app=" + shop})
	if err != nil {
		return nil, err
	}
	return list.Items, nil
}

func running(p *corev1.Pod) bool {
	return p.DeletionTimestamp == nil && p.Status.Phase == corev1.PodRunning
}

func tainted(node *corev1.Node) bool {
	for _, t := range node.Spec.Taints {
		if t.Key == corev1.TaintNodeUnreachable && t.Effect == corev1.TaintEffectNoExecute {
			return true
		}
	}
	return false
}

// once is what is seen of something that has no stages.
func once(done bool, text string) string {
	if !done {
		return ""
	}
	return text
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// poll looks until done, and shows what is seen whenever that is news.
func (s *teamStory) poll(ctx context.Context, what string, look func() (seen string, done bool, err error)) error {
	shown := ""
	var said time.Time
	err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, longPatience, true, func(context.Context) (bool, error) {
		seen, done, err := look()
		if err == nil && seen != "" && seen != shown && (done || time.Since(said) >= progressEvery) {
			shown, said = seen, time.Now()
			fmt.Println("  " + seen)
		}
		return done, err
	})
	if wait.Interrupted(err) && ctx.Err() == nil {
		return fmt.Errorf("waited %s for %s in vain", longPatience, what)
	}
	return err
}
