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
	s := splitter{composer{d.rules}, indexedLevels(patterns)}
	in := halves{outermost(), outermost()}
	root := pair{first: d.root()}
	before, after := s.split(&in, root, root, s.middle(root.first.Node(), st), st)
	rest, matched = s.diff(before, d.uncertain), s.diff(after, d.uncertain)
	fill(rest.top.Open(), state{is: unsure}, false)
	fill(matched.top.Open(), state{is: unsure}, true)
	return rest, matched
}

// splitter divides nodes in two: one changes the old value into a middle one, the other
// changes that into the new value. Every place is in the middle what it is in old, if it
// is matched, or what it is in new.
type splitter struct {
	composer
	indexed []bool // by depth: whether a pattern has an index there
}

// halves describes a container for the nodes of rest and for those of matched.
type halves struct{ rest, matched scope }

// middle is what a place has between rest and matched.
type middle struct {
	state        // unsure for a container that is divided inside
	asOld, asNew bool
}

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

// middle finds what the place of a node has in the middle.
func (s *splitter) middle(n *difftree.Node, st path.State) middle {
	old, now := oldState(n), newState(n)
	switch {
	case st.Covers():
		return middle{old, true, false}
	case st.Dead() || isMoveOnly(n) || n.Below == nil && n.Facts.Has(difftree.Own):
		return middle{now, false, true}
	case !n.Whole():
		return middle{state: state{is: unsure}}
	}
	return mix(old, now, st)
}

// split divides a node. The pairs say where it is in the parts, and in which one it
// moves.
func (s *splitter) split(in *halves, rest, matched pair, mid middle, st path.State) (before, after difftree.Node) {
	n := rest.first.Node()
	rest.old = in.rest.old.child(in.rest.shape.Kind, rest.key, rest.oldAt, oldState(n))
	matched.now = in.matched.now.child(in.matched.shape.Kind, matched.key, matched.newAt, newState(n))
	rest.now, matched.old = mid.state, mid.state
	switch {
	case mid.asOld:
		rest.now, matched.old = rest.old, rest.old
		before = s.held(&in.rest, &rest, nil, 0)
		after, _ = s.node(&in.matched, &matched) // one diff has nothing to fit
	case mid.asNew:
		rest.now = matched.now
		before, _ = s.node(&in.rest, &rest)
	case mid.is != unsure:
		before, after = s.change(&in.rest, &rest), s.change(&in.matched, &matched)
	default:
		before, after = s.inside(in, &rest, &matched, st)
	}
	return before, after
}

// inside divides the node of a container with changes inside.
func (s *splitter) inside(in *halves, rest, matched *pair, st path.State) (before, after difftree.Node) {
	n := rest.first.Node()
	b := n.Below
	here := halves{in.rest.inside(rest, b.Kind, isSecret(n)), in.matched.inside(matched, b.Kind, isSecret(n))}
	here.rest.guess = s.guesses(&in.rest, rest)
	here.matched.guess = here.rest.guess

	var first, second []difftree.Node
	add := func(x, y difftree.Node) { first, second = appendNode(first, x), appendNode(second, y) }
	if b.Kind == value.KindArray {
		s.elements(&here, b, st, add)
	} else {
		for i := range b.Nodes {
			child, below := pair{first: b.Child(i), key: b.Nodes[i].Key}, st.Key(b.Nodes[i].Key)
			add(s.split(&here, child, child, s.middle(&b.Nodes[i], below), below))
		}
	}

	var facts difftree.Facts
	if n.Facts.Has(difftree.Own) {
		facts = n.Facts
	}
	ownFirst := here.rest.own(facts, first)
	ownSecond := here.matched.own(facts&^difftree.DependenciesChanged, second)
	if len(first) == 0 && ownFirst == 0 {
		rest.now = rest.old // an element that only moves
	}
	before = s.held(&in.rest, rest, s.branch(&here.rest, first), ownFirst)
	if ownFirst.Has(difftree.DependenciesChanged) {
		before.New = n.New // for its dependencies, until fill
	}
	return before, s.held(&in.matched, matched, s.branch(&here.matched, second), ownSecond)
}

// fill gives containers that change themselves their values in the middle: the new ones
// of rest, the old ones of matched.
func fill(b *difftree.Branch, in state, old bool) {
	for i := range nodeCount(b) {
		n := &b.Nodes[i]
		v, has, index := &n.New, difftree.HasNew, n.NewAt()
		if old {
			v, has, index = &n.Old, difftree.HasOld, n.OldAt()
		}
		here := in.child(b.Kind, n.Key, index, state{is: unsure})
		if n.Facts.Has(difftree.Own) && !n.Facts.Has(has) {
			if !here.there() {
				here = middleOf(b.Child(i), old)
			}
			*v = here.Value
			n.Facts |= has
		}
		fill(n.Below, here, old)
	}
}

func middleOf(s difftree.Place, old bool) state {
	if old {
		v, _ := undone(s, s.Node().New) // a part of a diff fits its own values
		return stateOf(v)
	}
	v, _ := applied(s, s.Node().Old)
	return stateOf(v)
}
