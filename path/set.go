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

// A State of at most inlinePlaces live places allocates nothing.
const inlinePlaces = 3

// State says which patterns of a Set still match at a place.
//
// It follows a walk over a value one step at a time, without building paths. A State
// never changes: Step returns the State one step below, so that a recursive walk keeps
// one per level. The zero State is that of an empty Set.
type State struct {
	set     *Set                   // whose trie the places are in
	more    *[]position            // all live places, if there are more than inlinePlaces
	few     [inlinePlaces]position // else the live places
	n       uint8                  // how many of few are in use
	covered bool                   // a pattern ended here or above
}

// Start returns the State at the root.
func (s *Set) Start() State {
	if s.Len() == 0 {
		return State{}
	}
	st := State{set: s, n: 1}
	st.covered = st.Ends()
	return st
}

func (st *State) live() []position {
	if st.more != nil {
		return *st.more
	}
	return st.few[:st.n]
}

// Step returns the State one step below st. It allocates only if more than three
// different beginnings of patterns match the place.
func (st State) Step(s Step) State {
	if st.set == nil {
		return st
	}
	var scratch [2 * inlinePlaces]position
	next := st.set.trie.advance(scratch[:0], st.live(), s)
	below := State{set: st.set, covered: st.covered || st.set.anyEnd(next)}
	if len(next) > inlinePlaces {
		kept := slices.Clone(next)
		below.more = &kept
		return below
	}

	below.n = uint8(copy(below.few[:], next))
	return below
}

// Covers reports whether some pattern matches this place or an ancestor of it.
func (st State) Covers() bool { return st.covered }

// Ends reports whether some pattern matches exactly this place.
func (st State) Ends() bool {
	return st.set != nil && st.set.anyEnd(st.live())
}

// Touches reports whether some pattern matches this place or may match a descendant.
func (st State) Touches() bool { return len(st.live()) > 0 }

// Dead reports whether no pattern covers or touches this place, and so none matches a
// descendant: a walk that follows the Set can stop.
func (st State) Dead() bool { return !st.covered && !st.Touches() }

// Matched iterates over the numbers of the patterns that match exactly this place, in
// ascending order.
func (st State) Matched() iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, i := range st.matched() {
			if !yield(i) {
				return
			}
		}
	}
}

// matched returns the numbers of the patterns that end here, ascending. The caller must
// not change them.
func (st *State) matched() []int {
	var ends []int

	places := 0
	for _, at := range st.live() {
		here := st.set.trie.ends(at)
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
