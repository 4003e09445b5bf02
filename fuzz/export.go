package fuzz

import (
	"pgregory.net/rapid"

	"github.com/propalg/propalg/internal/test/trees"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// Internal is the door for the rest of this module. It is no part of the API: what it has
// changes in any release.
var Internal exporter //nolint:gochecknoglobals // it has no state

// exporter has as methods what other packages of the module need of this one, and users do
// not.
type exporter struct{}

// EditOnce draws one edit and returns v after it; see editOnce.
func (exporter) EditOnce(t *rapid.T, v value.Value, o Options) value.Value {
	return editOnce(t, v, o)
}

// RearrangeOnce draws one change of a list and returns it after that; see rearrangeOnce.
func (exporter) RearrangeOnce(t *rapid.T, list value.Value, o Options) value.Value {
	return rearrangeOnce(t, list, o)
}

// Elements generates elements of lists; see elements.
func (exporter) Elements(o Options) *rapid.Generator[value.Value] { return elements(o) }

// PathsOf returns the paths of v and of everything below it, ancestors first.
func (exporter) PathsOf(v value.Value) []path.Path { return trees.Paths(v) }

// URNParts generates parts of URNs, most of which [urn.Build] accepts.
func (exporter) URNParts() *rapid.Generator[urn.Parts] { return anyParts() }

// Scripts generates two values and the edits between them; see script.
func (exporter) Scripts(o Options) *rapid.Generator[script] { return scripts(o) }

// Steps generates steps of paths; see steps.
func (exporter) Steps() *rapid.Generator[path.Step] { return steps() }

// Keys generates keys of objects; see keys.
func (exporter) Keys() *rapid.Generator[string] { return keys() }

// Sets generates sets of patterns, most of which match some of the paths.
func (exporter) Sets(paths ...path.Path) *rapid.Generator[*path.Set] { return sets(paths...) }
