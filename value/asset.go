package value

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"slices"

	"github.com/propalg/propalg/internal/scan"
)

// Source is where the content of an asset or archive is stored.
type Source uint8

// The sources of assets and archives.
const (
	SourceText    Source = iota // text in the asset itself (assets only)
	SourceFile                  // a file path; for archives a directory or an archive file
	SourceURI                   // a URI
	SourceLiteral               // a map from names to assets and archives (archives only)
	SourceElided                // only the hash is known
)

// String returns the name of the source in lower case, for example "file".
func (s Source) String() string {
	return scan.Name(s, "invalid source", []string{
		SourceText: "text", SourceFile: "file", SourceURI: "uri", SourceLiteral: "literal",
		SourceElided: "elided",
	})
}

// Asset is an immutable blob: a text, a file path, a URI or, elided, only a hash.
//
// [TextAsset], [FileAsset] and [URIAsset] make values of one; [Value.AsAsset] gives it back,
// and [FromGo] takes it. The zero Asset is an empty text. No function of this package reads a
// file or a URI.
type Asset struct {
	// held is a Value because fmt never follows its pointer. It does follow plain pointers to
	// structs, with wrong verbs, even in unexported fields.
	held Value
}

type blobRep struct {
	source Source
	text   string // text, path or URI
	hash   string // lower-case hex SHA-256, or empty when not set
}

// TextAsset returns an asset with the given text. It computes the hash.
func TextAsset(text string) Value {
	sum := sha256.Sum256([]byte(text))
	return makeAsset(&blobRep{SourceText, text, hex.EncodeToString(sum[:])})
}

// FileAsset returns an asset that names a file, without a hash: package value/asset reads
// the file and computes it, and [Value.WithHash] adds one that is known.
func FileAsset(path string) Value { return assetOf(SourceFile, path, "") }

// URIAsset returns an asset that names a URI, without a hash.
func URIAsset(uri string) Value { return assetOf(SourceURI, uri, "") }

func (a Asset) orEmpty() *blobRep {
	if a.held.kind != KindAsset {
		a.held = TextAsset("")
	}
	return a.held.blob()
}

// Source returns where the content is: [SourceText], [SourceFile], [SourceURI], or
// [SourceElided] if only the hash is known.
func (a Asset) Source() Source { return a.orEmpty().source }

// Hash returns the hash, and false if it is not set. [TextAsset] computes it, as the
// SHA-256 of the text in lower-case hex; a hash that was given is returned unverified.
func (a Asset) Hash() (string, bool) {
	h := a.orEmpty().hash
	return h, h != ""
}

// Text returns the text of a text asset, and false for any other asset.
func (a Asset) Text() (string, bool) { return a.orEmpty().from(SourceText) }

// Path returns the path of a file asset, and false for any other asset.
func (a Asset) Path() (string, bool) { return a.orEmpty().from(SourceFile) }

// URI returns the URI of a URI asset, and false for any other asset.
func (a Asset) URI() (string, bool) { return a.orEmpty().from(SourceURI) }

func (r *blobRep) from(s Source) (string, bool) {
	if r.source != s {
		return "", false
	}
	return r.text, true
}

// Equal reports whether two assets are equal as values are: by their hashes if both
// have one, by their sources if neither has. If only one has a hash, they differ.
func (a Asset) Equal(b Asset) bool { return a.value().Equal(b.value()) }

// String returns the source and the first 7 digits of the hash: "asset(text:2cf24db)".
// It does not show content.
func (a Asset) String() string { return a.value().String() }

func (a Asset) value() Value { return makeAsset(a.orEmpty()) }

// assetOf returns the asset with the given source and hash, and with text as its text,
// path or URI.
//
// The hash is not verified. If it is empty, that of a text is computed, and a file or URI
// has none. For SourceElided, text is ignored. An elided asset whose hash is empty or that
// of zero bytes is the empty text, as is an asset of any other source.
func assetOf(from Source, text, hash string) Value {
	switch {
	case from == SourceElided && hash != "" && hash != hashOfNothing:
		return makeAsset(&blobRep{SourceElided, "", hash})
	case from == SourceFile || from == SourceURI || (from == SourceText && hash != ""):
		return makeAsset(&blobRep{from, text, hash})
	case from == SourceText:
		return TextAsset(text)
	}

	return TextAsset("")
}

// hashOfNothing is the SHA-256 of no bytes.
const hashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// Archive is an immutable set of named assets and archives.
//
// It is a literal map, a file path (directory, TAR, TGZ or ZIP), a URI, or, elided,
// only a hash. [LiteralArchive], [FileArchive] and [URIArchive] make values of one;
// [Value.AsArchive] gives it back, and [FromGo] takes it. The zero Archive is an empty
// literal archive. No function of this package reads a file or a URI.
type Archive struct {
	held Value // for the sake of its pointer, as in Asset
}

