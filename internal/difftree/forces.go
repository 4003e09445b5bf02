package difftree

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// What forces a replacement is decided here: for answers (package provider), for their
// check, for replaceOnChanges (internal/decide), and for texts (diff/render). Patterns name
// the places whose change forces one. A change does if it is at or below such a place, or if
// it holds one, but for two exceptions: a change of marks alone forces nothing, and what is
// in an element that a list gained or lost, or that moved, is not looked at unless the caller
// asks for it (all). A caller that wants the engine's rule, by which no change above a place
// counts, passes [Reached] of the Matcher.

// Forces reports whether the change of a node in a container of a kind forces a
// replacement. st is the Matcher at the node.
func (n *Node) Forces(r Rules, in value.Kind, st path.Matcher, all bool) bool {
	return n.Facts.Has(IsChange) && (st.MatchesAbove() || n.Holds(r, in, st, all)) && !n.MarksOnly(r, in)
}

// Reached returns the Matcher without the patterns that end further inside.
func Reached(st path.Matcher) path.Matcher {
	if !st.MatchesAbove() {
		return path.Matcher{}
	}
	return st
}

// Holds reports whether the change at s replaces a subtree that contains a match.
//
// st is the Matcher at s, and matches nothing there or above. The match may be on either
// side. Unless all is set, values below an element that was added, removed, or moved
// unchanged do not match: a rule inserted into a list is not a change of its protocol. If
// both sides are containers of the same kind, the elements that both have are not known.
func (s Place) Holds(st path.Matcher, all bool) bool {
	return s.Node().Holds(s.In.Rules, s.In.Kind, st, all)
}

// Holds is [Place.Holds] for a node in a container of a kind.
func (n *Node) Holds(r Rules, in value.Kind, st path.Matcher, all bool) bool {
	one := n.Added() || n.Removed()
	if (one || n.Op == OpMove) && in == value.KindArray && !all {
		st = Reached(st)
	}
	if !n.Whole() || !st.MayMatchBelow() {
		return false
	}

	all = all || (!one && n.Old.Kind() == n.New.Kind())
	f := Finder{Rules: r, Whole: !all}
	return f.Search(n.Old, st) || f.Search(n.New, st)
}

// Concerns reports whether a change at s or inside it matches a pattern.
//
// st is the Matcher at s, and matches nothing there or above; see Holds for all. It follows
// only the patterns.
func (s Place) Concerns(st path.Matcher, all bool) bool {
	type inside struct {
		at    *Branch
		next  int
		state path.Matcher
	}
	if s.Holds(st, all) {
		return true
	}

	var open []inside
	if below := s.Node().Below; below != nil && st.MayMatchBelow() {
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
		st := top.state.Next(top.at.Step(top.next, n.Removed()))
		top.next++
		if st.MatchesAbove() || child.Holds(st, all) {
			return true
		}
		if n.Below != nil && st.MayMatchBelow() {
			open = append(open, inside{at: n.Below, state: st})
		}
	}

	return false
}
