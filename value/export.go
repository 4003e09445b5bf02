package value

import "github.com/propalg/propalg/internal/given"

// Internal is the door for the rest of this module. It is no part of the API: what it has
// changes in any release.
var Internal exporter //nolint:gochecknoglobals // it has no state

// exporter has as methods what other packages of the module need of this one, and users do
// not.
type exporter struct{}

// ObjectOf is [Object] of sorted members, whose memory it keeps; see objectOf.
func (exporter) ObjectOf(members given.Slice[Member]) Value { return objectOf(members) }

// ArrayOf is [Array] of elements whose memory it keeps; see objectOf.
func (exporter) ArrayOf(elems given.Slice[Value]) Value { return arrayOf(elems) }

// WithFields returns an object with other members at n keys; see withFields.
func (exporter) WithFields(v Value, secret bool, n int, keyOf func(i int) string, child func(i int, present Value, there bool) (Value, bool)) Value {
	return v.withFields(secret, n, keyOf, child)
}

// AssetOf returns the asset with a source, a text, path or URI, and a hash; see assetOf.
func (exporter) AssetOf(from Source, text, hash string) Value { return assetOf(from, text, hash) }

// ArchiveOf returns the archive with a source, a path or URI, and a hash; see archiveOf.
func (exporter) ArchiveOf(from Source, text, hash string) Value { return archiveOf(from, text, hash) }

// LiteralArchiveOf returns the archive of an object's members; see literalArchiveOf.
func (exporter) LiteralArchiveOf(object Value, hash string) (Value, bool) {
	return literalArchiveOf(object, hash)
}

// DependingOn returns v with the strings of an array as additional dependencies; see
// dependingOn.
func (exporter) DependingOn(v, list Value) (Value, bool) { return v.dependingOn(list) }

// SharesMemory reports whether two values have one memory; see sharesMemory.
func (exporter) SharesMemory(v, w Value) bool { return sharesMemory(v, w) }

// CompareIdentical returns the order of v and w, which is 0 exactly if they are
// [Value.Identical]: it chooses one of several equal values, whichever is found first.
func (exporter) CompareIdentical(v, w Value) int { return exact.total(v, w) }

// EntryAt returns entry i of a literal archive in the order of the names.
func (exporter) EntryAt(a Archive, i int) (name string, entry Value) {
	e := &a.orEmpty().entries[i]
	return e.Key, e.Value
}
