// Package infer compares package value/bind with the decoder and encoder of
// pulumi-go-provider, whose package infer reads the properties of a resource into the Go
// structs of a provider and makes properties of them again. Its tests check what both do
// in the same way, and list where they differ. Its benchmarks time both, and
// encoding/json, in one run:
//
//	go test ./...
//	go test -run '^$' -bench . ./...
//
// It is a module of its own, because infer needs an older version of Pulumi's SDK than
// interop/pulumi does. It has no code but tests.
package infer
