package difftree

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// State returns the state of a set of patterns at the displayed path of the place.
func (s Place) State(set *path.Set) path.Matcher { return s.StateOn(set, s.Node().Removed()) }

// StateOn returns the state of a set of patterns at the path of the place on one side.
func (s Place) StateOn(set *path.Set, old bool) path.Matcher {
	var few [InlineSteps]path.Step
	st := set.Matcher()
	for _, step := range s.Steps(few[:0], old) {
		if !st.MayMatchBelow() {
			break
		}

		st = st.Next(step)
	}
	return st
}

// Finder searches for matches below a place. Without hits, it stops at the first match.
type Finder struct {
	Rules Rules
	Whole bool // elements are matched as wholes, not from inside
	Hits  []bool
	Set   *path.Set
	Above path.Path
	stack []searched
}

type searched struct {
	at    value.Value
	state path.Matcher
	next  int
}

// Hit records the patterns that end at st, and reports whether the search can stop.
func (f *Finder) Hit(st path.Matcher) bool {
	if f.Hits == nil {
		return st.Matches()
	}
	for i := range st.Matched() {
		f.Hits[i] = true
	}
	return false
}

// Search searches v for matches and reports whether the search can stop. It follows
// only the patterns, so its depth is at most theirs.
func (f *Finder) Search(v value.Value, st path.Matcher) bool {
	f.stack = f.stack[:0]
	if f.visit(v, st) {
		return true
	}
	for len(f.stack) > 0 {
		top := &f.stack[len(f.stack)-1]
		if top.next == top.at.Len() {
			f.stack = f.stack[:len(f.stack)-1]
			continue
		}
		top.next++
		step, child := top.last()
		if step.IsKey() && f.Rules.Absent(child, top.at.IsSecret()) {
			continue
		}
		below := top.state.Next(step)
		if f.Hit(below) || ((!f.Whole || step.IsKey()) && f.visit(child, below)) {
			return true
		}
	}

	return false
}

// last is the child that the search came to last.
func (s *searched) last() (path.Step, value.Value) {
	if s.at.Kind() == value.KindArray {
		return path.Index(s.next - 1), s.at.Elem(s.next - 1)
	}
	key, child, _ := s.at.MemberAt(s.next - 1)
	return path.Key(key), child
}

// visit puts a container that patterns go into on the stack. An unknown holds
// whatever patterns look for in it.
func (f *Finder) visit(v value.Value, st path.Matcher) bool {
	switch {
	case !st.MayMatchBelow():
	case v.Len() > 0:
		f.stack = append(f.stack, searched{at: v, state: st})
	case v.IsUnknown() && f.Hits == nil:
		return true
	case v.IsUnknown():
		place := f.Above
		for i := range f.stack {
			step, _ := f.stack[i].last()
			place = place.Append(step)
		}
		for i, p := range f.Set.Patterns() {
			f.Hits[i] = f.Hits[i] || p.Touches(place)
		}
	}

	return false
}
