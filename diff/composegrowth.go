package diff

import (
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
)

// growth makes a tree out of parts of others, which stay as they are: a branch
// knows what it hangs from, so none can hang in two trees.
type growth struct {
	rules rules
	slabs slabs
	todo  []*branch
}

// verdict is that of a node in the new tree.
func (g *growth) verdict(v value.Verdict, guess bool) value.Verdict {
	if guess {
		v = value.Maybe
	}
	return g.rules.verdict(v)
}

// branch makes a branch of copies of nodes, and hangs it above what is inside
// them.
func (g *growth) branch(b branch, inside []node) *branch {
	b.rules = g.rules
	made := g.slabs.branch(b)
	nodes := g.slabs.nodes(len(inside))
	copy(nodes, inside)
	made.hang(nodes)
	return made
}

// copied is a node with a copy of all that is inside it, to hang below a secret
// or not. Where its pairing became a guess all inside may be no change.
func (g *growth) copied(n node, guess, secret bool) node {
	if n.below == nil {
		return n
	}
	n.below = g.slabs.branch(*n.below)
	g.todo = append(g.todo[:0], n.below)
	for len(g.todo) > 0 {
		b := g.todo[len(g.todo)-1]
		g.todo = g.todo[:len(g.todo)-1]
		b.rules, b.secret = g.rules, b.secret || secret
		nodes := g.slabs.nodes(len(b.nodes))
		copy(nodes, b.nodes)
		for i := range nodes {
			if nodes[i].facts.has(isChange) {
				nodes[i].verdict = g.verdict(nodes[i].verdict, guess)
			}
			if below := nodes[i].below; below != nil {
				nodes[i].below = g.slabs.branch(*below)
				g.todo = append(g.todo, nodes[i].below)
			}
		}
		b.hang(nodes)
	}
	return n
}

// finish makes a diff of the node of the root, if there is one.
func (g *growth) finish(root []node, uncertain bool) Diff {
	d := Diff{rules: g.rules, uncertain: uncertain}
	if len(root) == 0 {
		return d
	}
	d.top = veil.Hide(g.branch(branch{}, root))
	for s := d.root(); s.in != nil; s = s.next() {
		n := s.node()
		if !n.facts.has(isChange) {
			continue
		}
		d.count++
		d.verdict = max(d.verdict, n.verdict)
		d.uncertain = d.uncertain || n.verdict == value.Maybe
	}
	return d
}

// between is the node of what is different between two values; it says nothing
// when they are equal.
func (g *growth) between(old, now value.Value) node {
	d := Between(old, now, Options{Relation: g.rules.relation, Unknowns: g.rules.unknowns})
	if d.Empty() {
		return node{}
	}
	return *d.root().node()
}

// updated is the change of one value into another, as a whole.
func (g *growth) updated(old, now value.Value) node {
	n := node{old: old, new: now, op: OpUpdate}
	n.facts, n.verdict = g.rules.update(old, now)
	n.facts |= isChange
	return n
}

// change is the node of what is different between two values, told by what is
// different inside where that can be. Equal values give the zero node.
func (g *growth) change(old, now value.Value) node {
	switch {
	case old.Kind() == now.Kind() && old.Kind().IsContainer() && !g.rules.secretness(old, now):
		return g.between(old, now)
	case g.rules.relation.Equal(old, now):
		return node{}
	}
	n := g.updated(old, now)
	n.verdict = g.rules.verdict(n.verdict)
	return n
}

// natural is the verdict of a change in a container of a kind, by its values.
func (g *growth) natural(n *node, in value.Kind) value.Verdict {
	relation := g.rules.relation
	switch {
	case !n.whole() || n.op == OpMove || (n.came() || n.gone()) && in != value.KindObject:
		return value.Changed
	case n.came():
		return relation.Alone(n.new)
	case n.gone():
		return relation.Alone(n.old)
	}
	return relation.Compatible(n.old, n.new)
}

// guessed reports whether a node has its verdict not from its values, but since
// its element may as well be compared with another one.
func (g *growth) guessed(n *node, in value.Kind) bool {
	return n != nil && n.facts.has(isChange) && n.verdict == value.Maybe && g.natural(n, in) == value.Changed
}

// undone is what a value at a place was before the changes there.
func undone(s spot, v value.Value) (value.Value, *Error) {
	g := growth{rules: s.in.rules}
	there := Diff{rules: g.rules, top: veil.Hide(g.branch(branch{}, []node{g.copied(*s.node(), false, false)}))}
	return applied(there.Invert().root(), v)
}
