package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

const etcdName = "etcd"

func etcdMain() int {
	etcdmain.Main(os.Args)
	return 0
}

// etcdURL is where the API server finds etcd: a socket that only the owner of
// the directory can reach.
func etcdURL(d *workDir) string { return "unix://" + etcdSocket(d) }

func etcdSocket(d *workDir) string { return d.file("run", "etcd.sock") }

// etcdHTTPSocket serves health and metrics. With a socket of its own for them,
// the other one speaks gRPC alone, without a demultiplexer in between.
func etcdHTTPSocket(d *workDir) string { return d.file("run", "http.sock") }

func etcdArgs(d *workDir) []string {
	peer := "unix://" + d.file("run", "peer.sock")
	return flagSet{
		"name":                        "devplane",
		"data-dir":                    d.file("etcd"),
		"listen-client-urls":          etcdURL(d),
		"listen-client-http-urls":     "unix://" + etcdHTTPSocket(d),
		"advertise-client-urls":       etcdURL(d),
		"listen-peer-urls":            peer,
		"initial-advertise-peer-urls": peer,
		"initial-cluster":             "devplane=" + peer,
		"unsafe-no-fsync":             "true", // the data need not outlive a crash of the machine
		"quota-backend-bytes":         "8589934592",
		"log-level":                   "warn",
	}.with(nil)
}

// etcdHealthy asks etcd for its health.
func etcdHealthy(d *workDir) func(context.Context) error {
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", etcdHTTPSocket(d))
		},
	}}
	return func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://etcd/health", nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close() //nolint:errcheck // nothing is read
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("health: %s", resp.Status)
		}
		return nil
	}
}
