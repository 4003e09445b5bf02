package diff

// NOTE: What a Match does is in internal/walk: the keys that Auto tries in match_keys.go, which
// equal elements belong together in match.go, and which similar ones in match_similar.go.

import (
	"github.com/propalg/propalg/internal/walk"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Match selects which elements of an old and a new array are compared with each other.
//
// See [Positional], [Aligned], [Keyed], [Unordered] and [Auto]. The zero Match is Positional. A
// Match decides how a difference is described, never whether there is one.
type Match struct {
	by  walk.By
	key path.Path
}

func (m Match) walk() walk.Match { return walk.Match{By: m.by, Key: m.key} }

// Positional returns the Match that compares elements index by index. If the lengths
// differ, elements are added or removed at the end. Pulumi shows arrays in this way.
func Positional() Match { return Match{} }

// Aligned returns the Match that looks for a short edit script that turns the old array
// into the new one.
//
// An added element is an [OpInsert], a removed one an [OpRemove], and an equal one at
// another place in the order an [OpMove]. So one insertion is one change, whatever follows
// it. Elements that are similar, because they have members or elements in common, are
// compared with each other if they are between the same neighbours.
func Aligned() Match { return Match{by: walk.ByEdits} }

// Keyed returns the Match that compares elements with equal values at a path, such as
// "name", at any index.
//
// Elements whose key is missing, null, unknown, an array or object, or occurs more than
// once in the old or in the new array, are matched as by [Aligned]. Marks of keys are
// ignored. A new order is one change of the array, [Change.OrderChanged]. The time for each
// element grows with the number of steps of key.
func Keyed(key path.Path) Match { return Match{by: walk.ByKey, key: key} }

// Unordered returns the Match for arrays whose order does not matter. Repeated elements count as
// often as they occur.
//
// It pairs equal elements, at any index, then similar ones among the rest, which are
// compared; an element without a partner was added or removed. A new order is one change
// of the array, [Change.OrderChanged]; no element counts as moved.
func Unordered() Match { return Match{by: walk.ByContent} }

// Auto returns the Match that chooses for each pair of arrays. It takes the first of the
// keys "name", "id" and "key" that every element of both arrays has, with a value that is
// not secret and occurs once in its array, as [Keyed] does. If there is none, or an array
// is empty, it matches as [Aligned].
//
// [Merge], which compares three values, treats it as Aligned.
func Auto() Match { return Match{by: walk.ByGuess} }

// For returns the Match that is used for two arrays: m itself or, if m is [Auto], the one
// that it chooses for them.
func (m Match) For(old, now value.Value) Match {
	how := m.walk()
	chosen := how.For(old, now)
	return Match{by: chosen.By, key: chosen.Key}
}

// String returns "positional", "aligned", "set", "auto", or "keyed:" and the key.
func (m Match) String() string {
	switch m.by {
	case walk.ByIndex:
		return "positional"
	case walk.ByEdits:
		return "aligned"
	case walk.ByKey:
		return "keyed:" + m.key.String()
	case walk.ByContent:
		return "set"
	case walk.ByGuess:
		return "auto"
	}

	return "invalid match"
}
