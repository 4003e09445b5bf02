package diff

import (
	"github.com/propalg/propalg/path"
)

// Match selects which elements of an old and a new array are compared with each other.
//
// See [Positional], [Aligned], [Keyed] and [Set]. The zero Match is Positional. A Match
// decides how a difference is described, never whether there is one.
type Match struct {
	by  matchBy
	key path.Path
}

type matchBy uint8

const (
	byIndex matchBy = iota
	byEdits
	byKey
	byContent
)

// Positional compares elements index by index. If the lengths differ, elements are
// added or removed at the end. Pulumi shows arrays in this way.
func Positional() Match { return Match{} }

// Aligned looks for a short edit script that turns the old array into the new one.
//
// Added elements are [OpInsert], removed ones [OpRemove], equal ones in another order
// [OpMove]; similar elements between the same neighbours are compared. One insertion is
// one change, whatever follows it (law 3).
func Aligned() Match { return Match{by: byEdits} }

// Keyed compares elements that have equal values at a path, such as "name", at any
// index.
//
// Elements whose key is missing, null, unknown, an array or object, or not unique on
// either side, are matched as [Aligned] does. Marks of keys are ignored. A new order is
// a fact of the array, [Change.OrderChanged]. The key is looked up in every element, so
// the time grows with its length.
func Keyed(key path.Path) Match { return Match{by: byKey, key: key} }

// Set compares equal elements, at any index, then similar ones. A new order is a fact
// of the array, [Change.OrderChanged].
func Set() Match { return Match{by: byContent} }

// String returns "positional", "aligned", "set", or "keyed:" and the key.
func (m Match) String() string {
	switch m.by {
	case byIndex:
		return "positional"
	case byEdits:
		return "aligned"
	case byKey:
		return "keyed:" + m.key.String()
	case byContent:
		return "set"
	}
	return "invalid match"
}

// unordered reports whether the order of elements is a fact of the array.
func (m Match) unordered() bool { return m.by == byKey || m.by == byContent }

// ArrayRule selects how the elements of some arrays are matched.
type ArrayRule struct {
	// Pattern names the arrays. In paths through arrays, an element has its index in
	// the new value.
	Pattern path.Pattern
	Match   Match
}

// matches are the ArrayRules of a walk.
type matches struct {
	all   Match
	rules []ArrayRule
	set   *path.Set // of the patterns of the rules; nil without rules
}

func matchesOf(o Options) matches {
	m := matches{all: o.Arrays, rules: o.ArrayRules}
	if len(m.rules) > 0 {
		patterns := make([]path.Pattern, len(m.rules))
		for i, r := range m.rules {
			patterns[i] = r.Pattern
		}
		m.set = path.NewSet(patterns...)
	}
	return m
}

// at is the Match for the array at a State: that of the first rule that names it.
func (m *matches) at(st path.State) Match {
	first := len(m.rules)
	for i := range st.Matched() {
		first = min(first, i)
	}
	if first < len(m.rules) {
		return m.rules[first].Match
	}
	return m.all
}
