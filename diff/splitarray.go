package diff

import (
	"slices"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// enter opens a container that patterns go into.
func (s *splitting) enter(at spot, st path.State, oldAt, newAt int) {
	n := at.node()
	f := dividing{
		branch: n.below, node: *n, state: st, base: len(s.found), oldAt: oldAt, newAt: newAt,
	}
	depth := len(s.open) - 1
	switch {
	case n.below.kind == value.KindObject:
	case n.below.byIndex():
		f.as = byPlace
	case depth < len(s.indexed) && s.indexed[depth]:
		f.as = fixed
	case st.Index(path.MaxIndex).Covers():
		f.as = untouched
	default:
		f.as = anywhere
	}
	s.open = append(s.open, f)
}

// close makes the node of a container that is divided, for rest.
func (s *splitting) close() {
	f := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	for i := range f.going {
		s.keep(&f.going[i], f.going[i].oldAt(), f.going[i].newAt())
	}
	inside := s.found[f.base:]
	b := branch{
		kind: f.branch.kind, secret: f.branch.secret, unordered: f.branch.unordered,
		oldSize: f.branch.oldSize, newSize: index(f.branch.newLen() + f.shift),
	}
	if f.as == fixed || f.as == untouched {
		b.newSize = b.oldSize
	}
	if f.as == anywhere {
		regap(inside)
		slices.SortFunc(inside, inOrder)
	}
	n := f.node
	n.below = nil
	if len(inside) > 0 {
		n.below = s.branch(b, inside)
		s.found = s.found[:f.base]
	}
	if s.remains(&f, &n, &b) {
		n.oldIx, n.newIx = index(f.oldAt), index(f.newAt)
		s.found = append(s.found, n)
	}
}

// remains takes from the node of a container what it does not change of itself in
// rest, and reports whether anything is left.
func (s *splitting) remains(f *dividing, n *node, b *branch) bool {
	above := &s.open[len(s.open)-1]
	if b.oldLen() == b.newLen() {
		n.facts &^= valueChanged
	}
	if n.below == nil || !slices.ContainsFunc(n.below.nodes, func(m node) bool { return m.facts.has(moved) }) {
		n.facts &^= orderChanged
	}
	moves, told := n.facts.has(moved), n.facts.has(moved) && !above.branch.unordered
	switch {
	case n.facts.has(own) && n.facts.has(valueChanged|orderChanged|dependenciesChanged), told && n.below != nil:
		n.facts &^= hasNew // to be filled in
	case n.below != nil:
		*n = node{key: n.key, below: n.below, facts: n.facts & moved}
	case !moves:
		return false
	case told:
		verdict := n.verdict
		*n = moveOf(n.old, told)
		n.verdict = verdict
	default:
		*n = moveOf(above.node.old.Elem(f.oldAt), told)
	}
	return true
}

// regap finds the gaps of the elements that came or went anew.
func regap(nodes []node) {
	joints := jointsOf(nodes)
	l := looseOf(joints)
	l.sort()
	l.rank()
	l.gaps()
	for i := range nodes {
		nodes[i].oldIx, nodes[i].newIx = index(joints[i].oldAt), index(joints[i].newAt)
	}
}

// fill gives containers that change themselves their new values where those are
// not known yet: what the changes make of the old ones.
func (d Diff) fill() {
	type level struct {
		in  *branch
		now known
	}
	if d.Empty() {
		return
	}
	todo := []level{{in: d.top.Open()}}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for i := range at.in.nodes {
			n := &at.in.nodes[i]
			now := at.now.child(at.in.kind, n.key, n.newAt())
			if n.facts.has(own) && !n.facts.has(hasNew) {
				if !now.ok {
					v, err := applied(spot{at.in, i}, n.old)
					now = known{v, err == nil}
				}
				n.new = now.Value
				n.facts |= hasNew
			}
			if n.below != nil {
				todo = append(todo, level{n.below, now})
			}
		}
	}
}
