package main

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	sdk "github.com/loopdock/loopdock/sdk-go"
)

// settings is what an operator may set; the defaults are upstream's.
type settings struct {
	// period is how long apart a node's health is judged, at least.
	period time.Duration
	// grace is how long a node may be silent; startup, one that has never reported.
	grace, startup time.Duration
	// rate is how many nodes a second are tainted so that their Pods go; secondary,
	// in a large zone that is disrupted in part.
	rate, secondary float64
	// large is the number of nodes beyond which a zone is large.
	large int
	// unhealthy is the part of a zone's nodes from which on it is disrupted.
	unhealthy float64
}

var settingsSchema = []byte(`{
  "type": "object",
  "properties": {
    "nodeMonitorPeriod": {"type": "string", "default": "5s"},
    "nodeMonitorGracePeriod": {"type": "string", "default": "50s"},
    "nodeStartupGracePeriod": {"type": "string", "default": "1m"},
    "nodeEvictionRate": {"type": "number", "default": 0.1},
    "secondaryNodeEvictionRate": {"type": "number", "default": 0.01},
    "largeClusterSizeThreshold": {"type": "integer", "default": 50},
    "unhealthyZoneThreshold": {"type": "number", "default": 0.55}
  }
}`)

// readSettings names all that can't be used, each with what it may be.
func readSettings(r *sdk.Reconcile) (settings, error) {
	var faults []string
	fault := func(name, v, want string) {
		faults = append(faults, "cannot use "+name+" "+strconv.Quote(v)+": it is "+want)
	}
	duration := func(name string, otherwise time.Duration) time.Duration {
		v, ok := r.Setting(name)
		if !ok {
			return otherwise
		}
		d, err := time.ParseDuration(v)
		if err != nil || d < 0 {
			fault(name, v, "a time such as 50s")
		}
		return d
	}
	number := func(name string, otherwise float64) float64 {
		v, ok := r.Setting(name)
		if !ok {
			return otherwise
		}
		f, err := strconv.ParseFloat(v, 64)
		if inRange := f >= 0 && f <= math.MaxInt32; err != nil || !inRange { // NaN isn't either
			fault(name, v, "a number of 0 or more")
		}
		return f
	}
	s := settings{
		period:    duration("nodeMonitorPeriod", 5*time.Second),
		grace:     duration("nodeMonitorGracePeriod", 50*time.Second),
		startup:   duration("nodeStartupGracePeriod", time.Minute),
		rate:      number("nodeEvictionRate", 0.1),
		secondary: number("secondaryNodeEvictionRate", 0.01),
		large:     int(number("largeClusterSizeThreshold", 50)),
		unhealthy: number("unhealthyZoneThreshold", 0.55),
	}
	if len(faults) > 0 {
		return s, errors.New(strings.Join(faults, "; "))
	}
	return s, nil
}
