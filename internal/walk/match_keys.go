package walk

import (
	"hash/maphash"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// KeyRelation compares keys of elements.
const KeyRelation = noMarks

// KeyOf returns the key that an element is matched by, and false if it has none that can
// be compared, or elements are not matched by key.
func (m *Match) KeyOf(element value.Value) (value.Value, bool) {
	if m.By != ByKey {
		return value.Value{}, false
	}
	key, ok := element.At(m.Key)
	return key, ok && isKey(key)
}

func isKey(v value.Value) bool {
	return !v.IsNull() && !v.IsUnknown() && !v.Kind().IsContainer()
}

// guessedKeys are the keys that ByGuess tries, in this order.
func guessedKeys() [3]string { return [...]string{"name", "id", "key"} }

// For returns m itself or, for ByGuess, the match for two arrays: by the first of the
// guessed keys that all elements of both have, each with another value than the rest of
// its array, or else by edits.
func (m *Match) For(old, now value.Value) Match {
	if m.By != ByGuess {
		return *m
	}

	for _, name := range guessedKeys() {
		if distinguishes(name, old) && distinguishes(name, now) {
			return Match{By: ByKey, Key: path.Path{}.Member(name)}
		}
	}
	return Match{By: ByEdits}
}

// distinguishes reports whether an array has elements, each with a key that no other one
// has. Keys of secrets do not count, since the choice would show what they have.
func distinguishes(name string, array value.Value) bool {
	seed, seen := maphash.MakeSeed(), map[uint64]bool{}
	for i := range array.Len() {
		key, ok := array.Elem(i).Lookup(name)
		if !ok || key.IsSecret() || !isKey(key) {
			return false
		}
		seen[KeyRelation.Hash(seed, key)] = true
	}

	return len(seen) > 0 && len(seen) == array.Len()
}

// useKeys replaces the symbols of elements by those of their keys, whose marks do not
// count. Elements whose key is not unique on one of the sides keep theirs, since it does
// not say which is meant.
func (x *matcher) useKeys() {
	olds, news := x.keysOf(x.old), x.keysOf(x.now)
	ambiguous := map[symbol]bool{}
	findRepeated(olds, ambiguous)
	findRepeated(news, ambiguous)

	use := func(symbols, keys []symbol) {
		for i, key := range keys {
			if key.keyed && !ambiguous[key] {
				symbols[i] = key
			}
		}
	}
	use(x.oldSymbols, olds)
	use(x.newSymbols, news)
}

// keysOf returns the symbols of keys, and the zero symbol for elements without one.
func (x *matcher) keysOf(array value.Value) []symbol {
	keys := make([]symbol, array.Len())
	for i, e := range array.Elems() {
		if key, ok := x.how.KeyOf(e); ok {
			keys[i] = symbol{KeyRelation.Hash(x.prints.seed, key), true}
		}
	}
	return keys
}

// findRepeated adds the keys that occur more than once.
func findRepeated(keys []symbol, repeated map[symbol]bool) {
	seen := make(map[symbol]bool, len(keys))
	for _, key := range keys {
		if seen[key] {
			repeated[key] = true
		}
		seen[key] = true
	}
}
