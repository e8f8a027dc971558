package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/netip"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const (
	maxNodes = 10000
	zones    = 3
	// podsPerNode is more than a kubelet's 110, so that few nodes carry many pods.
	podsPerNode = "1000"
	// firstNodeIP is the address of the first fake node.
	firstNodeIP = "10.64.0.1"
	// nodeWriters is how many requests about nodes are under way at a time.
	nodeWriters = 16
)

// fakeNode is the i-th node as a kubelet would register it.
func fakeNode(i int) *corev1.Node {
	name := "node-" + strconv.Itoa(i)
	capacity := corev1.ResourceList{
		corev1.ResourceCPU:              resource.MustParse("64"),
		corev1.ResourceMemory:           resource.MustParse("256Gi"),
		corev1.ResourceEphemeralStorage: resource.MustParse("1Ti"),
		corev1.ResourcePods:             resource.MustParse(podsPerNode),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name: name,
			Labels: map[string]string{
				corev1.LabelHostname:       name,
				corev1.LabelArchStable:     runtime.GOARCH,
				corev1.LabelOSStable:       "linux",
				corev1.LabelTopologyRegion: "region-0",
				corev1.LabelTopologyZone:   "zone-" + strconv.Itoa(i%zones),
			},
			Annotations: map[string]string{fakeAnnotation: fakeValue},
		},
		Status: corev1.NodeStatus{
			Capacity:    capacity,
			Allocatable: capacity,
			Addresses: []corev1.NodeAddress{
				{Type: corev1.NodeInternalIP, Address: nodeIP(i)},
				{Type: corev1.NodeHostName, Address: name},
			},
			NodeInfo: corev1.NodeSystemInfo{Architecture: runtime.GOARCH, OperatingSystem: "linux"},
		},
	}
}

func nodeIP(i int) string {
	first := netip.MustParseAddr(firstNodeIP).As4()
	var ip [4]byte
	binary.BigEndian.PutUint32(ip[:], binary.BigEndian.Uint32(first[:])+uint32(i)) //nolint:gosec // i is below maxNodes
	return netip.AddrFrom4(ip).String()
}

// createNodes creates n fake nodes; those that exist already stay as they are.
func createNodes(ctx context.Context, client kubernetes.Interface, n int) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(nodeWriters)
	for i := range n {
		g.Go(func() error {
			node := fakeNode(i)
			_, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
			if err != nil && !apierrors.IsAlreadyExists(err) {
				return fmt.Errorf("cannot create node %s: %w", node.Name, err)
			}
			return nil
		})
	}
	return g.Wait()
}

// nodesReady tells if n nodes are Ready and accept pods. Admission taints new
// nodes as not ready, which the node lifecycle controller takes back: with
// untaint, nodesReady does that in its place.
func nodesReady(client kubernetes.Interface, n int, untaint bool) func(context.Context) error {
	return func(ctx context.Context) error {
		list, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{ResourceVersion: "0"})
		if err != nil {
			return err
		}
		ready := 0
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(nodeWriters)
		for i := range list.Items {
			node := &list.Items[i]
			switch {
			case !isReady(node):
			case !slices.ContainsFunc(node.Spec.Taints, isNotReadyTaint):
				ready++
			case untaint:
				g.Go(func() error {
					node.Spec.Taints = slices.DeleteFunc(node.Spec.Taints, isNotReadyTaint)
					_, err := client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
					if apierrors.IsConflict(err) {
						return nil // seen again at the next look
					}
					return err
				})
			}
		}
		if err := g.Wait(); err != nil {
			return err
		}
		if ready < n {
			return fmt.Errorf("%d of %d nodes are ready", ready, n)
		}
		return nil
	}
}

func isReady(node *corev1.Node) bool {
	return slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
}

func isNotReadyTaint(t corev1.Taint) bool { return t.Key == corev1.TaintNodeNotReady }
