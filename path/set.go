package path

import (
	"iter"
	"slices"
)

// Set is a list of patterns, compiled once into a trie. The time of a lookup grows with
// the path and with the number of patterns that match its beginning, not with the number
// of patterns in the Set; with `[**]` in them, at most with path times patterns. A Set
// never changes and may be shared by goroutines; nil and the zero Set are empty.
//
// Patterns keep the number they had when the Set was made, from 0. The same
// pattern may be in it twice, under two numbers.
type Set struct {
	patterns []Pattern
	trie     trie
	of       *combination // of two sets: then there is no trie
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
func (s *Set) Covers(p Path) bool {
	if s.Len() > 0 && s.of == nil && s.trie.loops == nil {
		return s.trie.covers(0, p.packed)
	}
	return s.At(p).MatchesAbove()
}

// At returns the Matcher at p: which patterns match it, and which may match below it.
func (s *Set) At(p Path) Matcher {
	m := s.Matcher()
	for step, below, ok := p.Cut(); ok && m.MayMatchBelow(); step, below, ok = below.Cut() {
		m = m.Next(step)
	}
	return m
}

func (s *Set) anyEnd(live []position) bool {
	for _, at := range live {
		if len(s.trie.ends(at)) > 0 {
			return true
		}
	}
	return false
}

// A Matcher of at most inlinePlaces live places allocates nothing.
const inlinePlaces = 3

// Matcher says which patterns of a Set match at a place, and which still may below it.
//
// It follows a walk over a value one step at a time, without building paths. A Matcher
// never changes: Next returns that of the place one step below, so a recursive walk keeps
// one per level. The zero Matcher is that of an empty Set. A walk that looks for matches can
// skip what is below a place where MayMatchBelow is false.
type Matcher struct {
	set     *Set                   // whose trie the places are in
	more    *more                  // what does not fit into few
	few     [inlinePlaces]position // else the live places
	n       uint8                  // how many of few are in use
	covered bool                   // a pattern ended here or above
}

// Matcher returns the Matcher at the root.
func (s *Set) Matcher() Matcher {
	switch {
	case s.Len() == 0:
		return Matcher{}
	case s.of != nil:
		return s.combined(s.of.left.Matcher(), s.of.right.Matcher())
	}
	m := Matcher{set: s, n: 1}
	if s.trie.loops != nil {
		m.keep(s.trie.looping([]position{{}}, nil))
	}
	m.covered = m.Matches()
	return m
}

// keep sets the live places.
func (m *Matcher) keep(live []position) {
	if len(live) > inlinePlaces {
		m.more = &more{live: slices.Clone(live)}
		return
	}
	m.n = uint8(copy(m.few[:], live))
}

func (m *Matcher) live() []position {
	if m.more != nil {
		return m.more.live
	}
	return m.few[:m.n]
}

// Next returns the Matcher one step below m. It allocates only if more than three
// different beginnings of patterns match the place, or if both sides of [Set.Except] or
// [Set.Union] may match below.
func (m Matcher) Next(s Step) Matcher {
	switch {
	case m.set == nil:
		return m
	case m.set.of != nil:
		return m.set.combined(m.more.sides[0].Next(s), m.more.sides[1].Next(s))
	}
	var scratch [2 * inlinePlaces]position
	next := m.set.trie.advance(scratch[:0], m.live(), s)
	below := Matcher{set: m.set, covered: m.covered || m.set.anyEnd(next)}
	below.keep(next)
	return below
}

// MatchesAbove reports whether some pattern matches this place or an ancestor of it.
func (m Matcher) MatchesAbove() bool { return m.covered }

// Matches reports whether some pattern matches exactly this place.
func (m Matcher) Matches() bool {
	return m.set != nil && m.matches()
}

func (m *Matcher) matches() bool {
	if m.set.of != nil {
		return m.more.sides[0].Matches() || (m.set.of.isUnion && m.more.sides[1].Matches())
	}
	return m.set.anyEnd(m.live())
}

// MayMatchBelow reports whether some pattern matches this place or may match a descendant.
func (m Matcher) MayMatchBelow() bool { return len(m.live()) > 0 }

// Matched iterates over the numbers of the patterns that match exactly this place, in
// ascending order.
func (m Matcher) Matched() iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, i := range m.matched() {
			if !yield(i) {
				return
			}
		}
	}
}

// matched returns the numbers of the patterns that end here, ascending. The caller must
// not change them.
func (m *Matcher) matched() []int {
	if m.set != nil && m.set.of != nil {
		return m.combinedMatched()
	}
	var ends []int

	places := 0
	for _, at := range m.live() {
		here := m.set.trie.ends(at)
		if len(here) == 0 {
			continue
		}
		if places++; places == 1 {
			ends = slices.Clip(here) // the trie's own, sorted; append copies it
			continue
		}
		ends = append(ends, here...)
	}
	if places > 1 {
		slices.Sort(ends)
	}
	return ends
}
