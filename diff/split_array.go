package diff

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// elements divides the nodes of an array, and finds the index of each at the midpoint.
//
// In an array that was compared by index, elements keep their indexes. Else, if patterns
// take all elements alike, the midpoint has the order of the new array, with the matched
// elements that were removed where they would be, and without the matched ones that were
// added. Otherwise rest leaves every element where it is.
func (s *splitter) elements(in *halves, b *difftree.Branch, st path.Matcher, add func(part)) {
	byIndex, level := isByIndex(b), in.rest.depth-1
	fixed := !byIndex && ((level < len(s.indexed) && s.indexed[level]) || level >= s.allFrom || st.Next(path.Index(path.MaxIndex)).MatchesAbove())
	in.rest.guess = in.rest.guess || s.anyGuessed(b)
	in.matched.guess = in.rest.guess
	in.rest.inserts, in.matched.inserts = !byIndex, !byIndex
	in.rest.shape.Unordered, in.matched.shape.Unordered = b.Unordered, b.Unordered
	states, mids := make([]path.Matcher, len(b.Nodes)), make([]midpoint, len(b.Nodes))
	for i := range b.Nodes {
		n := &b.Nodes[i]
		at := n.NewAt()
		if fixed {
			at = n.OldAt()
		}
		states[i] = st.Next(path.Index(at))
		mids[i] = s.midpoint(n, states[i])
		if fixed && (n.Added() || n.Removed() || n.Facts.Has(difftree.Moved)) {
			mids[i] = asOld(n)
		}
	}

	if byIndex {
		cutTail(b.Nodes, mids)
	}

	longer := 0 // by how many elements the midpoint is longer than the new array, so far
	for i := range b.Nodes {
		n := &b.Nodes[i]
		at := n.NewAt()
		switch {
		case fixed:
			at = n.OldAt()
		case !byIndex:
			at += longer
		}
		moved := n.Facts.Has(difftree.Moved)
		rest := pair{first: b.Child(i), oldAt: n.OldAt(), newAt: at, moved: moved && !fixed}
		matched := pair{first: b.Child(i), oldAt: at, newAt: n.NewAt(), moved: moved && fixed}
		add(s.split(in, rest, matched, mids[i], states[i]))
		kept := mids[i].counts()
		switch {
		case n.Removed() && kept:
			longer++
		case n.Added() && !kept:
			longer--
		}
	}

	size := difftree.ClampIndex(b.NewLen() + longer)
	in.rest.shape.OldSize, in.rest.shape.NewSize = b.OldSize, size
	in.matched.shape.OldSize, in.matched.shape.NewSize = size, b.NewSize
}

func asOld(n *difftree.Node) midpoint { return midpoint{state: oldState(n), asOld: true} }

// cutTail makes the midpoint of an array a prefix: none is added after an element that is
// not, and none removed before one that is not.
func cutTail(nodes []difftree.Node, mids []midpoint) {
	ends := false
	for i := range nodes {
		if n := &nodes[i]; n.Added() {
			ends = ends || !mids[i].counts()
			if ends {
				mids[i] = asOld(n)
			}
		}
	}

	stays := false
	for i := len(nodes) - 1; i >= 0; i-- {
		if n := &nodes[i]; n.Removed() {
			if stays && !mids[i].counts() {
				mids[i] = asOld(n)
			}
			stays = stays || mids[i].counts()
		}
	}
}

// mix makes the midpoint of a value that was added, removed or replaced: old where
// patterns match, new elsewhere.
func mix(old, now state, st path.Matcher) midpoint {
	marks := marksOf(old, now)
	switch {
	case st.MatchesAbove(), st.MayMatchBelow() && (old.IsUnknown() || now.IsUnknown()):
		return midpoint{state: old, asOld: true, asNew: !old.there() && !now.there()}
	case !st.MayMatchBelow(), !old.isContainer() && !now.isContainer():
		return midpoint{state: now, asNew: true, asOld: !old.there() && !now.there()}
	case !old.isContainer():
		return mixInside(state{}, now, marks, st)
	case now.hasKind(old.Kind()):
		return mixInside(old, now, marks, st)
	}

	kept := mixInside(old, state{}, marks, st)
	switch {
	case kept.Len() > 0:
		return kept
	case now.isContainer():
		return mixInside(state{}, now, marks, st)
	}
	return midpoint{state: now, asNew: true}
}

// marks says how a container at the midpoint is secret: it is if either side is, since its
// keys are, and what is in its place on the other side.
type marks struct{ secret, own bool }

func marksOf(old, now state) marks {
	return marks{old.IsSecret() || now.IsSecret(), old.OwnSecret() || now.OwnSecret()}
}

// mixInside mixes the children of two containers of a kind, or those of the only one.
func mixInside(old, now state, m marks, st path.Matcher) midpoint {
	owner, all := now, midpoint{asOld: !now.there(), asNew: now.there()}
	if !now.there() {
		owner = old
	}
	var made value.Value
	if owner.Kind() == value.KindArray {
		made = value.Array(all.elements(old, now, m, st)...)
	} else {
		made = value.Object(all.members(old, now, m, st)...)
	}
	switch {
	case all.asNew:
		return midpoint{state: now, asNew: true}
	case all.asOld && made.Len() > 0:
		return midpoint{state: old, asOld: true}
	}

	made = withDependenciesOf(owner.Value, made)
	if m.own {
		made = value.Secret(made)
	} else if m.secret {
		made = made.AsPartOf(value.Secret(value.Null()))
	}
	return midpoint{state: stateOf(made)}
}

// elements mixes the elements of arrays. One at the midpoint keeps those before it.
func (all *midpoint) elements(old, now state, m marks, st path.Matcher) []value.Value {
	var elems []value.Value
	pending := make([]value.Value, 0, 1) // nearly always none
	for i := range max(old.Len(), now.Len()) {
		mid := mix(old.elem(i), now.elem(i), st.Next(path.Index(i)))
		all.asOld, all.asNew = all.asOld && mid.asOld, all.asNew && mid.asNew

		switch {
		case mid.there():
			elems = append(append(elems, pending...), difftree.NotInherited(mid.Value, m.secret))
			pending = pending[:0]
		case i < now.Len():
			return elems
		default:
			pending = append(pending, difftree.NotInherited(old.Elem(i), m.secret))
		}
	}
	all.asOld = all.asOld && len(pending) == 0
	return elems
}

// members mixes the members of objects.
func (all *midpoint) members(old, now state, m marks, st path.Matcher) []value.Member {
	var members []value.Member
	for i, k := 0, 0; i < old.Len() || k < now.Len(); {
		key, _, _ := old.MemberAt(i)
		if other, _, ok := now.MemberAt(k); ok && (i == old.Len() || other < key) {
			key = other
		}
		x, y := old.member(key), now.member(key)
		if x.there() {
			i++
		}
		if y.there() {
			k++
		}

		mid := mix(x, y, st.Next(path.Key(key)))
		all.asOld, all.asNew = all.asOld && mid.asOld, all.asNew && mid.asNew
		if mid.there() {
			members = append(members, value.Member{Key: key, Value: difftree.NotInherited(mid.Value, m.secret)})
		}
	}
	return members
}
