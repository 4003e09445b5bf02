package diff

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Split divides a diff by patterns: Compose(rest, matched) does what d does.
//
// The diff rest leaves everything at or below a match of a pattern as it was in old;
// matched makes the remaining changes on the result of rest. (Spec of diffs, sections 2
// and 4.)
//
// If a pattern ends inside a value that was added, removed or replaced, rest adds the
// value without the matched parts, keeps only these parts and the containers above
// them, or puts back the parts of old. Since every path below an unknown leads to that
// unknown, a pattern that continues below an unknown matches the unknown. A container
// of which only some parts are kept is secret if either side is, since its keys are
// secret; rest adds the mark, and matched removes it.
//
// A pattern matches an element by its index in old, and an added element by its index
// in new. Indexes are ambiguous when elements are shifted, so rest is coarser there
// than it could be: in an array with elements added or removed at the end, rest adds
// none after a matched element and removes none before one. If elements were not
// matched by index and a pattern has an index at that level, all additions, removals
// and moves of elements are in matched. Wildcards have no such effect.
//
// Rest and matched commute if no array changes its length and every pattern ends at or
// above a change. The time is linear in the diff and in the parts of values that
// patterns reach.
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
	s.open = append(s.open, dividing{branch: &difftree.Branch{}})
	s.divide(&s.open[0], d.root(), st, 0, 0)
	for len(s.open) > 1 {
		f := &s.open[len(s.open)-1]
		if f.next == len(f.branch.Nodes) {
			s.close()
			continue
		}
		f.next++
		s.child(f, f.branch.Child(f.next-1))
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
	found   []difftree.Node // of rest, of the open containers, that are in no branch yet
	indexed []bool          // by depth: whether a pattern has an index there
}

