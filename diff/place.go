package diff

import (
	"iter"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Place is one place in the tree of a diff: a change, or a container that has
// changes inside, or both. It is for those who write a diff down; see [Builder]
// for the way back. The zero Place is none.
type Place struct {
	at    difftree.Handle
	depth int
}

// Places iterates over all places of the diff in order, the root first, every
// container before what is inside it.
func (d Diff) Places() iter.Seq[Place] {
	return func(yield func(Place) bool) {
		s, depth := d.root(), 0
		for s.In != nil {
			if !yield(Place{s.Handle(), depth}) {
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

// Depth is how many containers are above the place.
func (p Place) Depth() int { return p.depth }

// Change is the change at the place, and false when there is none: in a container
// that has changes inside, and at an element that moved where order is told of
// the array.
func (p Place) Change() (Change, bool) {
	if p.at.In.Open() == nil || !p.at.Place().Node().Facts.Has(difftree.IsChange) {
		return Change{}, false
	}
	return Change{p.at}, true
}

// Shown is where the place is, as texts may show it: like [Change.Shown]. It is
// built by this call.
func (p Place) Shown() path.Shown {
	if p.at.In.Open() == nil {
		return path.Shown{}
	}
	s := p.at.Place()
	return path.Show(s.Path(s.Node().Removed()), s.Visible())
}

// Record is what the diff says at the place, what is inside it aside. Its key
// stands there in full, below secrets too; show [Place.Shown] instead.
func (p Place) Record() Record {
	if p.at.In.Open() == nil {
		return Record{}
	}
	n := p.at.Place().Node()
	r := Record{
		Key: n.Key, OldAt: n.OldAt(), NewAt: n.NewAt(), Op: Op(n.Op), Old: n.Old, New: n.New, Verdict: n.Verdict,
		Moved: n.Facts.Has(difftree.Moved), OverNull: (n.Added() || n.Removed()) && n.Facts.Has(difftree.HasOld) && n.Facts.Has(difftree.HasNew),
	}
	if n.Facts.Has(difftree.Own) {
		r.Own = ownOf(n.Facts)
	}
	return r
}

// Inside is what the place is as a container with changes inside, and false when
// nothing inside it changed.
func (p Place) Inside() (Inside, bool) {
	if p.at.In.Open() == nil || p.at.Place().Node().Below == nil {
		return Inside{}, false
	}
	b := p.at.Place().Node().Below
	return Inside{Kind: b.Kind, OldLen: b.OldLen(), NewLen: b.NewLen(), Unordered: b.Unordered, Secret: b.Secret}, true
}

// Record is what a diff says at one place. Which of its fields mean something
// follows from Op and from what the place is in.
type Record struct {
	// Key of a member.
	Key string
	// OldAt and NewAt are the indexes of an element on either side. Of one that
	// came, OldAt is where its gap begins: behind the last element before it that
	// is on both sides and did not move; of one that went, NewAt is. Index by
	// index both are equal.
	OldAt, NewAt int
	// Op is what happened; none in a container that only has changes inside.
	// OpMove of an element in an unordered array is no change.
	Op Op
	// Old and New are the sides that Op speaks of: both of OpUpdate and OpMove.
	Old, New value.Value
	// OverNull: the other side of an OpAdd or OpDelete has a null that counts as
	// missing.
	OverNull bool
	// Moved: the element is not in the order of the others. OpMove says that too.
	Moved bool
	// Own is what changed of a container itself. A record of which that is not
	// zero, or that has both an Op and something inside, is not about the whole.
	Own Own
	// Verdict of a change. A Builder takes [value.Maybe] only, as the word of who
	// compared that it is a guess; else it finds it out.
	Verdict value.Verdict
}

// Own is what changed of a container itself, not of what is inside it. It is a
// set; combine with |.
type Own uint8

// What can change of a container.
const (
	OwnDependencies Own = 1 << iota // its dependencies
	OwnOrder                        // the order of elements of an unordered array
	OwnLength                       // the length of an array whose elements could only be guessed at
)

func ownOf(f difftree.Facts) Own {
	var o Own
	if f.Has(difftree.DependenciesChanged) {
		o |= OwnDependencies
	}
	if f.Has(difftree.OrderChanged) {
		o |= OwnOrder
	}
	if f.Has(difftree.ValueChanged) {
		o |= OwnLength
	}
	return o
}

func (o Own) facts() difftree.Facts {
	f := difftree.Own
	if o&OwnDependencies != 0 {
		f |= difftree.DependenciesChanged
	}
	if o&OwnOrder != 0 {
		f |= difftree.OrderChanged
	}
	if o&OwnLength != 0 {
		f |= difftree.ValueChanged
	}
	return f
}

// Inside is a container that has changes inside.
type Inside struct {
	Kind           value.Kind // array or object
	OldLen, NewLen int        // of an array
	Unordered      bool       // that elements moved is told of the array, not of them
	Secret         bool       // what is inside is secret, on either side
}

// Unknowns is how the changes count that may turn out to be none.
func (d Diff) Unknowns() Unknowns { return Unknowns(d.rules.Unknowns) }
