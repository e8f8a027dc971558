package main

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// collect: the owners of 10,000 objects are deleted. Time is until the last
// dependent is gone; calls are all requests for the kind meanwhile.
var collect = benchmark{
	name: "gc_10k", modules: []string{"garbagecollector"},
	figures: []figure{{"gc_10k", "s"}, {"gc_10k_calls", "requests"}},
	do: func(ctx context.Context, s *side) ([]float64, error) {
		const owners, each = 100, 100
		names, err := s.family(ctx, owners, each)
		if err != nil {
			return nil, err
		}
		if err := s.collecting(ctx); err != nil {
			return nil, err
		}
		before, err := s.requests(ctx, false, "configmaps")
		if err != nil {
			return nil, err
		}
		start, gone := time.Now(), 0
		background := metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationBackground)}
		err = follow(ctx, s.configMaps("bench=dependent"), func() error {
			for _, name := range names {
				if err := s.client.CoreV1().ConfigMaps(namespace).Delete(ctx, name, background); err != nil {
					return err
				}
			}
			return nil
		}, func(_ runtime.Object, isGone bool) bool {
			if isGone {
				gone++
			}
			return gone == owners*each
		})
		if err != nil {
			return nil, err
		}
		took := time.Since(start)
		after, err := s.requests(ctx, false, "configmaps")
		return []float64{took.Seconds(), after - before - owners}, err // the owners' deletions are not theirs
	},
}

// family makes owners with dependents, and gives the owners' names.
func (s *side) family(ctx context.Context, owners, each int) ([]string, error) {
	maps := s.client.CoreV1().ConfigMaps(namespace)
	names := make([]string, owners)
	var creates errgroup.Group
	creates.SetLimit(16)
	for i := range owners {
		names[i] = fmt.Sprintf("owner-%d", i)
		creates.Go(func() error {
			owner, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: names[i]}}, metav1.CreateOptions{})
			if err != nil {
				return err
			}
			ref := metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID}
			for k := range each {
				child := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
					Name: fmt.Sprintf("child-%d-%d", i, k), Labels: map[string]string{"bench": "dependent"}, OwnerReferences: []metav1.OwnerReference{ref},
				}}
				if _, err := maps.Create(ctx, child, metav1.CreateOptions{}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return names, creates.Wait()
}

// collecting waits until the collector is at work: it removes a lone dependent.
func (s *side) collecting(ctx context.Context) error {
	maps := s.client.CoreV1().ConfigMaps(namespace)
	lone := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Name: "lone", Labels: map[string]string{"bench": "lone"},
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "nobody", UID: "none"}},
	}}
	return follow(ctx, s.configMaps("bench=lone"), func() error {
		_, err := maps.Create(ctx, lone, metav1.CreateOptions{})
		return err
	}, func(_ runtime.Object, gone bool) bool { return gone })
}

func (s *side) configMaps(labels string) feed {
	return feed{s.client.CoreV1().RESTClient(), "configmaps", &corev1.ConfigMap{}, labels}
}
