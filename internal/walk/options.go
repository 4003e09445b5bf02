package walk

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
)

// Options selects what counts as a difference, and how elements are matched.
type Options struct {
	Rules   difftree.Rules
	Matches Matches
}

// Match is a diff.Match.
type Match struct {
	By  By
	Key path.Path // for ByKey
}

// By is a way to match elements.
type By uint8

// The ways.
const (
	ByIndex By = iota
	ByEdits
	ByKey
	ByContent
	ByGuess // a key or edits, see [Match.For]
)

// Unordered reports whether the order of elements is a fact of the array.
func (m Match) Unordered() bool { return m.By == ByKey || m.By == ByContent }

// Matches says how elements are matched in which arrays.
type Matches struct {
	All   Match     // in arrays that no pattern names
	Rules []Match   // for the patterns in Set; the first that names an array counts
	Set   *path.Set // nil without rules
}

// At returns the Match for the array at a State of the Set.
func (m *Matches) At(st path.Matcher) Match {
	first := len(m.Rules)
	for i := range st.Matched() {
		first = min(first, i)
	}
	if first < len(m.Rules) {
		return m.Rules[first]
	}

	return m.All
}
