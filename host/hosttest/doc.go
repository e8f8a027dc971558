// Package hosttest is what tests of the host and of its loop share: built
// guests, a connection with faults, a host that runs until the test ends, and a
// ledger of the Pods that were ever created.
package hosttest
