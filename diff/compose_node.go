package diff

// NOTE: The nodes of diffs that are composed or split are made here, with the facts and
// verdicts that a comparison would have given them.

import (
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
)

// held makes the node of a value that was not replaced: of an element that moved, of a
// container that changed itself or has changes inside, or none. A state that is not
// known stays so.
func (c composer) held(in *scope, p *pair, below *difftree.Branch, own difftree.Facts) difftree.Node {
	n := difftree.Node{Below: below}
	isChange := own != 0 || (p.moved && !in.shape.Unordered)
	switch {
	case below == nil && own == 0 && !p.moved:
		return n
	case p.moved && !in.shape.Unordered, below == nil && own == 0:
		n.Op = difftree.OpMove
	case own != 0:
		n.Op = difftree.OpUpdate
	}

	if n.Op != 0 {
		n.Old, n.New, n.Verdict, n.Facts = p.old.Value, p.now.Value, value.Changed, own
		if p.old.there() {
			n.Facts |= difftree.HasOld
		}
		if p.now.there() {
			n.Facts |= difftree.HasNew
		}
		if below != nil || own != 0 {
			n.Facts |= difftree.Own
		}
		if isChange {
			n.Facts |= difftree.IsChange
		}
	}

	return c.placed(in, p, n)
}

// placed puts a node where its pair is, without what its old container says of it.
func (c composer) placed(in *scope, p *pair, n difftree.Node) difftree.Node {
	n.Key, n.OldIndex, n.NewIndex = p.key, difftree.ClampIndex(p.oldAt), difftree.ClampIndex(p.newAt)
	n.Facts &^= difftree.Moved
	if p.moved {
		n.Facts |= difftree.Moved
	}
	if n.Facts.Has(difftree.IsChange) {
		if c.guesses(in, p) {
			n.Verdict = value.Maybe
		}
		n.Verdict = c.rules.ResultOf(n.Verdict)
	}

	switch {
	case n.Added():
		n.Old, n.Facts = p.old.Value, n.Facts&^difftree.HasOld
		if p.old.is == null {
			n.Facts |= difftree.HasOld
		}
	case n.Removed():
		n.New, n.Facts = p.now.Value, n.Facts&^difftree.HasNew
		if p.now.is == null {
			n.Facts |= difftree.HasNew
		}
	}

	switch {
	case in.inserts && n.Added():
		n.Op = difftree.OpInsert
	case in.inserts && n.Removed():
		n.Op = difftree.OpRemove
	}
	return n
}

// own returns which of the facts of a container are true of one with these changes
// inside.
func (s *scope) own(facts difftree.Facts, inside []difftree.Node) difftree.Facts {
	own := facts & difftree.DependenciesChanged
	if s.shape.OldSize != s.shape.NewSize {
		own |= facts & difftree.ValueChanged
	}
	for i := range inside {
		if s.shape.Unordered && inside[i].Facts.Has(difftree.Moved) {
			own |= difftree.OrderChanged
		}
	}
	return own
}

// branch makes a branch of nodes, or nil of none.
func (c composer) branch(s *scope, nodes []difftree.Node) *difftree.Branch {
	if len(nodes) == 0 {
		return nil
	}

	b := s.shape
	b.Rules = c.rules
	if s.inserts {
		arrange(nodes)
	}
	b.Attach(slices.Clip(nodes))
	return &b
}

// diff makes a diff of the node of the root, which may be empty.
func (c composer) diff(root difftree.Node, uncertain bool) Diff {
	d := Diff{rules: c.rules, uncertain: uncertain}
	if isEmpty(&root) {
		return d
	}
	d.top = veil.Hide(topOf(c.rules, root))
	for s := d.root(); s.In != nil; s = s.Next() {
		n := s.Node()
		if n.Facts.Has(difftree.IsChange) {
			d.count++
			d.verdict = max(d.verdict, n.Verdict)
			d.uncertain = d.uncertain || n.Verdict == value.Maybe
		}
	}

	return d
}

func topOf(r difftree.Rules, root difftree.Node) *difftree.Branch {
	top := &difftree.Branch{Rules: r}
	top.Attach([]difftree.Node{root})
	return top
}

// guessed reports whether a node has its verdict because its element may as well be compared
// with another one, and not from its values.
func (c composer) guessed(n *difftree.Node, in value.Kind) bool {
	return n != nil && n.Facts.Has(difftree.IsChange) && n.Verdict == value.Maybe && c.natural(n, in) == value.Changed
}

// natural returns the verdict of a change in a container of a kind, by its values.
func (c composer) natural(n *difftree.Node, in value.Kind) value.Verdict {
	relation := c.rules.Relation
	switch {
	case !n.Whole() || n.Op == difftree.OpMove || ((n.Added() || n.Removed()) && in != value.KindObject):
		return value.Changed
	case n.Added():
		return value.Internal.Alone(relation, n.New)
	case n.Removed():
		return value.Internal.Alone(relation, n.Old)
	}

	return relation.Compatible(n.Old, n.New)
}

// undone returns what a value was before the changes at and below a place.
func undone(s difftree.Place, v value.Value) (value.Value, *Error) {
	top := difftree.Branch{Rules: s.In.Rules, Nodes: []difftree.Node{*s.Node()}}
	return applied(inverted(&top).Child(0), v)
}
