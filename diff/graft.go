package diff

import (
	"slices"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// grafting makes two values that differ where entries say so: it goes down both
// sides along the paths of the entries, which are in path order, so that those
// below a place stand together.
type grafting struct {
	sides   Sides
	deepest int // no path leads further down
	live    []lit
	aligned []path.Pattern // of arrays that are to be compared as a whole
	stack   []scion
}

// lit is a claim with its steps, as many as may lead somewhere.
type lit struct {
	*claim
	steps []path.Step
}

// scion is a container that is there on both sides and is being put together of
// its members or elements that are reported.
type scion struct {
	next, hi           int       // the claims inside that are not taken up yet: live[next:hi]
	depth              int       // how many steps lead to the container
	step               path.Step // the child that was taken up last
	inputs, state, now spotlight // the container, on the sides of entries and on the new side
	old                value.Value
	oldOut, newOut     []value.Member
	filled             int // of an array: the elements before this one are dealt with
}

// pair is what a place comes to: a value before and one after.
type pair struct{ old, now spotlight }

// run goes through all entries and makes the two values.
func (g *grafting) run() (old, now value.Value) {
	inputs, state := spotlight{g.sides.old(true), true}, spotlight{g.sides.old(false), true}
	all, _ := g.visit(0, len(g.live), 0, scion{inputs: inputs, state: state, now: spotlight{present(g.sides.News), true}})
	for len(g.stack) > 0 {
		top := &g.stack[len(g.stack)-1]
		if top.next < top.hi {
			if found, deeper := g.enter(top); !deeper {
				top.add(found)
			}
			continue
		}
		all = top.close()
		if g.stack = g.stack[:len(g.stack)-1]; len(g.stack) > 0 {
			g.stack[len(g.stack)-1].add(all)
		}
	}
	return all.old.v, all.now.v
}

// enter takes up the next child of a container. When the child is a container
// itself it is put on the stack.
func (g *grafting) enter(top *scion) (pair, bool) {
	lo, d := top.next, top.depth
	top.step = g.live[lo].steps[d]
	for top.next < top.hi && g.live[top.next].steps[d] == top.step {
		top.next++
	}
	return g.visit(lo, top.next, d+1, scion{
		inputs: top.inputs.below(top.step), state: top.state.below(top.step), now: top.now.below(top.step),
	})
}

// visit deals with a place that the claims live[lo:hi] are at or below. When
// there is a container to go into, that is put on the stack.
func (g *grafting) visit(lo, hi, depth int, s scion) (pair, bool) {
	if lo == hi {
		return pair{}, false
	}
	first := g.live[lo]
	old := s.state
	if first.input {
		old = s.inputs
	}
	if len(first.steps) == depth {
		return first.terminal(old, s.now), false
	}
	whole := pair{old, s.now}
	switch {
	case old.none() && s.now.none():
		g.omit(lo, hi, OmittedAbsent)
		return pair{}, false
	case old.alike(s.now):
		if s.now.v.Kind() == value.KindArray {
			s.inputs, s.state = old, old // the lengths are those of one side
			if g.shifted(lo, hi, depth, whole) {
				break
			}
		}
		s.next, s.hi, s.depth, s.old = lo, hi, depth, old.v
		g.stack = append(g.stack, s)
		return pair{}, true
	}
	if old.there && s.now.there && value.Engine.Equal(old.v, s.now.v) {
		why := OmittedAbsent
		if old.opaque() || old.v.Kind().IsContainer() {
			why = OmittedEqual
		}
		g.omit(lo, hi, why)
		return pair{}, false
	}
	return whole, false
}

func (g *grafting) omit(lo, hi int, why Omission) {
	for _, c := range g.live[lo:hi] {
		c.fate = why
	}
}

// alike reports whether there are containers of one kind and secretness.
func (s spotlight) alike(t spotlight) bool {
	return s.there && t.there && s.v.Kind() == t.v.Kind() && s.v.Kind().IsContainer() && s.v.IsSecret() == t.v.IsSecret()
}

// shifted reports whether elements are said to have come or gone other than at
// the end of an array, so that indexes do not tell which is which. It notes such
// an array, and those inside its elements.
func (g *grafting) shifted(lo, hi, depth int, array pair) bool {
	claims := g.live[lo:hi]
	if !slices.ContainsFunc(claims, func(c lit) bool { return len(c.steps) == depth+1 && c.shifts(depth, array) }) {
		return false
	}
	g.aligned = append(g.aligned, claims[0].path.Prefix(depth).Pattern())
	for _, c := range claims {
		inner := array
		for _, step := range c.steps[depth : len(c.steps)-1] {
			inner = pair{inner.old.below(step), inner.now.below(step)}
		}
		if len(c.steps) > depth+1 && c.path.Len() == len(c.steps) && c.shifts(len(c.steps)-1, inner) {
			g.aligned = append(g.aligned, c.path.Prefix(len(c.steps)-1).Pattern())
		}
	}
	return true
}

// shifts reports whether the claim is of an element that came or went, where
// there is another one on the other side.
func (c lit) shifts(depth int, array pair) bool {
	i, isIndex := c.steps[depth].Index()
	other, step := array.now, path.Index(i)
	if c.kind.withoutReplace() == Add {
		other = array.old
	}
	return isIndex && c.kind.withoutReplace() != Update && array.old.below(step).there && array.now.below(step).there &&
		!other.below(step).none()
}

// terminal is what a claim says of the place that it names.
func (c lit) terminal(old, now spotlight) pair {
	last, _ := c.path.Last()
	absent := func(s spotlight) bool { return !s.there || last.IsKey() && s.none() }
	kind := c.kind.withoutReplace()
	switch {
	case kind == Add && absent(now), kind == Delete && absent(old), absent(old) && absent(now):
		c.fate = OmittedAbsent
		return pair{}
	case kind == Add && !old.none() && !old.v.ContainsSecret():
		old = spotlight{}
	case kind == Delete && !now.none() && !now.v.ContainsSecret():
		now = spotlight{}
	case old.there && now.there && value.Engine.Equal(old.v, now.v):
		c.fate = OmittedEqual
		return pair{}
	}
	return pair{old, now}
}

// add puts a child in its place.
func (s *scion) add(child pair) {
	if !child.old.there && !child.now.there {
		return
	}
	if key, ok := s.step.Key(); ok {
		s.put(key, child)
		return
	}
	i, _ := s.step.Index()
	s.fill(i)
	if i < min(s.old.Len(), s.now.v.Len()) {
		child.old.there, child.now.there = true, true
	}
	s.put("", child)
	s.filled = i + 1
}

func (s *scion) put(key string, child pair) {
	if child.old.there {
		s.oldOut = append(s.oldOut, value.Member{Key: key, Value: child.old.v})
	}
	if child.now.there {
		s.newOut = append(s.newOut, value.Member{Key: key, Value: child.now.v})
	}
}

// fill puts the elements before element i where they are: what no entry reports
// is the same on both sides.
func (s *scion) fill(i int) {
	n, m := s.old.Len(), s.now.v.Len()
	for j := s.filled; j < i; j++ {
		same := s.now.below(path.Index(j))
		switch {
		case j < n && j < m:
			s.put("", pair{same, same})
		case j < n:
			s.put("", pair{old: spotlight{s.old.Elem(j), true}})
		default:
			s.put("", pair{now: same})
		}
	}
}

// close makes the container, with the marks of the new side.
func (s *scion) close() pair {
	build := value.Object
	if s.now.v.Kind() == value.KindArray {
		build = arrayOf
	}
	old, now := build(s.oldOut...), build(s.newOut...)
	return pair{spotlight{remark(old, s.now.v), true}, spotlight{remark(now, s.now.v), true}}
}

func arrayOf(members ...value.Member) value.Value {
	elems := make([]value.Value, len(members))
	for i, m := range members {
		elems[i] = m.Value
	}
	return value.Array(elems...)
}

// options are those under which the two values are compared.
func (g *grafting) options() Options {
	o := Options{Relation: value.Engine}
	for _, array := range g.aligned {
		o.ArrayRules = append(o.ArrayRules, ArrayRule{Pattern: array, Match: Aligned()})
	}
	return o
}
