// Package schema compares package schema of this library with the binder of Pulumi's code
// generators, pkg/v3/codegen/schema: both accept the same documents, and read the same
// resources, functions, types and properties from them. It has tests only.
//
//	go test -run Mutated -rapid.checks=1000
//
// binds ten thousand mutated documents, which takes about a minute. The documents are those
// of ../shared/data/schemas, where that is present, and of modules in Go's module cache.
// Where the two sides differ on purpose, the table in differences_test.go has an entry.
package schema
