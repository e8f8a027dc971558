package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
)

// Free ports are sought below the range from which the kernel takes ports for
// outgoing connections. In that range a client that keeps dialling a server
// that is down can be given the very port it dials, connect to itself, and keep
// the server from coming back.
const (
	firstPort = 20000
	lastPort  = 29999
)

const loopback = "127.0.0.1"

// portInUse is what a server logs that lost its port to another.
const portInUse = "address already in use"

func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }

// checkPort tells if a port can be listened on.
func checkPort(port int) error {
	l, err := net.Listen("tcp", address(port)) //nolint:noctx // does not block
	if err != nil {
		return fmt.Errorf("cannot use port %d: %w", port, err)
	}
	return l.Close()
}

// freePort finds a port of the loopback address that nobody listens on. Another
// process may take it before it is used.
func freePort() (int, error) {
	var err error
	for range 100 {
		port := firstPort + rand.IntN(lastPort-firstPort+1) //nolint:gosec // need not be hard to guess
		if err = checkPort(port); err == nil {
			return port, nil
		}
	}
	return 0, fmt.Errorf("cannot find a free port: %w", err)
}
