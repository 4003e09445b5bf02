package diff

import (
	"math"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Split divides d into rest, which leaves everything at or below a match of a pattern as it
// was in old, and matched, which makes the remaining changes on the result of rest:
// rest.Then(matched) does what d does.
//
// If a pattern ends inside a value that was added, rest adds the value without the
// matched parts; of a removed value it keeps only these parts and the containers above
// them; in a replaced one it puts the old parts back. Since every path below an unknown
// leads to that unknown, a pattern that continues below an unknown matches the unknown. A
// container of which only some parts are kept is secret if either side is, since its keys
// are secret; rest adds the mark, and matched removes it.
//
// A pattern matches an element by its index in old, and an added element by its index in
// new. Indexes are ambiguous when elements are shifted, so rest has fewer changes there
// than it could have: in an array with elements added or removed at the end, rest adds
// none after a matched element and removes none before one. If elements were not matched
// by index and a pattern has an index at that level, all additions, removals and moves of
// elements are in matched. Wildcards have no such effect.
//
// The two diffs can be applied in either order if no array changes its length and every
// pattern ends at or above a change. The time is linear in the diff and in the parts of
// values that patterns reach.
func (d Diff) Split(patterns *path.Set) (rest, matched Diff) {
	none := Diff{rules: d.rules, uncertain: d.uncertain}
	st := patterns.Matcher()
	switch {
	case d.Empty() || st.MatchesAbove():
		return none, d
	case !st.MayMatchBelow():
		return d, none
	}

	s := splitter{composer: composer{d.rules}}
	s.indexed, s.allFrom = indexedLevels(patterns)
	in := halves{outermost(), outermost()}
	root := pair{first: d.root()}
	p := s.split(&in, root, root, s.midpoint(root.first.Node(), st), st)
	return s.diff(p.rest, d.uncertain), s.diff(p.matched, d.uncertain)
}

// splitter divides nodes in two: rest changes the old value into one between, matched
// changes that into the new value. Every place is there what it is in old, if it is
// matched, or what it is in new.
type splitter struct {
	composer
	indexed []bool // by depth: whether a pattern has an index there
	allFrom int    // and the depth from which on one may have it anywhere
}

// halves describes a container for the nodes of rest and for those of matched.
type halves struct{ rest, matched scope }

// midpoint is what a place has between rest and matched.
type midpoint struct {
	state        // unsure for a container that is divided inside
	asOld, asNew bool
}

func indexedLevels(patterns *path.Set) (levels []bool, allFrom int) {
	allFrom = math.MaxInt
	for _, p := range patterns.Patterns() {
		depth, deepAt := 0, math.MaxInt
		for step := range p.Steps() {
			if depth == len(levels) {
				levels = append(levels, false)
			}
			if step.IsAnyDepth() {
				deepAt = min(deepAt, depth)
			}
			if _, isIndex := step.AsIndex(); isIndex {
				levels[depth], allFrom = true, min(allFrom, deepAt)
			}
			depth++
		}
	}
	return levels, allFrom
}

// midpoint finds what the place of a node has between rest and matched.
func (s *splitter) midpoint(n *difftree.Node, st path.Matcher) midpoint {
	old, now := oldState(n), newState(n)
	switch {
	case st.MatchesAbove():
		return midpoint{old, true, false}
	case !st.MayMatchBelow() || isMoveOnly(n) || (n.Below == nil && n.Facts.Has(difftree.Own)):
		return midpoint{now, false, true}
	case !n.Whole():
		return midpoint{state: state{is: unsure}}
	}

	return mix(old, now, st)
}

// part is a node divided in two, and what its place is between them, if that is known.
type part struct {
	rest, matched difftree.Node
	mid           state
}

// split divides a node. The pairs say where it is in the parts, and in which one it
// moves.
func (s *splitter) split(in *halves, rest, matched pair, mid midpoint, st path.Matcher) part {
	n := rest.first.Node()
	rest.old = in.rest.old.child(in.rest.shape.Kind, rest.key, rest.oldAt, oldState(n))
	matched.now = in.matched.now.child(in.matched.shape.Kind, matched.key, matched.newAt, newState(n))
	rest.now, matched.old = mid.state, mid.state

	var p part
	switch {
	case mid.asOld:
		rest.now, matched.old = rest.old, rest.old
		p.rest = s.held(&in.rest, &rest, nil, 0)
		p.matched, _ = s.node(&in.matched, &matched) // one diff has nothing to fit
	case mid.asNew:
		rest.now = matched.now
		p.rest, _ = s.node(&in.rest, &rest)
	case mid.is != unsure:
		if rest.old.there() && rest.now.there() && s.rules.Relation.Equal(rest.old.Value, rest.now.Value) {
			rest.now = rest.old
		}
		p.rest = s.change(&in.rest, &rest)
		if p.rest.Below != nil {
			rest.now = s.after(&p.rest, rest.old)
		}
		matched.old = rest.now
		p.matched = s.change(&in.matched, &matched)
	default:
		return s.inside(in, &rest, &matched, st)
	}

	p.mid = rest.now
	return p
}

// after returns what a node makes of a value.
func (s *splitter) after(n *difftree.Node, v state) state {
	top := difftree.Branch{Rules: s.rules, Nodes: []difftree.Node{*n}}
	made, _ := applied(top.Child(0), v.Value) // it was made from the value
	return stateOf(made)
}

// inside divides the node of a container with changes inside.
func (s *splitter) inside(in *halves, rest, matched *pair, st path.Matcher) part {
	n := rest.first.Node()
	b := n.Below
	here := halves{in.rest.inside(rest, b.Kind, isSecret(n)), in.matched.inside(matched, b.Kind, isSecret(n))}
	here.rest.guess = s.guesses(&in.rest, rest)
	here.matched.guess = here.rest.guess

	var first, second []difftree.Node
	var mids []state // of the nodes of rest
	add := func(p part) {
		second = appendNode(second, p.matched)
		if first = appendNode(first, p.rest); len(first) > len(mids) {
			mids = append(mids, p.mid)
		}
	}
	if b.Kind == value.KindArray {
		s.elements(&here, b, st, add)
	} else {
		for i := range b.Nodes {
			child, below := pair{first: b.Child(i), key: b.Nodes[i].Key}, st.Next(path.Key(b.Nodes[i].Key))
			add(s.split(&here, child, child, s.midpoint(&b.Nodes[i], below), below))
		}
	}

	var facts difftree.Facts
	if n.Facts.Has(difftree.Own) {
		facts = n.Facts
	}
	ownFirst := here.rest.own(facts, first)
	ownSecond := here.matched.own(facts&^difftree.DependenciesChanged, second)
	below := s.branch(&here.rest, first)
	if rest.old.there() {
		rest.now = s.between(n, below, rest.old, mids)
		matched.old = rest.now
	}
	return part{
		s.held(&in.rest, rest, below, ownFirst),
		s.held(&in.matched, matched, s.branch(&here.matched, second), ownSecond),
		rest.now,
	}
}

// between returns what a container is between the parts: what the nodes of rest, and its
// own change of dependencies, make of the old one.
func (s *splitter) between(n *difftree.Node, below *difftree.Branch, old state, mids []state) state {
	v := old.Value
	if below != nil {
		made, _ := rebuild(v, below, func(i int, _ state) (state, *Error) {
			mid := mids[i]
			if mid.is == null {
				mid.is = present
			}
			return mid, nil
		})
		v = made.WithMarksOf(v)
	}

	if n.Facts.Has(difftree.DependenciesChanged) {
		v = withDependenciesOf(n.New, v)
	}
	return stateOf(v.AsPartOf(old.Value))
}
