package diff

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Matches reports whether the change concerns a place that some pattern names:
// a pattern covers its path, or it replaces (adds, deletes, updates as a whole) a
// subtree that on either side holds a match. As a step into an unknown gives that
// unknown, every place below an unknown is held by it.
func (c Change) Matches(s *path.Set) bool {
	if c.at.in.Open() == nil || s.Len() == 0 {
		return false
	}
	st := c.at.state(s)
	return st.Covers() || c.at.spot().holds(st, true)
}

// Which returns the numbers of the patterns by which the change [Change.Matches],
// in ascending order.
func (c Change) Which(s *path.Set) []int {
	if c.at.in.Open() == nil || s.Len() == 0 {
		return nil
	}
	f := finder{rules: c.at.in.Open().rules, hits: make([]bool, s.Len())}
	st := s.Start()
	f.hit(st)
	var few [fewSteps]path.Step
	above := c.at.spot().steps(few[:0], c.at.spot().node().gone())
	for _, step := range above {
		st = st.Step(step)
		f.hit(st)
	}
	if n := c.at.spot().node(); n.whole() && st.Touches() {
		// Which patterns go on below an unknown is not for the State to say.
		f.set, f.above = s, c.Path()
		f.search(n.old, st)
		f.search(n.new, st)
	}
	var found []int
	for i, hit := range f.hits {
		if hit {
			found = append(found, i)
		}
	}
	return found
}

// state walks a set of patterns down to the spot, where it is shown.
func (s spot) state(set *path.Set) path.State { return s.stateOn(set, s.node().gone()) }

// stateOn walks a set of patterns down to the spot on one side.
func (s spot) stateOn(set *path.Set, old bool) path.State {
	var few [fewSteps]path.Step
	st := set.Start()
	for _, step := range s.steps(few[:0], old) {
		if st.Dead() {
			break
		}
		st = st.Step(step)
	}
	return st
}

// holds reports whether the change at s replaces a subtree that on either side
// holds a match; st is the State at s, which covers it not. Unless all is asked
// for, what is below an element that only one side has, or that moved as it is, is no
// match: a rule that is inserted into a list is not the change of a protocol. Where
// both sides are containers of one kind there is no telling which elements both have.
func (s spot) holds(st path.State, all bool) bool {
	n := s.node()
	if !n.whole() || !st.Touches() {
		return false
	}
	one := n.came() || n.gone()
	if (one || n.op == OpMove) && s.in.kind == value.KindArray && !all {
		return false
	}
	all = all || !one && n.old.Kind() == n.new.Kind()
	f := finder{rules: s.in.rules, whole: !all}
	return f.search(n.old, st) || f.search(n.new, st)
}

// finder looks for matches below a place. Without hits the first one will do.
type finder struct {
	rules rules
	whole bool // elements are matched as wholes, not from inside
	hits  []bool
	set   *path.Set
	above path.Path
	stack []searched
}

// searched is a container that is being searched, and the State at it.
type searched struct {
	at    value.Value
	state path.State
	next  int
}

// hit notes the patterns that end at st, and reports whether that is enough.
func (f *finder) hit(st path.State) bool {
	if f.hits == nil {
		return st.Ends()
	}
	for i := range st.Matched() {
		f.hits[i] = true
	}
	return false
}

// search looks for places below v that patterns match. It goes only where
// patterns go, so it is as deep as they are.
func (f *finder) search(v value.Value, st path.State) bool {
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
		if step.IsKey() && f.rules.absent(child, top.at.IsSecret()) {
			continue
		}
		below := top.state.Step(step)
		if f.hit(below) || (!f.whole || step.IsKey()) && f.visit(child, below) {
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
func (f *finder) visit(v value.Value, st path.State) bool {
	switch {
	case !st.Touches():
	case v.Len() > 0:
		f.stack = append(f.stack, searched{at: v, state: st})
	case v.IsUnknown() && f.hits == nil:
		return true
	case v.IsUnknown():
		place := f.above
		for i := range f.stack {
			step, _ := f.stack[i].last()
			place = place.Append(step)
		}
		for i, p := range f.set.Patterns() {
			f.hits[i] = f.hits[i] || p.Touches(place)
		}
	}
	return false
}
