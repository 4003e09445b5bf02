package diff

import (
	"iter"

	"github.com/propalg/propalg/value"
)

// Changes iterates over the changes in path order: members by key, elements by
// index, a change of a container's own marks before the changes inside it. A
// subtree that came or went is one change.
func (d Diff) Changes() iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for s := d.root(); s.in != nil; s = s.next() {
			if s.node().facts.has(isChange) && !yield(Change{s.anchor()}) {
				return
			}
		}
	}
}

// Leaves iterates over the changes as [Diff.Changes] does, but tells subtrees
// that came or went leaf by leaf: scalars, and containers with nothing in them.
// Members that count as missing are left out. (Dependencies of the containers in
// between are not told.)
func (d Diff) Leaves() iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for c := range d.Changes() {
			if !yieldLeaves(c.at.spot(), yield) {
				return
			}
		}
	}
}

// yieldLeaves goes through a subtree as through a diff, making the branches that
// hang from a spot as it comes to them. Nothing is hung into the diff itself.
func yieldLeaves(from spot, yield func(Change) bool) bool {
	for s := from; ; {
		if b := s.expand(); b != nil {
			s = spot{b, 0}
			continue
		}
		if !yield(Change{s.anchor()}) {
			return false
		}
		for s != from && s.i+1 == len(s.in.nodes) {
			s = spot{s.in.up, s.in.at}
		}
		if s == from {
			return true
		}
		s.i++
	}
}

// expand makes a branch of what is in the container that came or went at s; nil
// when it is none, or has nothing in it.
func (s spot) expand() *branch {
	n := s.node()
	v, rest := n.new, hasNew
	switch n.op {
	case OpAdd, OpInsert:
	case OpDelete, OpRemove:
		v, rest = n.old, hasOld
	case OpUpdate, OpMove:
		return nil
	}
	if v.Len() == 0 {
		return nil
	}
	b := &branch{up: s.in, at: s.i, kind: v.Kind(), rules: s.in.rules, secret: s.in.secret || v.IsSecret()}
	b.nodes = make([]node, 0, v.Len())
	leaf := func(key string, i int, x value.Value, verdict value.Verdict) {
		l := node{
			key: key, oldIx: index(i), newIx: index(i), op: n.op,
			facts: isChange | valueChanged | rest, verdict: b.rules.verdict(verdict),
		}
		if rest == hasOld {
			l.old = x
		} else {
			l.new = x
		}
		b.nodes = append(b.nodes, l)
	}
	for i, x := range v.Elems() {
		leaf("", i, x, value.Changed)
	}
	for k, x := range v.Members() {
		if !b.rules.absent(x, v.IsSecret()) {
			leaf(k, 0, x, b.rules.relation.Alone(x))
		}
	}
	if len(b.nodes) == 0 {
		return nil
	}
	return b
}
