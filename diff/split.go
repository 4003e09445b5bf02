package diff

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Split divides a diff by patterns: rest leaves all that is at or below a place
// that a pattern matches as it was in old, and matched does the remainder, on the
// result of rest. Compose(rest, matched) does what d does. Rest changes nothing
// that a pattern covers. (Spec of diffs, sections 2 and 4.)
//
// Where a pattern ends inside a value that came, went or was replaced, rest
// brings it without the parts that are matched, keeps of it just those parts and
// the containers on the way, or puts back what old has there. As a step into an
// unknown gives that unknown, a pattern that goes on below an unknown holds it.
// A container that keeps some parts and not others is secret where either side
// is, as its keys are: matched then takes the mark off, rest puts it on.
//
// An element is matched by the index that it has in old, one that came by that
// in new. An index says nothing once elements are shifted, so rest is coarser
// than it might be there: of an array at whose end elements come or go none comes
// to rest behind one that is matched, and none goes before one. Where elements
// were matched other than by index, and a pattern has an index at that level, all
// that brings, takes and moves elements is in matched. Wildcards have no such
// effect.
//
// Rest and matched commute when no array changes its length and every pattern
// ends at or above a change. Time is linear in the diff and in the parts of
// values that patterns go into.
func Split(d Diff, patterns *path.Set) (rest, matched Diff) {
	none := Diff{rules: d.rules, uncertain: d.uncertain}
	st := patterns.Start()
	switch {
	case d.Empty() || st.Covers():
		return none, d
	case st.Dead():
		return d, none
	}
	s := splitting{growth: growth{rules: d.rules}, indexed: indexedLevels(patterns)}
	s.open = append(s.open, dividing{branch: &branch{}})
	s.divide(&s.open[0], d.root(), st, 0, 0)
	for len(s.open) > 1 {
		f := &s.open[len(s.open)-1]
		if f.next == len(f.branch.nodes) {
			s.close()
			continue
		}
		f.next++
		s.child(f, spot{f.branch, f.next - 1})
	}
	rest = s.finish(s.found, d.uncertain)
	rest.fill()
	matched, err := composed(rest.Invert(), d, true)
	if err != nil {
		return none, d // only of a diff that does not fit itself
	}
	return rest, matched
}

// splitting is a Split under way.
type splitting struct {
	growth
	middles
	open    []dividing
	found   []node // of rest, of the open containers, that are in no branch yet
	indexed []bool // by depth: whether a pattern has an index there
}

// dividing is a container that patterns go into.
type dividing struct {
	branch *branch // of d
	node   node    // the container's, of d
	state  path.State
	next   int
	base   int // its nodes so far are found[base:]
	oldAt  int // where the container is, in its own container
	newAt  int
	as     shape
	shift  int    // how many more elements rest leaves than d, so far
	ended  bool   // no more elements come to rest
	going  []node // elements at the end that go, if none after them stays
}

// shape says how the elements of an array can be divided.
type shape uint8

const (
	asObject  shape = iota // an object
	byPlace                // compared index by index
	anywhere               // patterns take all elements alike
	fixed                  // rest leaves every element where it is
	untouched              // every element is matched
)

func indexedLevels(patterns *path.Set) []bool {
	var levels []bool
	for _, p := range patterns.Patterns() {
		depth := 0
		for step := range p.Steps() {
			if depth == len(levels) {
				levels = append(levels, false)
			}
			if exact, ok := step.Step(); ok && !exact.IsKey() {
				levels[depth] = true
			}
			depth++
		}
	}
	return levels
}

// child divides the next node of a container.
func (s *splitting) child(f *dividing, at spot) {
	n := at.node()
	switch f.as {
	case asObject:
		s.divide(f, at, f.state.Key(n.key), 0, 0)
	case byPlace:
		s.tail(f, at)
	case anywhere:
		s.element(f, at)
	case fixed:
		if !n.came() && !n.gone() && !n.facts.has(moved) {
			s.divide(f, at, f.state.Index(n.oldAt()), n.oldAt(), n.oldAt())
		}
	case untouched:
	}
}