// archiveRep is the content of an archive. It begins with a blobRep, so that Value.blob
// can return that.
type archiveRep struct {
	blobRep
	entries []Member // sorted by name; assets and archives without marks
	levels  int      // of nested literal archives, this one included
}

// LiteralArchive returns an archive of named assets and archives, in any order.
//
// If two entries have the same name the later one is used. An entry of another kind, or
// with marks, which an archive cannot keep, is an error that wraps [ErrKind] or
// [ErrMarks]; mark the whole archive instead. Nesting archives deeper than [MaxDepth]
// is [ErrDepth].
func LiteralArchive(entries ...Member) (Value, error) {
	a, err := newLiteral(slices.Clone(entries))
	if err != nil {
		return Value{}, err
	}
	a.entries = sortMembers(a.entries)
	return makeArchive(a), nil
}

// newLiteral returns a literal archive. It takes ownership of entries, which must be, or
// become, sorted by name and without duplicates.
func newLiteral(entries []Member) (*archiveRep, *Error) {
	a := &archiveRep{blobRep: blobRep{source: SourceLiteral}, entries: entries, levels: 1}
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
func FileArchive(path string) Value { return archiveOf(SourceFile, path, "") }

// URIArchive returns an archive that names a URI, without a hash.
func URIArchive(uri string) Value { return archiveOf(SourceURI, uri, "") }

func (a Archive) orEmpty() *archiveRep {
	if a.held.kind != KindArchive {
		return &archiveRep{blobRep: blobRep{source: SourceLiteral}, levels: 1}
	}
	return a.held.archive()
}

// Source returns where the content is: [SourceLiteral], [SourceFile], [SourceURI], or
// [SourceElided] if only the hash is known.
func (a Archive) Source() Source { return a.orEmpty().source }

// Hash returns the hash as it was given, unverified, and false if it is not set.
func (a Archive) Hash() (string, bool) {
	h := a.orEmpty().hash
	return h, h != ""
}

// Path returns the path of a file archive, and false for any other archive.
func (a Archive) Path() (string, bool) { return a.orEmpty().from(SourceFile) }

// URI returns the URI of a URI archive, and false for any other archive.
func (a Archive) URI() (string, bool) { return a.orEmpty().from(SourceURI) }

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

// Equal reports whether two archives are equal as values are: by their hashes if both
// have one, by their sources if neither has. If only one has a hash, they differ.
func (a Archive) Equal(b Archive) bool { return a.value().Equal(b.value()) }

// String returns the source and the first 7 digits of the hash:
// "archive(file:2cf24db)". It does not show content.
func (a Archive) String() string { return a.value().String() }

func (a Archive) value() Value { return makeArchive(a.orEmpty()) }

// WithHash returns the asset or archive with another hash, which is not verified, and with
// its marks; it returns any other value as it is. If hash is empty, a text gets the hash of
// its bytes, and what is elided becomes the empty text or archive; others have none then.
func (v Value) WithHash(hash string) Value {
	if v.kind == KindAsset {
		r := v.blob()
		return assetOf(r.source, r.text, hash).WithMarksOf(v)
	}
	if v.kind != KindArchive {
		return v
	}

	r := *v.archive()
	if r.hash = hash; hash == "" && r.source == SourceElided {
		r = *Archive{}.orEmpty()
	}
	return makeArchive(&r).WithMarksOf(v)
}

// DropContent returns the asset or archive with its hash alone, elided, and with its marks;
// it returns any other value as it is. Without a hash, or with that of an empty text, it
// returns the empty text or archive, which on the wire is the same.
func (v Value) DropContent() Value {
	if v.kind == KindAsset {
		return assetOf(SourceElided, "", v.blob().hash).WithMarksOf(v)
	}
	if v.kind == KindArchive {
		return archiveOf(SourceElided, "", v.archive().hash).WithMarksOf(v)
	}
	return v
}

// archiveOf returns the archive with the given source and hash, and with text as its path
// or URI.
//
// The hash is not verified; if it is empty, the archive has none. For SourceElided, text
// is ignored. An elided archive without a hash is the empty literal archive, as is an
// archive of any other source.
func archiveOf(from Source, text, hash string) Value {
	switch {
	case from == SourceElided && hash != "":
		return makeArchive(&archiveRep{blobRep: blobRep{from, "", hash}})
	case from == SourceFile || from == SourceURI:
		return makeArchive(&archiveRep{blobRep: blobRep{from, text, hash}})
	}
	return Archive{}.value()
}

// literalArchiveOf returns a literal archive whose entries are the members of an object,
// with which it shares memory. The hash is not verified; if it is empty, the archive has
// none. literalArchiveOf returns false if object is not an object, has marks, or has
// members that an archive cannot hold; see [LiteralArchive].
func literalArchiveOf(object Value, hash string) (Value, bool) {
	if object.kind != KindObject || object.facts&(secretness|boxed) != 0 {
		return Value{}, false
	}
	a, err := newLiteral(object.members())
	if err != nil {
		return Value{}, false
	}

	a.hash = hash
	return makeArchive(a), true
}
