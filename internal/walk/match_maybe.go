package walk

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// contents are kinds of things in a value whose comparison may have the verdict
// [value.Maybe].
type contents uint8

const (
	hasUnknown contents = 1 << iota
	hasSealed
	hasSecret // other than sealed
	hasHash   // an asset or archive with a hash
	hasNoHash // or without one
)

func contentsOf(v value.Value) contents {
	var has contents
	switch {
	case v.Kind() == value.KindSealed:
		has |= hasSealed
	case v.IsSecret():
		has |= hasSecret
	}
	if v.ContainsUnknown() {
		has |= hasUnknown
	}

	var hashed bool
	switch v.Kind() {
	case value.KindAsset:
		a, _ := v.AsAsset()
		_, hashed = a.Hash()
	case value.KindArchive:
		a, _ := v.AsArchive()
		_, hashed = a.Hash()
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindArray, value.KindObject,
		value.KindResourceReference, value.KindUnknown, value.KindSealed:
		return has
	}
	if hashed {
		return has | hasHash
	}

	return has | hasNoHash
}

// mayBeEqual reports whether elements of two arrays may turn out to be equal,
// other than for unknowns in them: what is sealed, or has no hash, may be what
// another element is. (Arrays of different lengths differ, whatever that is.)
func mayBeEqual(r difftree.Rules, old, now contents) bool {
	across := func(a, b contents) bool { return (old&a != 0 && now&b != 0) || (now&a != 0 && old&b != 0) }
	if r.Relation&value.IgnoreSecrets != 0 && (old|now)&hasSealed != 0 {
		return true
	}
	return across(hasSealed, hasSealed|hasSecret) || across(hasHash, hasNoHash)
}
