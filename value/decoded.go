package value

import "slices"

// What decoders make out of parts that they have read: the same as the other
// constructors do, in one piece of memory each.

// AssetOf returns an asset with the given hash, or [ElidedAsset].
//
// It is like [TextAsset], [FileAsset] or [URIAsset] followed by [Asset.WithHash], but
// does not hash a text if hash is set. An undefined source gives an empty text.
func AssetOf(from Source, text, hash string) Value {
	switch {
	case from == SourceElided && hash != "" && hash != hashOfNothing:
		return makeAsset(&assetRep{SourceElided, "", hash})
	case from == SourceFile || from == SourceURI || from == SourceText && hash != "":
		return makeAsset(&assetRep{from, text, hash})
	case from == SourceText:
		return TextAsset(text).Value()
	}
	return TextAsset("").Value()
}

// hashOfNothing is the SHA-256 of no bytes.
const hashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// ArchiveOf returns an archive with the given hash, or [ElidedArchive].
//
// It is like [FileArchive] or [URIArchive] followed by [Archive.WithHash]. Any other
// source gives an empty literal archive.
func ArchiveOf(from Source, text, hash string) Value {
	switch {
	case from == SourceElided && hash != "":
		return makeArchive(&archiveRep{source: from, hash: hash})
	case from == SourceFile || from == SourceURI:
		return makeArchive(&archiveRep{source: from, text: text, hash: hash})
	}
	return Archive{}.Value()
}

// LiteralArchiveOf returns the [LiteralArchive] of the members of an object, whose
// memory it shares. It returns false if the value is not an object, has marks, or has
// members that an archive cannot hold.
func LiteralArchiveOf(object Value, hash string) (Value, bool) {
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

// DependingOn returns v with the strings of an array as additional dependencies. It
// returns false if list is not an array, has marks, or has elements other than strings.
func (v Value) DependingOn(list Value) (Value, bool) {
	if list.kind != KindArray || list.facts&(secretness|boxed) != 0 {
		return Value{}, false
	}
	elems := list.elems()
	for i := range elems {
		if elems[i].kind != KindString || elems[i].facts&(secretness|boxed) != 0 {
			return Value{}, false
		}
	}
	if len(elems) == 0 {
		return v, true
	}
	had := v.deps()
	own := makeBox(len(had) + len(elems))
	own.deps = append(own.deps, had...)
	for i := range elems {
		own.deps = append(own.deps, elems[i].str())
	}
	if !slices.IsSorted(own.deps) {
		slices.Sort(own.deps)
	}
	own.deps = slices.Compact(own.deps)
	return v.inBox(own), true
}

// makeBox returns a box with room for n dependencies, for few in one piece.
func makeBox(n int) *box {
	switch {
	case n <= 1:
		b := new(roomy[[1]string])
		b.deps = b.room[:0]
		return &b.box
	case n <= 2:
		b := new(roomy[[2]string])
		b.deps = b.room[:0]
		return &b.box
	case n <= 4:
		b := new(roomy[[4]string])
		b.deps = b.room[:0]
		return &b.box
	case n <= 8:
		b := new(roomy[[8]string])
		b.deps = b.room[:0]
		return &b.box
	case n <= 16:
		b := new(roomy[[16]string])
		b.deps = b.room[:0]
		return &b.box
	}
	return &box{deps: make([]string, 0, n)}
}

// roomy is a box with room for its dependencies.
type roomy[A any] struct {
	box
	room A
}
