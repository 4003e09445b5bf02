package diff

import (
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// whole puts a change of one value into another, as far as it is one. Where that
// is told best by what is different inside, it is.
func (c *composition) whole(f *composing, j *joint, old, now value.Value) {
	before, after := known{old, true}, known{now, true}
	switch {
	case c.rules.Relation.Equal(old, now):
		c.hold(f, j, nil, 0, before, after)
	case old.Kind() == now.Kind() && old.Kind().IsContainer() && !c.rules.SecretsDiffer(old, now):
		inside := c.between(old, now)
		c.keep(f, j, inside.Below, inside.Facts, before, after)
	default:
		c.put(f, j, c.updated(old, now))
	}
}

// keep holds a branch of another tree, with the facts that its container had
// there.
func (c *composition) keep(f *composing, j *joint, below *difftree.Branch, had difftree.Facts, old, now known) {
	var of difftree.Facts
	if had.Has(difftree.Own) {
		of = had & (difftree.ValueChanged | difftree.DependenciesChanged | difftree.OrderChanged)
	}
	if below != nil {
		below = c.copied(difftree.Node{Below: below}, c.guess(f, j), f.secret).Below
	}
	c.hold(f, j, below, of, old, now)
}

// hold puts the node of a value that was not replaced: of an element that moved,
// of a container that changed itself or in which something changed, or none.
func (c *composition) hold(f *composing, j *joint, below *difftree.Branch, of difftree.Facts, old, now known) {
	n := difftree.Node{Below: below}
	told := j.moved && !f.unordered
	switch {
	case below == nil && of == 0 && !j.moved:
		return
	case told || below == nil && of == 0:
		n.Op = difftree.OpMove
	case of != 0:
		n.Op = difftree.OpUpdate
	}
	if n.Op != 0 {
		n.Old, n.New, n.Verdict, n.Facts = old.Value, now.Value, value.Changed, difftree.HasOld|difftree.HasNew|of
		if below != nil || of != 0 {
			n.Facts |= difftree.Own
		}
		if told || of != 0 {
			n.Facts |= difftree.IsChange
		}
	}
	if j.moved {
		n.Facts |= difftree.Moved
	}
	c.place(f, j, n)
}

// put places a node of one of the diffs, or a new one, with a copy of what is
// inside it.
func (c *composition) put(f *composing, j *joint, n difftree.Node) {
	n = c.copied(n, c.guess(f, j), f.secret)
	n.Facts &^= difftree.Moved
	if j.moved {
		n.Facts |= difftree.Moved
	}
	c.place(f, j, n)
}

// place records a node, where it is now.
func (c *composition) place(f *composing, j *joint, n difftree.Node) {
	n.Key, n.OldIndex, n.NewIndex = j.key, difftree.ClampIndex(j.oldAt), difftree.ClampIndex(j.newAt)
	if n.Facts.Has(difftree.IsChange) {
		n.Verdict = c.verdict(n.Verdict, c.guess(f, j))
	}
	switch {
	case j.end == came && f.inserts:
		n.Op = difftree.OpInsert
	case j.end == went && f.inserts:
		n.Op = difftree.OpRemove
	}
	if f.kind == value.KindObject {
		f.nulls(j, &n)
	}
	c.found = append(c.found, n)
}

// nulls gives a member that came or went the null that counts as missing on the
// other side, if the container is known to have one there.
func (f *composing) nulls(j *joint, n *difftree.Node) {
	switch old, now := f.before(j), f.behind(j); {
	case j.end == came && f.old.ok:
		n.Old, n.Facts = old.Value, n.Facts&^difftree.HasOld
		if old.ok {
			n.Facts |= difftree.HasOld
		}
	case j.end == went && f.now.ok:
		n.New, n.Facts = now.Value, n.Facts&^difftree.HasNew
		if now.ok {
			n.Facts |= difftree.HasNew
		}
	}
}

// guess reports whether that this element became that one was a guess of either
// diff.
func (c *composition) guess(f *composing, j *joint) bool {
	first, second := j.nodes()
	return f.guess || c.guessed(first, f.kind) || c.guessed(second, f.kind)
}

// before is what the container had at a place before the first diff, if that is
// known.
func (f *composing) before(j *joint) known { return f.old.child(f.kind, j.key, j.oldAt) }

// behind is what it has there after the second.
func (f *composing) behind(j *joint) known { return f.now.child(f.kind, j.key, j.newAt) }

func (k known) child(in value.Kind, key string, at int) known {
	switch {
	case !k.ok || k.Kind() != in:
		return known{}
	case in == value.KindArray:
		return known{k.Elem(at), at < k.Len()}
	}
	v, ok := k.Lookup(key)
	return known{v, ok}
}

// after is what the second diff makes of a value that the first one left.
func (c *composition) after(f *composing, j *joint, v value.Value) (value.Value, *Error) {
	n := j.secondNode()
	if n == nil {
		return v, nil
	}
	if now := f.behind(j); now.ok && !n.Whole() {
		return now.Value, nil
	}
	if now, err := applied(j.second, v); err == nil {
		return now, nil
	} else if !c.hides(j) {
		err.Op = "compose"
		return now, err
	}
	return v, c.misfit(j, false) // the error of applied knows the secrets of the second diff only
}

// hides says whether the first diff has a secret at a place or above it.
func (c *composition) hides(j *joint) bool {
	first, _ := j.nodes()
	return first != nil && first.Secret() || slices.ContainsFunc(c.open[1:], func(f composing) bool { return f.secret })
}

// beforehand is what the first diff made a value of that the second one starts
// from.
func (c *composition) beforehand(f *composing, j *joint, v value.Value) (value.Value, *Error) {
	n, _ := j.nodes()
	if n == nil {
		return v, nil
	}
	if old := f.before(j); old.ok && !n.Whole() {
		return old.Value, nil
	}
	v, err := undone(j.first, v)
	if err != nil {
		return v, c.misfit(j, false)
	}
	return v, nil
}

func (j *joint) secondNode() *difftree.Node {
	_, second := j.nodes()
	return second
}