// tail divides an element of an array compared index by index.
func (s *splitting) tail(f *dividing, at spot) {
	n := at.node()
	st := f.state.Index(n.oldAt())
	switch {
	case n.came():
		before := len(s.found)
		if f.ended = f.ended || st.Covers(); !f.ended {
			s.divide(f, at, st, n.oldAt(), n.newAt())
			f.ended = len(s.found) == before
		}
		if f.ended {
			f.shift--
		}
	case n.gone() && !st.Covers():
		mid, ok := s.middle(n.old, true, value.Value{}, false, st)
		if !ok {
			f.going = append(f.going, *n)
			return
		}
		f.shift += 1 + len(f.going)
		f.going = f.going[:0]
		s.pair(f, at, mid, n.oldAt(), n.newAt())
	case n.gone():
		f.shift += 1 + len(f.going)
		f.going = f.going[:0]
	default:
		s.divide(f, at, st, n.oldAt(), n.newAt())
	}
}

// element divides an element of an array whose elements patterns take alike.
func (s *splitting) element(f *dividing, at spot) {
	n, before := at.node(), len(s.found)
	st := f.state.Index(n.newAt())
	switch {
	case n.gone():
		if mid, ok := s.middle(n.old, true, value.Value{}, false, st); ok {
			s.pair(f, at, mid, n.oldAt(), n.newAt()+f.shift)
			f.shift++
			return
		}
		s.keep(n, n.oldAt(), n.newAt()+f.shift)
	case n.came():
		if s.divide(f, at, st, n.oldAt(), n.newAt()+f.shift); len(s.found) == before {
			f.shift--
		}
	default:
		s.divide(f, at, st, n.oldAt(), n.newAt()+f.shift)
	}
}

// divide puts of a node what is not matched into rest, where its place is there;
// or opens its container.
func (s *splitting) divide(f *dividing, at spot, st path.State, oldAt, newAt int) {
	n := at.node()
	switch {
	case st.Covers():
	case st.Dead() || n.moves() || n.below == nil && n.facts.has(own):
		s.keep(n, oldAt, newAt)
	case !n.whole():
		s.enter(at, st, oldAt, newAt)
	default:
		s.part(f, at, st, oldAt, newAt)
	}
}

// keep puts a node into rest, as it is.
func (s *splitting) keep(n *node, oldAt, newAt int) {
	m := s.copied(*n, false, false)
	m.oldIx, m.newIx = index(oldAt), index(newAt)
	s.found = append(s.found, m)
}

// part divides a value that came, went or was replaced.
func (s *splitting) part(f *dividing, at spot, st path.State, oldAt, newAt int) {
	n := at.node()
	mid, ok := s.middle(n.old, !n.came(), n.new, !n.gone(), st)
	switch {
	case n.came() && ok:
		m := *n
		m.new, m.oldIx, m.newIx = mid, index(oldAt), index(newAt)
		if !s.guessed(n, f.branch.kind) {
			m.verdict = s.rules.verdict(s.natural(&m, f.branch.kind))
		}
		s.found = append(s.found, m)
	case n.came():
	case !ok:
		s.keep(n, oldAt, newAt)
	default:
		s.pair(f, at, mid, oldAt, newAt)
	}
}

// pair puts the change of the old value into another one than the new one into
// rest.
func (s *splitting) pair(f *dividing, at spot, mid value.Value, oldAt, newAt int) {
	n := at.node()
	guess, told := s.guessed(n, f.branch.kind), n.facts.has(moved) && !f.branch.unordered
	m := s.change(n.old, mid)
	switch {
	case m.facts == 0 && m.below == nil && !n.facts.has(moved):
		return
	case m.facts == 0 && m.below == nil:
		m = moveOf(n.old, told)
	case told && m.below != nil:
		m.old, m.new, m.op, m.verdict = n.old, mid, OpMove, value.Changed
		m.facts |= own | hasOld | hasNew | isChange
	}
	if m.facts.has(isChange) {
		m.verdict = s.verdict(m.verdict, guess)
	}
	m = s.copied(m, guess, f.branch.secret)
	m.facts |= n.facts & moved
	m.key, m.oldIx, m.newIx = n.key, index(oldAt), index(newAt)
	s.found = append(s.found, m)
}

// moveOf is an element that only moved, which is a change or not.
func moveOf(v value.Value, told bool) node {
	n := node{old: v, new: v, op: OpMove, facts: hasOld | hasNew | moved, verdict: value.Changed}
	if told {
		n.facts |= isChange
	}
	return n
}
