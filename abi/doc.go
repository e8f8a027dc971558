// Package abi is the contract between the host and its guests, as Go code:
// the names and limits of ABI.md, and the messages of loopdock.proto with a
// codec that both sides share.
//
// It imports nothing of the project but the wire format, and neither fmt nor
// reflect, since every guest carries it. The codec is generated from
// loopdock.proto and checked in tests against protoc's reading of that file.
package abi

//go:generate go run ./abigen loopdock.proto zz_generated.go
