// Package e2e has tests only: Pulumi's own CLI, built as go.mod pins it, drives the
// provider of examples/provider through whole lives of stacks. What is looked at
// is what users and engines see: the detailed diffs of previews, the state files,
// the log of gRPC calls, and every text that is written on the way.
//
// `go test` builds the CLI, its YAML host, the provider, its twin made with
// Pulumi's SDK, a policy pack, and propalg itself: several minutes from an empty
// cache, seconds afterwards. Nothing is downloaded at run time, and nothing is
// written outside of temporary folders.
package e2e
