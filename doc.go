// Package propalg is the root of the module github.com/propalg/propalg: Pulumi's
// property values and the algebra of their differences. It holds no code. The [guides]
// have a page for each task. What the packages promise is a list of [laws], each of which
// is fuzzed.
//
// To hold, change and name values:
//
//   - [github.com/propalg/propalg/value]: an immutable property value, with its
//     marks, equality, editing and text
//   - [github.com/propalg/propalg/value/bind]: values as Go structs
//   - [github.com/propalg/propalg/value/asset]: the contents of assets and archives
//   - [github.com/propalg/propalg/path]: paths, patterns and sets of patterns
//   - [github.com/propalg/propalg/urn]: URNs of resources, parsed and built
//
// To compare them:
//
//   - [github.com/propalg/propalg/diff]: the differences of two values, applied,
//     inverted, composed, split and merged
//   - [github.com/propalg/propalg/diff/equality]: different spellings that mean the same
//   - [github.com/propalg/propalg/diff/ignore]: ignoreChanges
//   - [github.com/propalg/propalg/diff/render]: the text of a diff
//
// To read and write them:
//
//   - [github.com/propalg/propalg/codec]: property bags as protobuf bytes, structpb
//     and JSON
//   - [github.com/propalg/propalg/codec/state]: stack exports and checkpoints,
//     read, compared and rewritten
//   - [github.com/propalg/propalg/codec/steps]: what an update does, from previews, plans
//     and event logs
//   - [github.com/propalg/propalg/codec/patch]: a diff as JSON, and the requests that
//     APIs want: JSON Patch, Merge Patch and field masks
//
// To write a provider:
//
//   - [github.com/propalg/propalg/codec/rpc]: the messages of the protocol, as bytes
//     and as JSON
//   - [github.com/propalg/propalg/schema]: package schemas, and values checked by them
//   - [github.com/propalg/propalg/provider]: what a provider answers to Diff
//
// To test one, or to see what an engine makes of it:
//
//   - [github.com/propalg/propalg/fuzz]: generators, and a test of providers
//   - [github.com/propalg/propalg/provider/check]: what is wrong with an answer, a call
//     or a session
//   - [github.com/propalg/propalg/engine]: what an engine decides for a resource, and an
//     engine in memory for whole stacks
//
// The command propalg, in cmd/propalg, compares and inspects property bags and stack
// exports. Servers and clients of the protocol (interop/grpc), and conversions to and
// from Pulumi's SDK (interop/pulumi), are modules of their own.
//
// [guides]: https://github.com/propalg/propalg/blob/main/docs/guides/README.md
// [laws]: https://github.com/propalg/propalg/blob/main/docs/laws.md
package propalg
