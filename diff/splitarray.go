package diff

import (
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// enter opens a container that patterns go into.
func (s *splitting) enter(at difftree.Place, st path.State, oldAt, newAt int) {
	n := at.Node()
	f := dividing{
		branch: n.Below, node: *n, state: st, base: len(s.found), oldAt: oldAt, newAt: newAt,
	}
	depth := len(s.open) - 1
	switch {
	case n.Below.Kind == value.KindObject:
	case isByIndex(n.Below):
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
		s.keep(&f.going[i], f.going[i].OldAt(), f.going[i].NewAt())
	}
	inside := s.found[f.base:]
	b := difftree.Branch{
		Kind: f.branch.Kind, Secret: f.branch.Secret, Unordered: f.branch.Unordered,
		OldSize: f.branch.OldSize, NewSize: difftree.ClampIndex(f.branch.NewLen() + f.shift),
	}
	if f.as == fixed || f.as == untouched {
		b.NewSize = b.OldSize
	}
	if f.as == anywhere {
		regap(inside)
		slices.SortFunc(inside, difftree.CompareElements)
	}
	n := f.node
	n.Below = nil
	if len(inside) > 0 {
		n.Below = s.branch(b, inside)
		s.found = s.found[:f.base]
	}
	if s.remains(&f, &n, &b) {
		n.OldIndex, n.NewIndex = difftree.ClampIndex(f.oldAt), difftree.ClampIndex(f.newAt)
		s.found = append(s.found, n)
	}
}

// remains takes from the node of a container what it does not change of itself in
// rest, and reports whether anything is left.
func (s *splitting) remains(f *dividing, n *difftree.Node, b *difftree.Branch) bool {
	above := &s.open[len(s.open)-1]
	if b.OldLen() == b.NewLen() {
		n.Facts &^= difftree.ValueChanged
	}
	if n.Below == nil || !slices.ContainsFunc(n.Below.Nodes, func(m difftree.Node) bool { return m.Facts.Has(difftree.Moved) }) {
		n.Facts &^= difftree.OrderChanged
	}
	moves, told := n.Facts.Has(difftree.Moved), n.Facts.Has(difftree.Moved) && !above.branch.Unordered
	switch {
	case n.Facts.Has(difftree.Own) && n.Facts.Has(difftree.ValueChanged|difftree.OrderChanged|difftree.DependenciesChanged), told && n.Below != nil:
		n.Facts &^= difftree.HasNew // to be filled in
	case n.Below != nil:
		*n = difftree.Node{Key: n.Key, Below: n.Below, Facts: n.Facts & difftree.Moved}
	case !moves:
		return false
	case told:
		verdict := n.Verdict
		*n = moveOf(n.Old, told)
		n.Verdict = verdict
	default:
		*n = moveOf(above.node.Old.Elem(f.oldAt), told)
	}
	return true
}

// regap finds the gaps of the elements that came or went anew.
func regap(nodes []difftree.Node) {
	joints := jointsOf(nodes)
	l := looseOf(joints)
	l.sort()
	l.rank()
	l.gaps()
	for i := range nodes {
		nodes[i].OldIndex, nodes[i].NewIndex = difftree.ClampIndex(joints[i].oldAt), difftree.ClampIndex(joints[i].newAt)
	}
}

// fill gives containers that change themselves their new values where those are
// not known yet: what the changes make of the old ones.
func (d Diff) fill() {
	type level struct {
		in  *difftree.Branch
		now known
	}
	if d.Empty() {
		return
	}
	todo := []level{{in: d.top.Open()}}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for i := range at.in.Nodes {
			n := &at.in.Nodes[i]
			now := at.now.child(at.in.Kind, n.Key, n.NewAt())
			if n.Facts.Has(difftree.Own) && !n.Facts.Has(difftree.HasNew) {
				if !now.ok {
					v, err := applied(at.in.Child(i), n.Old)
					now = known{v, err == nil}
				}
				n.New = now.Value
				n.Facts |= difftree.HasNew
			}
			if n.Below != nil {
				todo = append(todo, level{n.Below, now})
			}
		}
	}
}
