package check

import (
	"slices"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// reconstructor makes two values that differ where entries say so: it goes down both
// sides along the paths of the entries, which are in path order, so that those
// below a place stand together.
type reconstructor struct {
	sides   provider.Sides
	deepest int // no path leads further down
	live    []entryPath
	aligned []path.Pattern // of arrays that are to be compared as a whole
	stack   []frame
}

// entryPath is a claim with its steps, as many as may lead somewhere.
type entryPath struct {
	*claim
	steps []path.Step
}

// frame is a container that is there on both sides and is being put together of
// its members or elements that are reported.
type frame struct {
	next, hi           int       // the claims inside that are not taken up yet: live[next:hi]
	depth              int       // how many steps lead to the container
	step               path.Step // the child that was taken up last
	inputs, state, now sidePlace // the container, on the sides of entries and on the new side
	old                value.Value
	oldOut, newOut     []value.Member
	filled             int // of an array: the elements before this one are dealt with
}

// pair is what a place comes to: a value before and one after.
type pair struct{ old, now sidePlace }

// run goes through all entries and makes the two values.
func (g *reconstructor) run() (old, now value.Value) {
	inputs, state := sidePlace{oldSide(g.sides, true), true}, sidePlace{oldSide(g.sides, false), true}
	all, _ := g.visit(0, len(g.live), 0, frame{inputs: inputs, state: state, now: sidePlace{protocol.Present(g.sides.News), true}})
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
func (g *reconstructor) enter(top *frame) (pair, bool) {
	lo, d := top.next, top.depth
	top.step = g.live[lo].steps[d]
	for top.next < top.hi && g.live[top.next].steps[d] == top.step {
		top.next++
	}
	return g.visit(lo, top.next, d+1, frame{
		inputs: top.inputs.below(top.step), state: top.state.below(top.step), now: top.now.below(top.step),
	})
}

// visit deals with a place that the claims live[lo:hi] are at or below. When
// there is a container to go into, that is put on the stack.
func (g *reconstructor) visit(lo, hi, depth int, s frame) (pair, bool) {
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

func (g *reconstructor) omit(lo, hi int, why Omission) {
	for _, c := range g.live[lo:hi] {
		c.fate = why
	}
}

// alike reports whether there are containers of one kind and secretness.
func (s sidePlace) alike(t sidePlace) bool {
	return s.there && t.there && s.v.Kind() == t.v.Kind() && s.v.Kind().IsContainer() && s.v.IsSecret() == t.v.IsSecret()
}

// shifted reports whether elements are said to have come or gone other than at
// the end of an array, so that indexes do not tell which is which. It notes such
// an array, and those inside its elements.
func (g *reconstructor) shifted(lo, hi, depth int, array pair) bool {
	claims := g.live[lo:hi]
	if !slices.ContainsFunc(claims, func(c entryPath) bool { return len(c.steps) == depth+1 && c.shifts(depth, array) }) {
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
func (c entryPath) shifts(depth int, array pair) bool {
	i, isIndex := c.steps[depth].Index()
	other, step := array.now, path.Index(i)
	if protocol.WithoutReplace(c.kind) == provider.Add {
		other = array.old
	}
	return isIndex && protocol.WithoutReplace(c.kind) != provider.Update && array.old.below(step).there && array.now.below(step).there &&
		!other.below(step).none()
}

// terminal is what a claim says of the place that it names.
func (c entryPath) terminal(old, now sidePlace) pair {
	last, _ := c.path.Last()
	absent := func(s sidePlace) bool { return !s.there || last.IsKey() && s.none() }
	kind := protocol.WithoutReplace(c.kind)
	switch {
	case kind == provider.Add && absent(now), kind == provider.Delete && absent(old), absent(old) && absent(now):
		c.fate = OmittedAbsent
		return pair{}
	case kind == provider.Add && !old.none() && !old.v.ContainsSecret():
		old = sidePlace{}
	case kind == provider.Delete && !now.none() && !now.v.ContainsSecret():
		now = sidePlace{}
	case old.there && now.there && value.Engine.Equal(old.v, now.v):
		c.fate = OmittedEqual
		return pair{}
	}
	return pair{old, now}
}

// add puts a child in its place.
func (s *frame) add(child pair) {
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

func (s *frame) put(key string, child pair) {
	if child.old.there {
		s.oldOut = append(s.oldOut, value.Member{Key: key, Value: child.old.v})
	}
	if child.now.there {
		s.newOut = append(s.newOut, value.Member{Key: key, Value: child.now.v})
	}
}

// fill puts the elements before element i where they are: what no entry reports
// is the same on both sides.
func (s *frame) fill(i int) {
	n, m := s.old.Len(), s.now.v.Len()
	for j := s.filled; j < i; j++ {
		same := s.now.below(path.Index(j))
		switch {
		case j < n && j < m:
			s.put("", pair{same, same})
		case j < n:
			s.put("", pair{old: sidePlace{s.old.Elem(j), true}})
		default:
			s.put("", pair{now: same})
		}
	}
}

// close makes the container, with the marks of the new side.
func (s *frame) close() pair {
	build := value.Object
	if s.now.v.Kind() == value.KindArray {
		build = arrayOf
	}
	old, now := build(s.oldOut...), build(s.newOut...)
	return pair{sidePlace{protocol.Mark(old, s.now.v), true}, sidePlace{protocol.Mark(now, s.now.v), true}}
}

func arrayOf(members ...value.Member) value.Value {
	elems := make([]value.Value, len(members))
	for i, m := range members {
		elems[i] = m.Value
	}
	return value.Array(elems...)
}

// options are those under which the two values are compared.
func (g *reconstructor) options() diff.Options {
	o := diff.Options{Relation: value.Engine}
	for _, array := range g.aligned {
		o.ArrayRules = append(o.ArrayRules, diff.ArrayRule{Pattern: array, Match: diff.Aligned()})
	}
	return o
}
