package difftree

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// State returns the state of a set of patterns at the displayed path of the place.
func (s Place) State(set *path.Set) path.State { return s.StateOn(set, s.Node().Removed()) }

// StateOn returns the state of a set of patterns at the path of the place on one side.
func (s Place) StateOn(set *path.Set, old bool) path.State {
	var few [InlineSteps]path.Step
	st := set.Start()
	for _, step := range s.Steps(few[:0], old) {
		if st.Dead() {
			break
		}

		st = st.Step(step)
	}
	return st
}

// Holds reports whether the change at s replaces a subtree that contains a match.
//
// st is the State at s, and must not cover it. The match may be on either side. Unless
// all is set, values below an element that was added, removed, or moved unchanged do
// not match: a rule inserted into a list is not a change of its protocol. If both sides
// are containers of the same kind, the elements that both have are not known.
func (s Place) Holds(st path.State, all bool) bool {
	return s.Node().Holds(s.In.Rules, s.In.Kind, st, all)
}

// Holds is [Place.Holds] for a node in a container of a kind.
func (n *Node) Holds(r Rules, in value.Kind, st path.State, all bool) bool {
	if !n.Whole() || !st.Touches() {
		return false
	}
	one := n.Added() || n.Removed()
	if (one || n.Op == OpMove) && in == value.KindArray && !all {
		return false // adding or removing an element does not change what patterns name in it
	}

	all = all || (!one && n.Old.Kind() == n.New.Kind())
	f := Finder{Rules: r, Whole: !all}
	return f.Search(n.Old, st) || f.Search(n.New, st)
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
	state path.State
	next  int
}

// Hit records the patterns that end at st, and reports whether the search can stop.
func (f *Finder) Hit(st path.State) bool {
	if f.Hits == nil {
		return st.Ends()
	}
	for i := range st.Matched() {
		f.Hits[i] = true
	}
	return false
}

// Search searches v for matches and reports whether the search can stop. It follows
// only the patterns, so its depth is at most theirs.
func (f *Finder) Search(v value.Value, st path.State) bool {
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
		below := top.state.Step(step)
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
func (f *Finder) visit(v value.Value, st path.State) bool {
	switch {
	case !st.Touches():
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

// Concerns reports whether a change at s or inside it matches a pattern.
//
// st is the State at s, and must not cover it; see Holds for all. It follows only the
// patterns.
func (s Place) Concerns(st path.State, all bool) bool {
	type inside struct {
		at    *Branch
		next  int
		state path.State
	}
	if s.Holds(st, all) {
		return true
	}

	var open []inside
	if below := s.Node().Below; below != nil && st.Touches() {
		open = append(open, inside{at: below, state: st})
	}
	for len(open) > 0 {
		top := &open[len(open)-1]
		if top.next == len(top.at.Nodes) {
			open = open[:len(open)-1]
			continue
		}
		child := top.at.Child(top.next)
		n := child.Node()
		st := top.state.Step(top.at.Step(top.next, n.Removed()))
		top.next++
		if st.Covers() || child.Holds(st, all) {
			return true
		}
		if n.Below != nil && st.Touches() {
			open = append(open, inside{at: n.Below, state: st})
		}
	}

	return false
}
