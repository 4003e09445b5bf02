// Package stack holds package codec/state against Pulumi's engine: what
// pkg/v3/resource/stack writes is read here as it is read there, and what is written
// here is read there as it was meant. It has tests only, in a module of its own, since
// the engine brings twice the packages that the SDK does.
//
//	go test -run Bags -rapid.checks=100000
//
// takes a minute or two, and logs what the bags had in them. Where the two sides
// differ on purpose, docs/differences.md has an entry.
package stack
