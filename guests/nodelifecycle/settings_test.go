//go:build !wasip1

package main

import (
	"testing"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

func TestSettingsThatCannotBeUsed(t *testing.T) {
	const number = ": it is a number of 0 or more"
	for config, message := range map[string]string{
		`{"nodeMonitorPeriod": "soon"}`:            `nodeMonitorPeriod "soon": it is a time such as 50s`,
		`{"nodeMonitorGracePeriod": "-1s"}`:        `nodeMonitorGracePeriod "-1s": it is a time such as 50s`,
		`{"nodeStartupGracePeriod": 60}`:           `nodeStartupGracePeriod "60": it is a time such as 50s`,
		`{"nodeEvictionRate": "NaN"}`:              `nodeEvictionRate "NaN"` + number,
		`{"secondaryNodeEvictionRate": "Inf"}`:     `secondaryNodeEvictionRate "Inf"` + number,
		`{"largeClusterSizeThreshold": "fifty"}`:   `largeClusterSizeThreshold "fifty"` + number,
		`{"largeClusterSizeThreshold": 999999e99}`: `largeClusterSizeThreshold "999999e99"` + number,
		`{"unhealthyZoneThreshold": true}`:         `unhealthyZoneThreshold "true"` + number,
	} {
		t.Run(message, func(t *testing.T) {
			w := sdktest.New(t, oneNode)
			w.Controller = controllerName
			w.Config = config
			w.ReconcileKey(keyOf("n1")).Want(t, "terminal error: cannot use "+message)
			w.ReconcileKey(zonesKey).Want(t, "terminal error: cannot use "+message)
		})
	}
}

// TestAnotherRate counts from when it is set, also where the state of the zone
// stays as it is.
func TestAnotherRate(t *testing.T) {
	w := cluster(t, 5)
	lose(w, "a", 0, 2)
	turn(w).Want(t, "requeue after 10s")
	w.Config = `{"nodeEvictionRate": 0.5}`
	turn(w).Want(t, "requeue after 2s")
	w.Config = `{"nodeEvictionRate": 0}`
	turn(w).Want(t)
}
