package value

import (
	"crypto/sha256"
	"encoding/hex"
)

// Source says where the content of an asset or archive comes from.
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
	switch s {
	case SourceText:
		return "text"
	case SourceFile:
		return "file"
	case SourceURI:
		return "uri"
	case SourceLiteral:
		return "literal"
	case SourceElided:
		return "elided"
	}
	return "invalid source"
}

// Asset is a blob: a text, a file path, a URI, or, elided, nothing but its
// hash. It is immutable; the zero Asset is an empty text. Nothing here reads a
// file or calls a URI.
//
// It holds a Value for the sake of its pointer, which fmt never follows; a plain
// pointer to a struct is followed by verbs that do not fit, even in an unexported
// field of a caller's struct.
type Asset struct{ held Value }

type assetRep struct {
	source Source
	text   string // text, path or URI
	hash   string // lower-case hex SHA-256, or empty when not set
}

func newAsset(s Source, text, hash string) Asset {
	return Asset{makeAsset(&assetRep{s, text, hash})}
}

// TextAsset returns an asset that holds its text, hashed at once.
func TextAsset(text string) Asset {
	sum := sha256.Sum256([]byte(text))
	return newAsset(SourceText, text, hex.EncodeToString(sum[:]))
}

// FileAsset returns an asset that names a file; the hash is not set.
func FileAsset(path string) Asset { return newAsset(SourceFile, path, "") }

// URIAsset returns an asset that names a URI; the hash is not set.
func URIAsset(uri string) Asset { return newAsset(SourceURI, uri, "") }

// ElidedAsset returns an asset of which only the hash is known. With no hash,
// or with the hash of no bytes, it is the empty text, as on the wire.
func ElidedAsset(hash string) Asset {
	empty := TextAsset("")
	if hash == "" || hash == empty.orEmpty().hash {
		return empty
	}
	return newAsset(SourceElided, "", hash)
}

// WithHash returns the asset with its hash set, which is kept as given. The
// empty hash unsets that of a file or URI; a text is then hashed again, and an
// elided asset is as [ElidedAsset] makes it.
func (a Asset) WithHash(hash string) Asset {
	r := *a.orEmpty()
	if hash == "" && r.source == SourceText {
		return TextAsset(r.text)
	}
	if r.source == SourceElided {
		return ElidedAsset(hash)
	}
	r.hash = hash
	return Asset{makeAsset(&r)}
}

func (a Asset) orEmpty() *assetRep {
	if a.held.kind != KindAsset {
		a = TextAsset("")
	}
	return a.held.asset()
}

// Source says which of Text, Path and URI is there.
func (a Asset) Source() Source { return a.orEmpty().source }

// Hash returns the SHA-256 of the content in lower-case hex, and false when it
// is not set.
func (a Asset) Hash() (string, bool) {
	h := a.orEmpty().hash
	return h, h != ""
}

// Text returns the text of a text asset.
func (a Asset) Text() (string, bool) { return a.from(SourceText) }

// Path returns the path of a file asset.
func (a Asset) Path() (string, bool) { return a.from(SourceFile) }

// URI returns the URI of an URI asset.
func (a Asset) URI() (string, bool) { return a.from(SourceURI) }

func (a Asset) from(s Source) (string, bool) {
	if r := a.orEmpty(); r.source == s {
		return r.text, true
	}
	return "", false
}

// Value returns the asset as a property value.
func (a Asset) Value() Value { return makeAsset(a.orEmpty()) }

// Equal reports whether two assets are equal as values are: by hash when both
// have one, by source when neither has.
func (a Asset) Equal(b Asset) bool { return a.Value().Equal(b.Value()) }

// String describes the asset by source and the first 7 digits of its hash,
// never by its content: "asset(text:2cf24db)".
func (a Asset) String() string { return a.Value().String() }
