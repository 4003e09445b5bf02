package diff

import (
	"cmp"
	"strings"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Then returns the diff that makes the changes of d and then those of next. Applied to a
// value it gives what applying both gives, under their Relation. Changes that next undoes
// are left out: d.Then(d.Invert()) is empty.
// The empty diff is the neutral element. If one of two others was made with MaybeIsChanged,
// so is the result.
//
// A value that d adds and next changes is added with its final content; one that
// d changes and next removes is removed with its original content; and so on. If
// one diff replaces a value inside which the other has changes, the result replaces it
// too. The matches of elements in both diffs determine which elements of the first
// array correspond to those of the last one; where a match was a guess, the verdict
// stays [value.Maybe].
//
// The error is an [*Error] that wraps [ErrFit]: the diffs have different Relations, or
// their contents show that next does not start from the result of d. The time is
// linear in the diffs and in the number of children of containers that either replaces,
// times a logarithm for elements that were added, removed or moved. It does not depend
// on the length of arrays.
func (d Diff) Then(next Diff) (Diff, error) {
	uncertain := d.uncertain || next.uncertain
	r := difftree.Rules{Relation: d.rules.Relation, MaybeIsChanged: d.rules.MaybeIsChanged || next.rules.MaybeIsChanged}
	switch {
	case d.Empty() && next.Empty():
		r.Relation |= next.rules.Relation
		return Diff{rules: r, uncertain: uncertain}, nil
	case next.Empty():
		d.uncertain = uncertain
		return d, nil
	case d.Empty():
		next.uncertain = uncertain
		return next, nil
	case d.rules.Relation != next.rules.Relation:
		return Diff{}, &Error{
			Op: "compose", Want: d.rules.Relation.String(), Found: next.rules.Relation.String(), err: ErrFit,
		}
	}

	c, in, root := composer{r}, outermost(), pair{first: d.root(), second: next.root()}
	err := c.states(&in, &root)
	if err != nil {
		return Diff{}, err
	}

	n, err := c.node(&in, &root)
	if err != nil {
		return Diff{}, err
	}
	return c.diff(n, uncertain), nil
}

// composer makes the nodes of a composed diff. A node is one of four things:
//
//   - what was added, removed or replaced as a whole, with its values;
//   - a container in which something changes, with a branch;
//   - a container that changes itself, with its values and, mostly, a branch;
//   - an element that only moved.
//
// So if either diff has the value at a place, the values before the first and after the
// second can be computed, and one of them without the other is enough to know what was
// replaced. Otherwise both diffs have branches there, and their nodes are composed.
type composer struct{ rules difftree.Rules }

// scope describes the container of some nodes.
type scope struct {
	shape    difftree.Branch // without nodes
	inserts  bool            // elements are inserted and removed, not added at the end
	old, now state           // the container before the first diff and after the second
	guess    bool            // which elements were compared is a guess
	depth    int             // the number of steps to its children
	visible  int             // how many of them are not below a secret; -1 for all
}

func outermost() scope { return scope{old: state{is: unsure}, now: state{is: unsure}, visible: -1} }

// inside returns the scope of what is inside a container. It does not set its lengths, nor
// whether its elements were matched by guess.
func (s *scope) inside(p *pair, kind value.Kind, secret bool) scope {
	inner := scope{
		shape: difftree.Branch{Kind: kind, Secret: secret || s.shape.Secret},
		old:   p.old, now: p.now, depth: s.depth + 1, visible: s.visible,
	}
	if inner.shape.Secret && inner.visible < 0 {
		inner.visible = s.depth
	}

	return inner
}

// pair is a place at which one diff has a node, or both have.
type pair struct {
	first, second difftree.Place // the zero Place where a diff has none
	key           string
	oldAt, newAt  int   // the indexes of an element before the first diff and after the second
	moved         bool  // it is on both sides, in another order
	old, now      state // before the first diff and after the second
}

// nodes returns the nodes of a pair, nil where there is none.
func (p *pair) nodes() (first, second *difftree.Node) { return nodeAt(p.first), nodeAt(p.second) }

func nodeAt(s difftree.Place) *difftree.Node {
	if s.In == nil {
		return nil
	}
	return s.Node()
}

// content returns the node, or nil if it says only that an element moved.
func content(n *difftree.Node) *difftree.Node {
	if n != nil && isMoveOnly(n) {
		return nil
	}
	return n
}

func isMoveOnly(n *difftree.Node) bool { return n.Whole() && n.Op == difftree.OpMove }

// states finds what the place of a pair has before the first diff and after the second.
// What it has after the first must be what it has before the second. If either diff knows
// that value, all others follow from it.
func (c composer) states(in *scope, p *pair) *Error {
	first, second := p.nodes()
	afterFirst, beforeSecond := state{is: unsure}, state{is: unsure}
	p.old, p.now = state{is: unsure}, state{is: unsure}

	if first != nil {
		p.old, afterFirst = oldState(first), newState(first)
	}
	if second != nil {
		beforeSecond, p.now = oldState(second), newState(second)
	}
	switch {
	case first == nil:
		p.old = beforeSecond
	case second == nil:
		p.now = afterFirst
	case afterFirst.counts() != beforeSecond.counts():
		return c.misfit(in, p, !afterFirst.counts())
	case first.Whole() && second.Whole():
		if afterFirst.there() && !c.rules.Relation.Equal(afterFirst.Value, beforeSecond.Value) {
			return c.misfit(in, p, false)
		}
	case afterFirst.there() && !second.Whole():
		p.now = state{is: unsure}
	case beforeSecond.there():
		p.old = state{is: unsure}
	}

	p.old = in.old.child(in.shape.Kind, p.key, p.oldAt, p.old)
	p.now = in.now.child(in.shape.Kind, p.key, p.newAt, p.now)
	switch {
	case afterFirst.there() && p.now.is == unsure:
		v, err := applied(p.second, afterFirst.Value)
		switch {
		case err == nil:
			p.now = stateOf(v)
		case in.visible >= 0 || first.Secret():
			return c.misfit(in, p, false) // err knows the secrets of the second diff only
		default:
			err.Op = "compose"
			return err
		}
	case beforeSecond.there() && p.old.is == unsure:
		v, err := undone(p.first, beforeSecond.Value)
		if err != nil {
			return c.misfit(in, p, false)
		}
		p.old = stateOf(v)
	}

	return nil
}

// node makes the node of a pair, whose states are known. It has no facts and nothing
// below it if nothing is different.
func (c composer) node(in *scope, p *pair) (difftree.Node, *Error) {
	first, second := p.nodes()
	x, y := content(first), content(second)
	switch {
	case !p.old.counts() && !p.now.counts():
		return difftree.Node{}, nil
	case x == nil && y == nil:
		return c.held(in, p, nil, 0), nil
	case first == nil && y.Whole():
		return c.placed(in, p, *y), nil
	case second == nil && x.Whole():
		return c.placed(in, p, *x), nil
	case (x != nil && x.Whole()) || (y != nil && y.Whole()):
		return c.change(in, p), nil
	}

	return c.container(in, p, x, y)
}

// change makes the node of a change from the old state of a pair to the new one: where
// that can be, of the changes inside.
func (c composer) change(in *scope, p *pair) difftree.Node {
	old, now := p.old, p.now
	switch {
	case !old.counts() && !now.counts():
		return difftree.Node{}
	case !old.counts():
		return c.placed(in, p, c.oneSided(in, difftree.OpAdd, now.Value))
	case !now.counts():
		return c.placed(in, p, c.oneSided(in, difftree.OpDelete, old.Value))
	case c.rules.Relation.Equal(old.Value, now.Value):
		return c.held(in, p, nil, 0)
	case !old.isContainer() || old.Kind() != now.Kind() || c.rules.SecretsDiffer(old.Value, now.Value):
		n := difftree.Node{Old: old.Value, New: now.Value, Op: difftree.OpUpdate}
		n.Facts, n.Verdict = c.rules.Update(old.Value, now.Value)
		n.Facts |= difftree.IsChange
		return c.placed(in, p, n)
	}

	d := Between(old.Value, now.Value, Options{Relation: c.rules.Relation, MaybeIsChanged: c.rules.MaybeIsChanged})
	n, _ := c.container(in, p, d.root().Node(), nil) // one diff has nothing to fit
	return n
}

func (c composer) oneSided(in *scope, op difftree.Op, v value.Value) difftree.Node {
	n := difftree.Node{Op: op, Facts: difftree.IsChange | difftree.ValueChanged}
	if op == difftree.OpAdd {
		n.New = v
		n.Facts |= difftree.HasNew
	} else {
		n.Old = v
		n.Facts |= difftree.HasOld
	}

	n.Verdict = c.natural(&n, in.shape.Kind)
	return n
}

// container makes the node of a container that no diff replaces. One of the nodes may be nil.
func (c composer) container(in *scope, p *pair, first, second *difftree.Node) (difftree.Node, *Error) {
	one := cmp.Or(first, second)
	two := cmp.Or(second, first)
	kind := kindOf(one)
	facts := one.Facts | two.Facts
	switch {
	case kind != kindOf(two):
		return difftree.Node{}, c.misfit(in, p, false)
	case first == nil || second == nil:
	case first.Facts.Has(difftree.Own) && second.Facts.Has(difftree.DependenciesChanged) && !difftree.SameDependencies(first.New, second.Old):
		return difftree.Node{}, c.misfit(in, p, false)
	}

	s := in.inside(p, kind, isSecret(one) || isSecret(two))
	s.guess = c.guesses(in, p)
	pairs, err := c.pairs(in, &s, p, branchOf(first), branchOf(second))
	if err != nil {
		return difftree.Node{}, err
	}
	var nodes []difftree.Node
	for i := range pairs {
		n, err := c.node(&s, &pairs[i])
		if err != nil {
			return difftree.Node{}, err
		}
		nodes = appendNode(nodes, n)
	}

	if !facts.Has(difftree.Own) {
		facts = 0
	}
	if !c.rules.DependenciesDiffer(p.old.Value, p.now.Value) {
		facts &^= difftree.DependenciesChanged
	}
	if !p.old.ContainsUnknown() && !p.now.ContainsUnknown() {
		facts &^= difftree.ValueChanged // no element is matched by guess any more
	}
	return c.held(in, p, c.branch(&s, nodes), s.own(facts, nodes)), nil
}

// pairs pairs the nodes inside a container, and finds their states.
func (c composer) pairs(in, s *scope, at *pair, x, y *difftree.Branch) ([]pair, *Error) {
	if s.shape.Kind == value.KindArray {
		return c.elements(in, s, at, x, y)
	}
	pairs := sideBySide(x, y, byKeys)
	return pairs, c.allStates(s, pairs)
}

func (c composer) allStates(s *scope, pairs []pair) *Error {
	for i := range pairs {
		if err := c.states(s, &pairs[i]); err != nil {
			return err
		}
	}
	return nil
}

func sideBySide(x, y *difftree.Branch, compare func(n, m *difftree.Node) int) []pair {
	var pairs []pair
	for i, k := 0, 0; i < len(x.Nodes) || k < len(y.Nodes); {
		side := -1
		switch {
		case i == len(x.Nodes):
			side = 1
		case k < len(y.Nodes):
			side = compare(&x.Nodes[i], &y.Nodes[k])
		}

		var p pair
		if side <= 0 {
			p.first, p.key, p.oldAt = x.Child(i), x.Nodes[i].Key, x.Nodes[i].NewAt()
			i++
		}
		if side >= 0 {
			p.second, p.key, p.oldAt = y.Child(k), y.Nodes[k].Key, y.Nodes[k].OldAt()
			k++
		}
		p.newAt = p.oldAt
		pairs = append(pairs, p)
	}
	return pairs
}

func byKeys(n, m *difftree.Node) int { return strings.Compare(n.Key, m.Key) }

// byIndexes compares nodes by their index between the two diffs.
func byIndexes(n, m *difftree.Node) int { return n.NewAt() - m.OldAt() }

// branchOf returns what is inside a node: an empty branch if it has none, or is nil.
func branchOf(n *difftree.Node) *difftree.Branch {
	if n == nil || n.Below == nil {
		return &difftree.Branch{}
	}
	return n.Below
}

// kindOf returns the kind of the container that a node is about.
func kindOf(n *difftree.Node) value.Kind {
	if n.Below != nil {
		return n.Below.Kind
	}
	return n.Old.Kind()
}

// isSecret reports whether the container that a node is about is secret on either side.
func isSecret(n *difftree.Node) bool { return n.Secret() || (n.Below != nil && n.Below.Secret) }

// guesses reports whether it is a guess that the element of a pair is the same one in
// both versions of its array.
func (c composer) guesses(in *scope, p *pair) bool {
	first, second := p.nodes()
	return in.guess || c.guessed(first, in.shape.Kind) || c.guessed(second, in.shape.Kind)
}

// misfit makes the error for a place at which the second diff does not start from what
// the first one leaves: nothing, or something else.
func (c composer) misfit(in *scope, p *pair, nothing bool) *Error {
	visible := p.second.Visible()
	if in.visible >= 0 && (visible < 0 || in.visible < visible) {
		visible = in.visible
	}
	err := &Error{Op: "compose", At: path.Show(p.second.Path(true), visible), err: ErrFit}
	first, second := p.nodes()
	if visible >= 0 || isSecret(second) || (first != nil && isSecret(first)) {
		return err
	}
	err.Want, err.Found = wanted(second), "another value"
	switch {
	case nothing:
		err.Found = "nothing"
	case second.Added():
		err.Found = "something"
	}

	return err
}

// appendNode appends a node that is not empty.
func appendNode(nodes []difftree.Node, n difftree.Node) []difftree.Node {
	if isEmpty(&n) {
		return nodes
	}
	return append(nodes, n)
}

func isEmpty(n *difftree.Node) bool { return n.Facts == 0 && n.Below == nil }
