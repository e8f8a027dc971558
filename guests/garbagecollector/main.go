// Command garbagecollector is the garbage collector as a guest: it deletes what
// has no owner left, holds and orphans dependents as a deletion asks for, for
// objects of every kind, with the behaviour of Kubernetes 1.37.
package main

import (
	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// version is set where the module is built: -ldflags "-X main.version=v1".
var version = "dev"

// Finalizers by which a deletion says what is to become of dependents.
const (
	finalizerOrphan     = "orphan"
	finalizerForeground = "foregroundDeletion"
)

var kindAny = &sdk.Kind{APIVersion: "*", Kind: "*"}

var metadataFields = metav1.PartialObjectMetadataPath{}.Metadata()

// concurrency is upstream's number of concurrent syncs.
const concurrency = 20

func init() {
	sdk.Register(sdk.Module{
		Name: "garbagecollector", Version: version, Features: []string{abi.FeatureWildcard},
		Controllers: []sdk.Controller{{
			Name: "garbagecollector",
			Wildcard: &sdk.Wildcard{
				Filters: []sdk.Filter{
					{HasOwners: true},
					{Terminating: true, Finalizer: finalizerOrphan},
					{Terminating: true, Finalizer: finalizerForeground},
				},
				Verbs:  []string{"delete"},
				Except: []string{"events", "events.events.k8s.io"},
				Wakes: sdk.Fields(
					metadataFields.OwnerReferences(), metadataFields.Finalizers(), metadataFields.DeletionTimestamp(),
				),
			},
			Reads: []sdk.Read{{
				Kind: kindAny, MetadataOnly: true, Live: true,
				WakeDependents: abi.WakeDependentsChanged,
				DependentWakes: sdk.Fields(metadataFields.Finalizers(), metadataFields.DeletionTimestamp()),
			}},
			Access:      []sdk.Access{{Kind: kindAny, Verbs: []string{"delete", "patch"}}},
			Concurrency: concurrency,
			MemoSchema:  1,
			Reconcile:   reconcile,
		}},
	})
}

func main() {}
