// Package stack tests packages codec/state and engine against Pulumi's engine, in process.
// Both must read what pkg/v3/resource/stack writes in the same way, and the engine must read
// what codec/state writes as it was meant. What state.Check finds broken is what the engine
// refuses, and what state.Repair mends it loads. Where package engine decides on a resource,
// and in what it writes, it must agree with the engine. The package has only tests. It is a
// module of its own, since the engine depends on many more packages than the SDK.
//
//	go test -run Bags -rapid.checks=100000
//	go test -run 'Undecided|OfTheEngine' -rapid.checks=3000
//	go test -run Twins -rapid.checks=1500
//	go test -run CheckRefuses -checked=100000 -timeout=1h
//	go test -run TestRepairOfTheEngine -repaired=100000 -timeout=2h
//
// take a minute or two each, the last two twenty, and log what was drawn. Where the two sides
// differ on purpose, docs/differences.md has an entry.
package stack
