package diff

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
)

// growth makes a tree out of parts of others, which stay as they are: a branch
// knows what it hangs from, so none can hang in two trees.
type growth struct {
	rules difftree.Rules
	slabs slabs
	todo  []*difftree.Branch
}

// verdict is that of a node in the new tree.
func (g *growth) verdict(v value.Verdict, guess bool) value.Verdict {
	if guess {
		v = value.Maybe
	}
	return g.rules.ResultOf(v)
}

// branch makes a branch of copies of nodes, and hangs it above what is inside
// them.
func (g *growth) branch(b difftree.Branch, inside []difftree.Node) *difftree.Branch {
	b.Rules = g.rules
	made := g.slabs.branch(b)
	nodes := g.slabs.nodes(len(inside))
	copy(nodes, inside)
	made.Attach(nodes)
	return made
}

// copied is a node with a copy of all that is inside it, to hang below a secret
// or not. Where its pairing became a guess all inside may be no change.
func (g *growth) copied(n difftree.Node, guess, secret bool) difftree.Node {
	if n.Below == nil {
		return n
	}
	n.Below = g.slabs.branch(*n.Below)
	g.todo = append(g.todo[:0], n.Below)
	for len(g.todo) > 0 {
		b := g.todo[len(g.todo)-1]
		g.todo = g.todo[:len(g.todo)-1]
		b.Rules, b.Secret = g.rules, b.Secret || secret
		nodes := g.slabs.nodes(len(b.Nodes))
		copy(nodes, b.Nodes)
		for i := range nodes {
			if nodes[i].Facts.Has(difftree.IsChange) {
				nodes[i].Verdict = g.verdict(nodes[i].Verdict, guess)
			}
			if below := nodes[i].Below; below != nil {
				nodes[i].Below = g.slabs.branch(*below)
				g.todo = append(g.todo, nodes[i].Below)
			}
		}
		b.Attach(nodes)
	}
	return n
}

// finish makes a diff of the node of the root, if there is one.
func (g *growth) finish(root []difftree.Node, uncertain bool) Diff {
	d := Diff{rules: g.rules, uncertain: uncertain}
	if len(root) == 0 {
		return d
	}
	d.top = veil.Hide(g.branch(difftree.Branch{}, root))
	for s := d.root(); s.In != nil; s = s.Next() {
		n := s.Node()
		if !n.Facts.Has(difftree.IsChange) {
			continue
		}
		d.count++
		d.verdict = max(d.verdict, n.Verdict)
		d.uncertain = d.uncertain || n.Verdict == value.Maybe
	}
	return d
}

// between is the node of what is different between two values; it says nothing
// when they are equal.
func (g *growth) between(old, now value.Value) difftree.Node {
	d := Between(old, now, Options{Relation: g.rules.Relation, Unknowns: Unknowns(g.rules.Unknowns)})
	if d.Empty() {
		return difftree.Node{}
	}
	return *d.root().Node()
}

// updated is the change of one value into another, as a whole.
func (g *growth) updated(old, now value.Value) difftree.Node {
	n := difftree.Node{Old: old, New: now, Op: difftree.OpUpdate}
	n.Facts, n.Verdict = g.rules.Update(old, now)
	n.Facts |= difftree.IsChange
	return n
}

// change is the node of what is different between two values, told by what is
// different inside where that can be. Equal values give the zero node.
func (g *growth) change(old, now value.Value) difftree.Node {
	switch {
	case old.Kind() == now.Kind() && old.Kind().IsContainer() && !g.rules.SecretsDiffer(old, now):
		return g.between(old, now)
	case g.rules.Relation.Equal(old, now):
		return difftree.Node{}
	}
	n := g.updated(old, now)
	n.Verdict = g.rules.ResultOf(n.Verdict)
	return n
}

// natural is the verdict of a change in a container of a kind, by its values.
func (g *growth) natural(n *difftree.Node, in value.Kind) value.Verdict {
	relation := g.rules.Relation
	switch {
	case !n.Whole() || n.Op == difftree.OpMove || (n.Added() || n.Removed()) && in != value.KindObject:
		return value.Changed
	case n.Added():
		return relation.Alone(n.New)
	case n.Removed():
		return relation.Alone(n.Old)
	}
	return relation.Compatible(n.Old, n.New)
}

// guessed reports whether a node has its verdict not from its values, but since
// its element may as well be compared with another one.
func (g *growth) guessed(n *difftree.Node, in value.Kind) bool {
	return n != nil && n.Facts.Has(difftree.IsChange) && n.Verdict == value.Maybe && g.natural(n, in) == value.Changed
}

// undone is what a value at a place was before the changes there.
func undone(s difftree.Place, v value.Value) (value.Value, *Error) {
	g := growth{rules: s.In.Rules}
	there := Diff{rules: g.rules, top: veil.Hide(g.branch(difftree.Branch{}, []difftree.Node{g.copied(*s.Node(), false, false)}))}
	return applied(there.Invert().root(), v)
}