// dividing is a container that patterns go into.
type dividing struct {
	branch *difftree.Branch // of d
	node   difftree.Node    // the container's, of d
	state  path.State
	next   int
	base   int // its nodes so far are found[base:]
	oldAt  int // where the container is, in its own container
	newAt  int
	as     shape
	shift  int             // how many more elements rest leaves than d, so far
	ended  bool            // no more elements come to rest
	going  []difftree.Node // elements at the end that go, if none after them stays
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
func (s *splitting) child(f *dividing, at difftree.Place) {
	n := at.Node()
	switch f.as {
	case asObject:
		s.divide(f, at, f.state.Key(n.Key), 0, 0)
	case byPlace:
		s.tail(f, at)
	case anywhere:
		s.element(f, at)
	case fixed:
		if !n.Added() && !n.Removed() && !n.Facts.Has(difftree.Moved) {
			s.divide(f, at, f.state.Index(n.OldAt()), n.OldAt(), n.OldAt())
		}
	case untouched:
	}
}

// tail divides an element of an array compared index by index.
func (s *splitting) tail(f *dividing, at difftree.Place) {
	n := at.Node()
	st := f.state.Index(n.OldAt())
	switch {
	case n.Added():
		before := len(s.found)
		if f.ended = f.ended || st.Covers(); !f.ended {
			s.divide(f, at, st, n.OldAt(), n.NewAt())
			f.ended = len(s.found) == before
		}
		if f.ended {
			f.shift--
		}
	case n.Removed() && !st.Covers():
		mid, ok := s.middle(n.Old, true, value.Value{}, false, st)
		if !ok {
			f.going = append(f.going, *n)
			return
		}
		f.shift += 1 + len(f.going)
		f.going = f.going[:0]
		s.pair(f, at, mid, n.OldAt(), n.NewAt())
	case n.Removed():
		f.shift += 1 + len(f.going)
		f.going = f.going[:0]
	default:
		s.divide(f, at, st, n.OldAt(), n.NewAt())
	}
}

// element divides an element of an array whose elements patterns take alike.
func (s *splitting) element(f *dividing, at difftree.Place) {
	n, before := at.Node(), len(s.found)
	st := f.state.Index(n.NewAt())
	switch {
	case n.Removed():
		if mid, ok := s.middle(n.Old, true, value.Value{}, false, st); ok {
			s.pair(f, at, mid, n.OldAt(), n.NewAt()+f.shift)
			f.shift++
			return
		}
		s.keep(n, n.OldAt(), n.NewAt()+f.shift)
	case n.Added():
		if s.divide(f, at, st, n.OldAt(), n.NewAt()+f.shift); len(s.found) == before {
			f.shift--
		}
	default:
		s.divide(f, at, st, n.OldAt(), n.NewAt()+f.shift)
	}
}

// divide puts of a node what is not matched into rest, where its place is there;
// or opens its container.
func (s *splitting) divide(f *dividing, at difftree.Place, st path.State, oldAt, newAt int) {
	n := at.Node()
	switch {
	case st.Covers():
	case st.Dead() || isMoveOnly(n) || n.Below == nil && n.Facts.Has(difftree.Own):
		s.keep(n, oldAt, newAt)
	case !n.Whole():
		s.enter(at, st, oldAt, newAt)
	default:
		s.part(f, at, st, oldAt, newAt)
	}
}

// keep puts a node into rest, as it is.
func (s *splitting) keep(n *difftree.Node, oldAt, newAt int) {
	m := s.copied(*n, false, false)
	m.OldIndex, m.NewIndex = difftree.ClampIndex(oldAt), difftree.ClampIndex(newAt)
	s.found = append(s.found, m)
}

// part divides a value that came, went or was replaced.
func (s *splitting) part(f *dividing, at difftree.Place, st path.State, oldAt, newAt int) {
	n := at.Node()
	mid, ok := s.middle(n.Old, !n.Added(), n.New, !n.Removed(), st)
	switch {
	case n.Added() && ok:
		m := *n
		m.New, m.OldIndex, m.NewIndex = mid, difftree.ClampIndex(oldAt), difftree.ClampIndex(newAt)
		if !s.guessed(n, f.branch.Kind) {
			m.Verdict = s.rules.ResultOf(s.natural(&m, f.branch.Kind))
		}
		s.found = append(s.found, m)
	case n.Added():
	case !ok:
		s.keep(n, oldAt, newAt)
	default:
		s.pair(f, at, mid, oldAt, newAt)
	}
}

// pair puts the change of the old value into another one than the new one into
// rest.
func (s *splitting) pair(f *dividing, at difftree.Place, mid value.Value, oldAt, newAt int) {
	n := at.Node()
	guess, told := s.guessed(n, f.branch.Kind), n.Facts.Has(difftree.Moved) && !f.branch.Unordered
	m := s.change(n.Old, mid)
	switch {
	case m.Facts == 0 && m.Below == nil && !n.Facts.Has(difftree.Moved):
		return
	case m.Facts == 0 && m.Below == nil:
		m = moveOf(n.Old, told)
	case told && m.Below != nil:
		m.Old, m.New, m.Op, m.Verdict = n.Old, mid, difftree.OpMove, value.Changed
		m.Facts |= difftree.Own | difftree.HasOld | difftree.HasNew | difftree.IsChange
	}
	if m.Facts.Has(difftree.IsChange) {
		m.Verdict = s.verdict(m.Verdict, guess)
	}
	m = s.copied(m, guess, f.branch.Secret)
	m.Facts |= n.Facts & difftree.Moved
	m.Key, m.OldIndex, m.NewIndex = n.Key, difftree.ClampIndex(oldAt), difftree.ClampIndex(newAt)
	s.found = append(s.found, m)
}

// moveOf is an element that only moved, which is a change or not.
func moveOf(v value.Value, told bool) difftree.Node {
	n := difftree.Node{Old: v, New: v, Op: difftree.OpMove, Facts: difftree.HasOld | difftree.HasNew | difftree.Moved, Verdict: value.Changed}
	if told {
		n.Facts |= difftree.IsChange
	}
	return n
}
