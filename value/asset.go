package value

import (
	"crypto/sha256"
	"encoding/hex"
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

// Asset is an immutable blob: a text, a file path, a URI or, elided, only a hash.
//
// The zero Asset is an empty text. No function of this package reads a file or a URI.
type Asset struct {
	// held is a Value for the sake of its pointer, which fmt never follows. It does follow
	// plain pointers to structs, with wrong verbs, even in unexported fields.
	held Value
}

type assetRep struct {
	source Source
	text   string // text, path or URI
	hash   string // lower-case hex SHA-256, or empty when not set
}

func newAsset(s Source, text, hash string) Asset {
	return Asset{makeAsset(&assetRep{s, text, hash})}
}

// TextAsset returns an asset with the given text. It computes the hash.
func TextAsset(text string) Asset {
	sum := sha256.Sum256([]byte(text))
	return newAsset(SourceText, text, hex.EncodeToString(sum[:]))
}

// FileAsset returns an asset that names a file, without a hash.
func FileAsset(path string) Asset { return newAsset(SourceFile, path, "") }

// URIAsset returns an asset that names a URI, without a hash.
func URIAsset(uri string) Asset { return newAsset(SourceURI, uri, "") }

// ElidedAsset returns an asset of which only the hash is known. If hash is empty, or
// that of zero bytes, it returns the empty text, as on the wire.
func ElidedAsset(hash string) Asset {
	empty := TextAsset("")
	if hash == "" || hash == empty.orEmpty().hash {
		return empty
	}
	return newAsset(SourceElided, "", hash)
}

// WithHash returns the asset with the given hash, which is not verified. An empty hash
// removes that of a file or URI, computes that of a text, and makes an elided asset
// what [ElidedAsset] returns.
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

// Source reports which of Text, Path and URI the asset has.
func (a Asset) Source() Source { return a.orEmpty().source }

// Hash returns the SHA-256 of the content in lower-case hex, and false if it is not
// set.
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

// Equal reports whether two assets are equal as values are: by their hashes if both
// have one, by their sources if neither has.
func (a Asset) Equal(b Asset) bool { return a.Value().Equal(b.Value()) }

// String returns the source and the first 7 digits of the hash: "asset(text:2cf24db)".
// It does not show content.
func (a Asset) String() string { return a.Value().String() }
