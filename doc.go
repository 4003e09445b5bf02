// Package propalg is the root of the module github.com/propalg/propalg:
// Pulumi's property values and the algebra of their differences. It holds no
// code; the packages below it do.
//
//   - [github.com/propalg/propalg/urn]: resource names, parsed and built.
//   - [github.com/propalg/propalg/path]: paths, patterns and pattern sets.
//   - [github.com/propalg/propalg/value]: one immutable property value, its
//     marks, equality, editing and text.
//   - [github.com/propalg/propalg/diff]: the difference of two values, applied,
//     inverted and shown.
//   - [github.com/propalg/propalg/codec]: property bags as bytes, and
//     [github.com/propalg/propalg/codec/state] for state files.
//
// The tool in cmd/propalg is a thin layer over them; the README shows it.
package propalg
