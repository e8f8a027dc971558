// Package telemetry serves what operators look at: /metrics, /healthz, /readyz,
// /status and, where asked for, pprof.
package telemetry
