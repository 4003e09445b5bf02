package difftree

import (
	"iter"

	"github.com/propalg/propalg/value"
)

// Record describes one place of a diff, without what is inside it, for code that writes diffs
// in other formats and reads them back. Op, and the container of the place, determine which
// of its fields are used.
type Record struct {
	// Key is the key of a member. Below a secret it is secret too.
	Key string
	// OldAt and NewAt are the indexes of an element in the old and in the new array. They
	// are equal in arrays that are compared index by index. In other arrays, OldAt of an
	// added element is one more than the old index of the nearest element before it that
	// is on both sides and did not move, or 0 if there is none. NewAt of a removed element
	// is one more than the new index of such an element, or 0.
	OldAt, NewAt int
	// Op is the operation, or 0 for a container that only has changes inside. In an
	// unordered array OpMove does not count as a change.
	Op Op
	// Old and New are the values of the sides that Op has: both for OpUpdate and
	// OpMove.
	Old, New value.Value
	// OverNull reports whether the other side of an OpAdd or OpDelete is a null that
	// counts as missing.
	OverNull bool
	// Moved reports whether the element moved among the others. Op need not be OpMove,
	// as when the element was also updated.
	Moved bool
	// Own is the part of OwnFacts that changed of a container itself. If it is not zero, the
	// record changes nothing else of the container; changes of its contents are records
	// of their own.
	Own Facts
	// Verdict is the verdict of the change. Of a record that is read back only [value.Maybe]
	// counts, for a pair of elements that was matched by guess; all others follow from
	// the values.
	Verdict value.Verdict
}

// OwnFacts are what can change of a container itself: its dependencies, the order of elements
// of an unordered array, and, as ValueChanged, the length of an array whose elements were
// matched by guess.
const OwnFacts = DependenciesChanged | OrderChanged | ValueChanged

// Inside describes a container in which something changed.
type Inside struct {
	Kind           value.Kind // array or object
	OldLen, NewLen int        // of an array
	Unordered      bool       // moves are reported for the array, not for its elements
	Secret         bool       // the contents are secret on either side
}

// Record returns the record of the place.
func (s Place) Record() Record {
	n := s.Node()
	r := Record{
		Key: n.Key, OldAt: n.OldAt(), NewAt: n.NewAt(), Op: n.Op, Old: n.Old, New: n.New, Verdict: n.Verdict,
		Moved: n.Facts.Has(Moved), OverNull: (n.Added() || n.Removed()) && n.Facts.Has(HasOld) && n.Facts.Has(HasNew),
	}
	if n.Facts.Has(Own) {
		r.Own = n.Facts & OwnFacts
	}

	return r
}

// Inside describes the container at the place, if there are changes inside it. Otherwise it
// returns false.
func (s Place) Inside() (Inside, bool) {
	b := s.Node().Below
	if b == nil {
		return Inside{}, false
	}
	return Inside{Kind: b.Kind, OldLen: b.OldLen(), NewLen: b.NewLen(), Unordered: b.Unordered, Secret: b.Secret}, true
}

// Places iterates over the places of the tree below a root in path order, with the number of
// containers above each: the root first, and every container before the changes inside it.
// Below the zero Place there are none.
func Places(root Place) iter.Seq2[Place, int] {
	return func(yield func(Place, int) bool) {
		s, depth := root, 0
		for s.In != nil {
			if !yield(s, depth) {
				return
			}
			if below := s.Node().Below; below != nil {
				s, depth = below.Child(0), depth+1
				continue
			}
			for s.In != nil && s.At+1 == len(s.In.Nodes) {
				s, depth = s.Container(), depth-1
			}
			s.At++
		}
	}
}
