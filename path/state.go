package path

import (
	"iter"
	"slices"
)

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
