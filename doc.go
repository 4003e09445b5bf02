// Package propalg is the root of the module github.com/propalg/propalg: Pulumi's
// property values and the algebra of their differences. It holds no code. What its
// packages promise is a list of [laws], each of which is fuzzed.
//
// Values:
//
//   - [github.com/propalg/propalg/urn]: URNs of resources, parsed and built
//   - [github.com/propalg/propalg/path]: paths, patterns and sets of patterns
//   - [github.com/propalg/propalg/value]: an immutable property value, with its
//     marks, equality, editing and text
//   - [github.com/propalg/propalg/value/asset]: the contents of assets and archives
//   - [github.com/propalg/propalg/value/bind]: values as Go structs
//   - [github.com/propalg/propalg/diff]: the differences of two values, applied,
//     inverted, composed, split and merged
//   - [github.com/propalg/propalg/diff/ignore]: ignoreChanges
//   - [github.com/propalg/propalg/diff/equality]: different spellings that mean the same
//   - [github.com/propalg/propalg/diff/render]: the text of a diff
//   - [github.com/propalg/propalg/codec]: property bags as protobuf bytes, structpb
//     and JSON
//   - [github.com/propalg/propalg/codec/state]: stack exports and checkpoints
//   - [github.com/propalg/propalg/codec/patch]: a diff as JSON
//
// The provider protocol:
//
//   - [github.com/propalg/propalg/codec/rpc]: its messages, as bytes and as JSON
//   - [github.com/propalg/propalg/schema]: package schemas, and values checked by them
//   - [github.com/propalg/propalg/provider]: what a provider answers to Diff
//   - [github.com/propalg/propalg/provider/check]: what is wrong with an answer, a call
//     or a session
//   - [github.com/propalg/propalg/engine]: what an engine does with an answer
//   - [github.com/propalg/propalg/fuzz]: generators, and a test of providers
//
// The command propalg, in cmd/propalg, compares and inspects property bags and stack
// exports. Servers and clients of the protocol, and conversions to and from Pulumi's
// SDK, are modules of their own below interop.
//
// [laws]: https://github.com/propalg/propalg/blob/main/docs/laws.md
package propalg
