package elect

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/clock"
)

// The durations that Kubernetes' own components have.
const (
	DefaultLeaseDuration = 15 * time.Second
	DefaultRenewDeadline = 10 * time.Second
	DefaultRetryPeriod   = 2 * time.Second
)

// Config is what an Elector is made of.
type Config struct {
	// Off means that there is no election: this host always leads. Nothing else
	// but Name, Registerer and Logger is looked at then.
	Off bool
	// REST is the connection to the API server. It is not changed.
	REST *rest.Config
	// Namespace and Name are the Lease's.
	Namespace, Name string
	// Identity tells this host from all others, other runs of it included.
	Identity string
	// LeaseDuration is how long others wait for a holder that is not heard of.
	// RenewDeadline is how long this host acts without being heard; it must be
	// shorter. RetryPeriod is how often it renews. Zeros mean the defaults.
	LeaseDuration, RenewDeadline, RetryPeriod time.Duration
	// Lock takes the place of REST and of the Lease; tests use it.
	Lock resourcelock.Interface
	// Events takes Events about the lease. Nil means none.
	Events resourcelock.EventRecorder
	// Clock is the fence's time. Nil means the real one.
	Clock clock.WithTicker
	// Logger takes the log. Nil discards it.
	Logger *slog.Logger
	// Registerer takes the metrics. Nil means none.
	Registerer prometheus.Registerer
}

// check fills in defaults and reports all faults at once.
func (c *Config) check() error {
	if c.Clock == nil {
		c.Clock = clock.RealClock{}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Off {
		return nil
	}
	setDefault(&c.LeaseDuration, DefaultLeaseDuration)
	setDefault(&c.RenewDeadline, DefaultRenewDeadline)
	setDefault(&c.RetryPeriod, DefaultRetryPeriod)
	var faults []error
	if c.Lock == nil {
		for what, missing := range map[string]bool{
			"connection": c.REST == nil, "namespace": c.Namespace == "", "name": c.Name == "", "identity": c.Identity == "",
		} {
			if missing {
				faults = append(faults, fmt.Errorf("no %s is given", what))
			}
		}
	}
	if c.LeaseDuration < time.Second {
		// A Lease holds whole seconds: others would take it over at once.
		faults = append(faults, fmt.Errorf("the lease duration %v is below a second", c.LeaseDuration))
	}
	if c.RenewDeadline >= c.LeaseDuration.Truncate(time.Second) {
		faults = append(faults, fmt.Errorf("the renew deadline %v is not below the lease duration %v in whole seconds", c.RenewDeadline, c.LeaseDuration))
	}
	if c.RetryPeriod <= 0 || float64(c.RenewDeadline) <= leaderelection.JitterFactor*float64(c.RetryPeriod) {
		faults = append(faults, fmt.Errorf("the renew deadline %v leaves no time for a retry after %v", c.RenewDeadline, c.RetryPeriod))
	}
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("cannot set up leader election: %w", errors.Join(faults...))
}

func setDefault(d *time.Duration, v time.Duration) {
	if *d == 0 {
		*d = v
	}
}

// lock is the Lease. A request for it that hangs is given up in time for
// another try before the deadline.
func (c *Config) lock() (resourcelock.Interface, error) {
	if c.Lock != nil {
		return c.Lock, nil
	}
	conn := rest.AddUserAgent(rest.CopyConfig(c.REST), "leader-election")
	conn.Timeout = c.RenewDeadline / 2
	conn.QPS, conn.RateLimiter = -1, nil // a renewal waits for no other request
	client, err := coordinationv1client.NewForConfig(conn)
	if err != nil {
		return nil, fmt.Errorf("cannot set up leader election: %w", err)
	}
	return &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: c.Namespace, Name: c.Name},
		Client:     client,
		LockConfig: resourcelock.ResourceLockConfig{Identity: c.Identity, EventRecorder: c.Events},
	}, nil
}
