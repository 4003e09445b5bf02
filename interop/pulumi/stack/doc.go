// Package stack tests package codec/state against Pulumi's engine: both must read what
// pkg/v3/resource/stack writes in the same way, and the engine must read what codec/state
// writes as it was meant. The package has only tests. It is a module of its own, since
// the engine depends on twice as many packages as the SDK.
//
//	go test -run Bags -rapid.checks=100000
//
// takes a minute or two, and logs what the bags had in them. Where the two sides
// differ on purpose, docs/differences.md has an entry.
package stack
