package diff

import (
	"iter"

	"github.com/propalg/propalg/internal/difftree"
)

// Changes iterates over the changes in path order.
//
// Members are in order of key, elements in order of index, and a change of a
// container's own marks is before the changes inside it. A subtree that was added or
// removed is one change.
func (d Diff) Changes() iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for s := d.root(); s.In != nil; s = s.Next() {
			if s.Node().Facts.Has(difftree.IsChange) && !yield(Change{s.Handle()}) {
				return
			}
		}
	}
}

// Leaves iterates over the changes like [Diff.Changes], but splits added and removed
// subtrees.
//
// Each scalar and each empty container in such a subtree is one change. Members that
// count as missing are left out, and so are dependencies of the containers above.
func (d Diff) Leaves() iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for c := range d.Changes() {
			if !yieldLeaves(c.at.Place(), yield) {
				return
			}
		}
	}
}

// yieldLeaves goes through a subtree as through a diff, making the branches that
// hang from a spot as it comes to them. Nothing is hung into the diff itself.
func yieldLeaves(from difftree.Place, yield func(Change) bool) bool {
	for s := from; ; {
		if b := s.Expand(); b != nil {
			s = b.Child(0)
			continue
		}
		if !yield(Change{s.Handle()}) {
			return false
		}
		for s != from && s.At+1 == len(s.In.Nodes) {
			s = s.Container()
		}
		if s == from {
			return true
		}
		s.At++
	}
}
