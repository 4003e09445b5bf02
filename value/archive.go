package value

import (
	"iter"
	"slices"
)

// Archive is an immutable set of named assets and archives.
//
// It is a literal map, a file path (directory, TAR, TGZ or ZIP), a URI, or, elided,
// only a hash. The zero Archive is an empty literal archive. No function of this
// package reads a file or a URI.
type Archive struct{ held Value } // like an Asset, for the sake of its pointer

type archiveRep struct {
	source  Source
	text    string   // path or URI
	entries []Member // sorted by name; assets and archives without marks
	hash    string   // lower-case hex SHA-256, or empty when not set
	levels  int      // of nested literal archives, this one included
}

func newArchive(r archiveRep) Archive { return Archive{makeArchive(&r)} }

// LiteralArchive returns an archive of named assets and archives, in any order.
//
// If two entries have the same name the later one is used. An entry of another kind, or
// with marks, which an archive cannot keep, is an error that wraps [ErrKind] or
// [ErrMarks]; mark the whole archive instead. Nesting archives deeper than [MaxDepth]
// is [ErrDepth].
func LiteralArchive(entries ...Member) (Archive, error) {
	a, err := newLiteral(slices.Clone(entries))
	if err != nil {
		return Archive{}, err
	}

	a.entries = sortMembers(a.entries)

	return newArchive(*a), nil
}

// newLiteral returns a literal archive. It takes ownership of entries, which must be, or
// become, sorted by name and without duplicates.
func newLiteral(entries []Member) (*archiveRep, *Error) {
	a := &archiveRep{source: SourceLiteral, entries: entries, levels: 1}

	for i := range entries {
		e := &entries[i].Value

		switch {
		case e.facts&(secretness|boxed) != 0:
			return nil, &Error{Op: opEntry, err: ErrMarks}
		case e.kind != KindAsset && e.kind != KindArchive:
			return nil, &Error{Op: opEntry, Want: "asset or archive", Found: e.kind.String(), err: ErrKind}
		case e.kind == KindArchive:
			a.levels = max(a.levels, e.archive().levels+1)
		}
	}

	if a.levels > MaxDepth {
		return nil, &Error{Op: opEntry, err: ErrDepth}
	}

	return a, nil
}

const opEntry = "archive entry"

// FileArchive returns an archive that names a directory or archive file, without a
// hash.
func FileArchive(path string) Archive { return newArchive(archiveRep{source: SourceFile, text: path}) }

// URIArchive returns an archive that names a URI, without a hash.
func URIArchive(uri string) Archive { return newArchive(archiveRep{source: SourceURI, text: uri}) }

// ElidedArchive returns an archive of which only the hash is known. If hash is empty it
// returns the empty literal archive, as on the wire.
func ElidedArchive(hash string) Archive {
	if hash == "" {
		return Archive{}
	}
	return newArchive(archiveRep{source: SourceElided, hash: hash})
}

// WithHash returns the archive with the given hash, which is not verified. An empty
// hash removes it; an elided archive then becomes the empty literal archive.
func (a Archive) WithHash(hash string) Archive {
	r := *a.orEmpty()
	if hash == "" && r.source == SourceElided {
		return Archive{}
	}
	r.hash = hash
	return newArchive(r)
}

func (a Archive) orEmpty() *archiveRep {
	if a.held.kind != KindArchive {
		return &archiveRep{source: SourceLiteral, levels: 1}
	}
	return a.held.archive()
}

// Source reports which of Entries, Path and URI the archive has.
func (a Archive) Source() Source { return a.orEmpty().source }

// Hash returns the hash of the content in lower-case hex, and false if it is not set.
func (a Archive) Hash() (string, bool) {
	h := a.orEmpty().hash
	return h, h != ""
}

// Path returns the path of a file archive.
func (a Archive) Path() (string, bool) { return a.from(SourceFile) }

// URI returns the URI of an URI archive.
func (a Archive) URI() (string, bool) { return a.from(SourceURI) }

func (a Archive) from(s Source) (string, bool) {
	if r := a.orEmpty(); r.source == s {
		return r.text, true
	}
	return "", false
}

// Len returns the number of entries of a literal archive.
func (a Archive) Len() int { return len(a.orEmpty().entries) }

// Entries iterates over the entries of a literal archive in bytewise order of the
// names.
func (a Archive) Entries() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for _, e := range a.orEmpty().entries {
			if !yield(e.Key, e.Value) {
				return
			}
		}
	}
}

// EntryAt returns entry i of a literal archive in the order of the names. It returns
// false if there is no such entry.
func (a Archive) EntryAt(i int) (name string, entry Value, ok bool) {
	es := a.orEmpty().entries
	if i < 0 || i >= len(es) {
		return "", Value{}, false
	}
	return es[i].Key, es[i].Value, true
}

// Value returns the archive as a property value.
func (a Archive) Value() Value { return makeArchive(a.orEmpty()) }

// Equal reports whether two archives are equal as values are: by their hashes if both
// have one, by their sources if neither has.
func (a Archive) Equal(b Archive) bool { return a.Value().Equal(b.Value()) }

// String returns the source and the first 7 digits of the hash:
// "archive(file:2cf24db)". It does not show content.
func (a Archive) String() string { return a.Value().String() }
