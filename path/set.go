package path

import (
	"iter"
	"slices"
)

// Set is a list of patterns, compiled once into a trie. The time of a lookup grows with
// the path and with the number of patterns that match its beginning, not with the number
// of patterns in the Set. A Set never changes and may be shared by goroutines; nil and
// the zero Set are empty.
//
// Patterns keep the number they had when the Set was made, from 0. The same
// pattern may be in it twice, under two numbers.
type Set struct {
	patterns []Pattern
	trie     trie
}

// NewSet returns the set of these patterns.
func NewSet(patterns ...Pattern) *Set {
	if len(patterns) == 0 {
		return &Set{}
	}
	own := slices.Clone(patterns)
	return &Set{patterns: own, trie: newTrie(own)}
}

// MustSet returns the set of patterns with these canonical texts, which must be
// literals known to be right: it panics with the error's text if one is not.
func MustSet(patterns ...string) *Set {
	parsed := make([]Pattern, len(patterns))
	for i, text := range patterns {
		parsed[i] = MustParsePattern(text)
	}
	return NewSet(parsed...)
}

// Len returns the number of patterns.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.patterns)
}

// Patterns iterates over the patterns with their numbers, in order.
func (s *Set) Patterns() iter.Seq2[int, Pattern] {
	return func(yield func(int, Pattern) bool) {
		for i := range s.Len() {
			if !yield(i, s.patterns[i]) {
				return
			}
		}
	}
}

// Covers reports whether some pattern matches p or an ancestor of p.
func (s *Set) Covers(p Path) bool { return s.Len() > 0 && s.trie.covers(0, p.packed) }

// At returns the State at p: which patterns match it, and which may match below it.
func (s *Set) At(p Path) State {
	st := s.Start()
	for step, below, ok := p.Cut(); ok && !st.Dead(); step, below, ok = below.Cut() {
		st = st.Step(step)
	}
	return st
}

func (s *Set) anyEnd(live []position) bool {
	for _, at := range live {
		if len(s.trie.ends(at)) > 0 {
			return true
		}
	}
	return false
}
