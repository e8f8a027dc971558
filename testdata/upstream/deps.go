//go:build deps

// Package upstream names what the stand-ins are compiled with, so that this
// module's go.mod lists it; run compiles it.
package upstream

import (
	_ "k8s.io/kubernetes/test/e2e"
	_ "k8s.io/kubernetes/test/integration/replicaset"
)
