package path

import (
	"iter"
	"slices"
)

// inlinePlaces is how many live places a State holds without allocation.
const inlinePlaces = 3

// State is a place in a walk through a Set, one step at a time and without
// building paths: where the walk is, and which patterns still match. It is a
// small value that never changes; a Step gives the State below it, so that a
// recursive walk keeps one per level. The zero State is that of an empty Set.
//
//	set     whose trie the places are in
//	few     the live places, when there are at most inlinePlaces
//	n       how many of few are in use
//	more    all live places, when there are more
//	covered a pattern ended here or above
type State struct {
	set     *Set
	more    *[]position
	few     [inlinePlaces]position
	n       uint8
	covered bool
}

// Start is the State at the root.
func (s *Set) Start() State {
	if s.Len() == 0 {
		return State{}
	}
	st := State{set: s, n: 1}
	st.covered = st.Ends()
	return st
}

// live is the live places, those of the patterns that match so far.
func (st *State) live() []position {
	if st.more != nil {
		return *st.more
	}
	return st.few[:st.n]
}

// Step is the State below st by one step. It allocates only when more than
// three distinct beginnings of patterns match at once.
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

// Key is Step(Key(name)).
func (st State) Key(name string) State { return st.Step(Key(name)) }

// Index is Step(Index(i)).
func (st State) Index(i int) State { return st.Step(Index(i)) }

// Covers reports whether some pattern ended here or above; once true it is
// true below.
func (st State) Covers() bool { return st.covered }

// Ends reports whether some pattern ends exactly here.
func (st State) Ends() bool {
	return st.set != nil && st.set.anyEnd(st.live())
}

// Touches reports whether some pattern ends here or goes on below.
func (st State) Touches() bool { return len(st.live()) > 0 }

// Dead reports whether no pattern covers or touches this place, and so none
// below it: a walk that asks the Set only may stop.
func (st State) Dead() bool { return !st.covered && !st.Touches() }

// Matched iterates over the numbers of the patterns that end exactly here, in
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

// matched is the numbers of the patterns that end here, ascending; the caller
// must not write to them.
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
