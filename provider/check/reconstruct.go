package check

import (
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// reconstructor makes two values that differ where entries say so. It goes down both
// sides along the paths of the entries, which are in path order, so that those below a
// place follow each other. Recursion is bounded by the depth of the values.
type reconstructor struct {
	deepest int // no path leads further down
	live    []entryPath
	aligned []path.Pattern // of arrays that are to be compared as a whole
}

type entryPath struct {
	*claim
	steps []path.Step
}

// sidePlaces are a place on the two old sides, which entries select, and on the new one.
type sidePlaces struct{ inputs, state, now sidePlace }

func (s sidePlaces) below(step path.Step) sidePlaces {
	return sidePlaces{s.inputs.below(step), s.state.below(step), s.now.below(step)}
}

// pair is what a place had before and what it has after.
type pair struct{ old, now sidePlace }

// run goes through all entries and makes the two values.
func (g *reconstructor) run(s provider.Sides) (old, now value.Value) {
	if len(g.live) == 0 {
		return value.Null(), value.Null()
	}

	at := sidePlaces{
		inputs: sidePlace{oldSide(s, true), true}, state: sidePlace{oldSide(s, false), true},
		now: sidePlace{protocol.Present(s.News), true},
	}
	all := g.visit(g.live, 0, at)
	return all.old.v, all.now.v
}

func (g *reconstructor) visit(claims []entryPath, depth int, at sidePlaces) pair {
	first := claims[0]
	old := at.state
	if first.input {
		old = at.inputs
	}
	if len(first.steps) == depth {
		return first.terminal(old, at.now)
	}
	whole := pair{old, at.now}
	switch {
	case old.none() && at.now.none():
		omit(claims, OmittedAbsent)
		return pair{}
	case old.alike(at.now):
		isArray := at.now.v.Kind() == value.KindArray
		if isArray {
			at.inputs, at.state = old, old // the lengths are those of one side
		}
		if !isArray || !g.shifted(claims, depth, whole) {
			return g.inside(claims, depth, at, old.v)
		}
	}

	if old.there && at.now.there && value.Engine.Equal(old.v, at.now.v) {
		why := OmittedAbsent
		if old.opaque() || old.v.Kind().IsContainer() {
			why = OmittedEqual
		}
		omit(claims, why)
		return pair{}
	}

	return whole
}

// inside returns both values of a container, made of the children that the claims are at
// or below.
func (g *reconstructor) inside(claims []entryPath, depth int, at sidePlaces, old value.Value) pair {
	made := children{old: old, now: at.now}
	for len(claims) > 0 {
		step, n := claims[0].steps[depth], 1
		for n < len(claims) && claims[n].steps[depth] == step {
			n++
		}
		made.add(step, g.visit(claims[:n], depth+1, at.below(step)))
		claims = claims[n:]
	}

	return made.close()
}

func omit(claims []entryPath, why Omission) {
	for _, c := range claims {
		c.fate = why
	}
}

// alike reports whether there are containers of one kind and secretness.
func (s sidePlace) alike(t sidePlace) bool {
	return s.there && t.there && s.v.Kind() == t.v.Kind() && s.v.Kind().IsContainer() && s.v.IsSecret() == t.v.IsSecret()
}

// shifted reports whether elements are said to be added or removed elsewhere than at the
// end of an array, so that indexes do not tell which is which. It notes such an array, and
// those inside its elements.
func (g *reconstructor) shifted(claims []entryPath, depth int, array pair) bool {
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

// shifts reports whether the claim is of an element that was added or removed, and the
// other side has another one there.
func (c entryPath) shifts(depth int, array pair) bool {
	i, isIndex := c.steps[depth].AsIndex()
	other, step := array.now, path.Index(i)
	if protocol.WithoutReplace(c.kind) == rpc.PropertyDiffAdd {
		other = array.old
	}
	return isIndex && protocol.WithoutReplace(c.kind) != rpc.PropertyDiffUpdate && array.old.below(step).there && array.now.below(step).there &&
		!other.below(step).none()
}

func (c entryPath) terminal(old, now sidePlace) pair {
	last, _ := c.path.Last()
	absent := func(s sidePlace) bool { return !s.there || (last.IsKey() && s.none()) }

	kind := protocol.WithoutReplace(c.kind)
	switch {
	case kind == rpc.PropertyDiffAdd && absent(now), kind == rpc.PropertyDiffDelete && absent(old), absent(old) && absent(now):
		c.fate = OmittedAbsent
		return pair{}
	case kind == rpc.PropertyDiffAdd && !old.none() && !old.v.ContainsSecret():
		old = sidePlace{}
	case kind == rpc.PropertyDiffDelete && !now.none() && !now.v.ContainsSecret():
		now = sidePlace{}
	case old.there && now.there && value.Engine.Equal(old.v, now.v):
		c.fate = OmittedEqual
		return pair{}
	}
	return pair{old, now}
}

// children are the members or elements of a container on both sides, as far as they are
// reported.
type children struct {
	old            value.Value
	now            sidePlace
	oldOut, newOut []value.Member
	filled         int // of an array: the elements before this one are there
}

func (s *children) add(step path.Step, child pair) {
	if !child.old.there && !child.now.there {
		return
	}
	if key, ok := step.AsKey(); ok {
		s.put(key, child)
		return
	}

	i, _ := step.AsIndex()
	s.fill(i)
	if i < min(s.old.Len(), s.now.v.Len()) {
		child.old.there, child.now.there = true, true
	}
	s.put("", child)
	s.filled = i + 1
}

func (s *children) put(key string, child pair) {
	if child.old.there {
		s.oldOut = append(s.oldOut, value.Member{Key: key, Value: child.old.v})
	}
	if child.now.there {
		s.newOut = append(s.newOut, value.Member{Key: key, Value: child.now.v})
	}
}

// fill adds the elements before element i: what no entry reports is the same on both
// sides.
func (s *children) fill(i int) {
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

func (s *children) close() pair {
	build := value.Object
	if s.now.v.Kind() == value.KindArray {
		build = arrayOf
	}
	old, now := build(s.oldOut...), build(s.newOut...)
	return pair{sidePlace{old.WithMarksOf(s.now.v), true}, sidePlace{now.WithMarksOf(s.now.v), true}}
}

func arrayOf(members ...value.Member) value.Value {
	elems := make([]value.Value, len(members))
	for i, m := range members {
		elems[i] = m.Value
	}
	return value.Array(elems...)
}

// options returns the options for comparing the two values.
func (g *reconstructor) options() diff.Options {
	o := diff.Options{Relation: value.Engine}
	for _, array := range g.aligned {
		o.ArrayRules = append(o.ArrayRules, diff.ArrayRule{Pattern: array, Match: diff.Aligned()})
	}
	return o
}
