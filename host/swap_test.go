package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/kubernetes"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/cmd/plane"
	"github.com/loopdock/loopdock/cmd/plane/planetest"
	"github.com/loopdock/loopdock/host"
	"github.com/loopdock/loopdock/host/hosttest"
	"github.com/loopdock/loopdock/host/loop"
)

var service = &abi.Kind{APIVersion: "v1", Kind: "Service"}

// dock is a host that watches files, on a plane of its own.
type dock struct {
	*hosttest.Running
	wire      *hosttest.Wire
	client    kubernetes.Interface
	namespace string
	pods      *hosttest.Pods
	file      string // of the ReplicaSet controller, release v1 at first
	other     string // of another controller, in the same folder
}

func newDock(t *testing.T) *dock {
	t.Helper()
	p := planetest.Start(t, plane.Config{})
	config := planetest.Config(t, p)
	d := &dock{client: clientOf(t, config), namespace: planetest.NamespaceIn(t, config)}
	d.pods = hosttest.WatchPods(t, d.client, d.namespace)
	folder := t.TempDir()
	d.file, d.other = filepath.Join(folder, "replicaset.wasm"), filepath.Join(folder, "watcher.wasm")
	hosttest.Put(t, d.file, hosttest.ReplicaSet(t, "v1"))
	hosttest.Put(t, d.other, hosttest.Marker("watcher", service, "default"))
	faulty := planetest.Config(t, p)
	d.wire = hosttest.NewWire(faulty)
	d.Running = hosttest.Run(t, "host", host.Config{REST: faulty, Modules: []string{folder}})
	hosttest.Eventually(t, "both controllers run", func() bool {
		return d.Controller("replicaset").Phase == loop.Running && d.Controller("watcher").Phase == loop.Running
	})
	return d
}

// TestSwapUnderLoad: while Pods are created the module is replaced again and
// again. No key is lost, none runs twice at once, and nothing is listed anew.
func TestSwapUnderLoad(t *testing.T) {
	t.Parallel()
	const sets, each, swaps = 6, 40, 4
	d := newDock(t)
	lists := func() [2]int { return [2]int{d.wire.Lists("pods"), d.wire.Lists("replicasets")} }
	before := lists()
	name := func(i int) string { return fmt.Sprintf("web-%d", i) }
	total := func() int {
		n := 0
		for i := range sets {
			n += d.pods.Created(name(i))
		}
		return n
	}
	for i := range sets {
		hosttest.CreateReplicaSet(t, d.client, d.namespace, name(i), each)
	}
	for i := range swaps {
		hosttest.Eventually(t, "Pods are being created", func() bool { return total() > i*sets*each/(swaps+1) })
		release := fmt.Sprintf("v%d", 2-i%2)
		hosttest.Put(t, d.file, hosttest.ReplicaSet(t, release))
		hosttest.Eventually(t, "release "+release+" runs", func() bool { return d.Controller("replicaset").Release == release })
	}
	for i := range sets {
		d.pods.WaitAlive(t, hosttest.Patience, name(i), each)
		if err := hosttest.Scale(t.Context(), d.client, d.namespace, name(i), each+1); err != nil {
			t.Fatal(err)
		}
	}
	for i := range sets {
		d.pods.WaitAlive(t, hosttest.Patience, name(i), each+1)
	}
	d.pods.Settle(t)
	for i := range sets {
		d.pods.Want(t, name(i), each+1, each+1, each+1)
	}
	if after := lists(); after != before {
		t.Errorf("Pods and ReplicaSets were listed %v times, and %v times before the swaps", after, before)
	}
}

// TestBadModules: a file that can't be docked changes nothing but the status and
// the log, and a good one after it docks.
func TestBadModules(t *testing.T) {
	t.Parallel()
	d := newDock(t)
	good := hosttest.ReplicaSet(t, "v2")
	otherABI, err := os.ReadFile(filepath.Join(hosttest.Root(t), "testdata", "hostile", "abi-2.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	wanted := 0
	works := func() { // a ReplicaSet gets its Pods
		t.Helper()
		wanted++
		if wanted == 1 {
			hosttest.CreateReplicaSet(t, d.client, d.namespace, "web", 1)
		} else if err := hosttest.Scale(t.Context(), d.client, d.namespace, "web", wanted); err != nil {
			t.Fatal(err)
		}
		d.pods.WaitAlive(t, hosttest.Patience, "web", wanted)
	}
	works()
	for _, tc := range []struct {
		name, file string
		put        func(file string)
		want       string
	}{
		{"no module", d.file, func(f string) { hosttest.Put(t, f, []byte("#!/bin/sh\n")) }, "not a WebAssembly module"},
		{"empty", d.file, func(f string) { hosttest.Put(t, f, nil) }, "the file is empty"},
		{"half written", d.file, func(f string) {
			if err := os.WriteFile(f, good[:len(good)/2], 0o600); err != nil { // in place, as a copy does
				t.Fatal(err)
			}
		}, "not a valid WebAssembly module"},
		{"another ABI", d.file, func(f string) { hosttest.Put(t, f, otherABI) }, "version 2 of the ABI"},
		{"another primary kind", d.file, func(f string) {
			hosttest.Put(t, f, hosttest.Marker("replicaset", service, "default"))
		}, "another primary kind"},
		{"a name that is taken", d.other, func(f string) { hosttest.Put(t, f, good) }, "is docked from " + d.file},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.put(tc.file)
			hosttest.Eventually(t, "the status says "+tc.want, func() bool { return strings.Contains(d.Status().Failed[tc.file], tc.want) })
			hosttest.Eventually(t, "the log says so", func() bool {
				return d.Log.Has("module not docked", "file="+tc.file, tc.want[:12])
			})
			if c := d.Controller("replicaset"); c.Release != "v1" || c.Phase != loop.Running {
				t.Errorf("the controller is %+v", c)
			}
			if c := d.Controller("watcher"); c.Phase != loop.Running {
				t.Errorf("the other controller is %+v", c)
			}
			works()
		})
	}
	if err := os.Remove(d.other); err != nil {
		t.Fatal(err)
	}
	hosttest.Eventually(t, "the other controller is undocked, and its failure forgotten", func() bool {
		return d.Controller("watcher").Name == "" && d.Status().Failed[d.other] == ""
	})
	hosttest.Put(t, d.file, good)
	hosttest.Eventually(t, "release v2 runs", func() bool { return d.Controller("replicaset").Release == "v2" })
	hosttest.Eventually(t, "no failure is left", func() bool { return len(d.Status().Failed) == 0 })
	works()
	d.pods.Settle(t)
	d.pods.Want(t, "web", wanted, wanted, wanted)
}
