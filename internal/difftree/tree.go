package difftree

import (
	"slices"

	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Node is a change, or a container with changes inside, or both (a container whose
// own dependencies differ).
type Node struct {
	Old, New           value.Value // of a change; handed out
	Key                string      // in an object
	Below              *Branch     // nil: nothing inside
	OldIndex, NewIndex int32       // in an array, see branch
	Facts              Facts
	Op                 Op
	Verdict            value.Verdict
}

// OldAt is the index of an element in the old array; see [Branch].
func (n *Node) OldAt() int { return int(n.OldIndex) }

// NewAt is the index of an element in the new array; see [Branch].
func (n *Node) NewAt() int { return int(n.NewIndex) }

// ClampIndex clamps i to [-1, path.MaxIndex], which no array index exceeds.
func ClampIndex(i int) int32 { return int32(max(-1, min(i, path.MaxIndex))) } //nolint:gosec // just made to fit

// Op is what happened at a place; 0 is nothing. See diff.Op.
type Op uint8

// The operations.
const (
	OpAdd Op = iota + 1
	OpDelete
	OpUpdate
	OpInsert
	OpRemove
	OpMove
)

// Invert is the operation seen from the other side.
func (o Op) Invert() Op {
	switch o {
	case OpAdd:
		return OpDelete
	case OpDelete:
		return OpAdd
	case OpInsert:
		return OpRemove
	case OpRemove:
		return OpInsert
	case OpUpdate, OpMove:
	}
	return o
}

// Facts is a set of what is known about a node.
type Facts uint16

// The facts.
const (
	IsChange Facts = 1 << iota
	HasOld
	HasNew
	ValueChanged
	SecretChanged
	DependenciesChanged
	OrderChanged
	// Own: the change is of a container itself, its dependencies, its order, or
	// where its pairing is a guess, that it is longer or shorter; what changed
	// inside it are changes of their own.
	Own
	// Moved: the element is on both sides, but not in the order in which the
	// others are. Where order is no matter of single elements that is no change.
	Moved
)

// Has reports whether f and g have a fact in common.
func (f Facts) Has(g Facts) bool { return f&g != 0 }

// Whole reports whether the node puts all of the new value in the place of the
// old one. One that only moved does so too.
func (n *Node) Whole() bool { return n.Below == nil && !n.Facts.Has(Own) }

// Removed reports whether only the old side has a value, so that the path of the node
// leads to it in the old value.
func (n *Node) Removed() bool { return n.Op == OpDelete || n.Op == OpRemove }

// Added reports whether only the new side has a value.
func (n *Node) Added() bool { return n.Op == OpAdd || n.Op == OpInsert }

// Secret reports whether either side is secret.
func (n *Node) Secret() bool { return n.Old.IsSecret() || n.New.IsSecret() }

// Same reports whether two nodes say the same, what is inside aside.
func (n *Node) Same(m *Node) bool {
	return n.Key == m.Key && n.OldAt() == m.OldAt() && n.NewAt() == m.NewAt() && n.Facts == m.Facts &&
		n.Op == m.Op && n.Verdict == m.Verdict && n.Below.Same(m.Below) &&
		n.Old.Identical(m.Old) && n.New.Identical(m.New)
}

// Branch is the differing children of a container: of an object in key order, of
// an array in the order of a merged listing, by NewAt, removed ones first.
//
// Of an array, a node with both sides has their indexes, and it may have other
// ones on either side although it did not move, since others were added or removed.
// A removed node has in NewAt the start of its gap in the new array, one that was
// added has in OldAt that of its gap in the old one. A gap is what lies between two elements that are in order.
//
// Elements without a node are in order, and are all that is left: the k-th old
// one is the k-th new one. So a branch is exact, whatever the array holds.
//
//	old  a b c d e        removed b: OldAt 1, NewAt 1
//	new  a x d c' e       inserted x: OldAt 1, NewAt 1
//	                      c moved: OldAt 2, NewAt 3, and changed below
//
// Arrays compared index by index have nodes with OldAt == NewAt only, and what
// was added or removed is at the end.
type Branch struct {
	Up               *Branch // nil: the top branch
	At               int     // the container's node is up.nodes[at]
	Nodes            []Node
	OldSize, NewSize int32 // of an array
	Kind             value.Kind
	Rules            Rules
	Unordered        bool // that elements moved is told of the array, not of them
	Secret           bool // the container, or one above it, is secret, on either side
}

// OldLen and newLen are the lengths of an array.
func (b *Branch) OldLen() int { return int(b.OldSize) }
func (b *Branch) NewLen() int { return int(b.NewSize) }

func (b *Branch) Same(c *Branch) bool {
	if b == nil || c == nil {
		return b == c
	}
	return b.Kind == c.Kind && len(b.Nodes) == len(c.Nodes) &&
		b.OldLen() == c.OldLen() && b.NewLen() == c.NewLen() && b.Unordered == c.Unordered && b.Secret == c.Secret
}

// Attach takes nodes for the branch, and makes it the container of what is inside them.
func (b *Branch) Attach(nodes []Node) {
	b.Nodes = nodes
	for i := range nodes {
		if below := nodes[i].Below; below != nil {
			below.Up, below.At = b, i
		}
	}
}

// Shuffles reports whether elements changed their order.
func (b *Branch) Shuffles() bool {
	return slices.ContainsFunc(b.Nodes, func(n Node) bool { return n.OldAt() != n.NewAt() || n.Facts.Has(Moved) })
}

// Reshapes reports whether the diff fits an array of the old length only.
func (b *Branch) Reshapes() bool { return b.OldLen() != b.NewLen() || b.Shuffles() }

// TakenIndexes are the indexes of the old elements that nodes take, ascending.
func (b *Branch) TakenIndexes() []int {
	taken := make([]int, 0, len(b.Nodes))
	for i := range b.Nodes {
		if n := &b.Nodes[i]; !n.Added() {
			taken = append(taken, n.OldAt())
		}
	}
	slices.Sort(taken)
	return taken
}

// CompareElements compares nodes of an array by their places in a merged listing.
func CompareElements(n, m Node) int {
	switch {
	case n.NewAt() != m.NewAt():
		return n.NewAt() - m.NewAt()
	case n.Removed() != m.Removed():
		if n.Removed() {
			return -1
		}
		return 1
	}
	return n.OldAt() - m.OldAt()
}

// Step is the step to a node, on its old or its new side.
func (b *Branch) Step(i int, old bool) path.Step {
	n := &b.Nodes[i]
	switch {
	case b.Kind == value.KindObject:
		return path.Key(n.Key)
	case old:
		return path.Index(n.OldAt())
	}
	return path.Index(n.NewAt())
}

// Child is the place of node i.
func (b *Branch) Child(i int) Place { return Place{In: b, At: i} }

// Place is a node as an index in its branch. The zero Place is none.
type Place struct {
	In *Branch
	At int
}

// Handle is a place as users hold it; the zero Handle is none.
type Handle struct {
	In veil.Pointer[Branch]
	At int
}

func (s Place) Handle() Handle { return Handle{veil.Hide(s.In), s.At} }

func (a Handle) Place() Place {
	return a.In.Open().Child(a.At)
}

// State walks a set of patterns down to the anchor, which is not the zero one.
func (a Handle) State(set *path.Set) path.State { return a.Place().State(set) }

// Container is the place of the container that the place is in; of the root's it is
// the zero Place.
func (s Place) Container() Place { return Place{In: s.In.Up, At: s.In.At} }

// Node is the node at the place.
func (s Place) Node() *Node { return &s.In.Nodes[s.At] }

// Secret reports whether either side is secret, itself or by a container above it.
func (s Place) Secret() bool { return s.In.Secret || s.Node().Secret() }

// Next is the place that comes after s in path order, what is inside s first.
func (s Place) Next() Place {
	if below := s.Node().Below; below != nil {
		return below.Child(0)
	}
	return s.NextOutside()
}

// NextOutside is the place that comes after s and all that is inside it.
func (s Place) NextOutside() Place {
	for s.In != nil && s.At+1 == len(s.In.Nodes) {
		s = s.Container()
	}
	s.At++
	return s
}

// InlineSteps is how long a path may be before building it takes memory of its own.
const InlineSteps = 16

// Path is the path of a place on one side.
func (s Place) Path(old bool) path.Path {
	var few [InlineSteps]path.Step
	return path.Of(s.Steps(few[:0], old)...)
}

func (s Place) Steps(steps []path.Step, old bool) []path.Step {
	for ; s.In != nil && s.In.Up != nil; s = s.Container() {
		steps = append(steps, s.In.Step(s.At, old))
	}
	slices.Reverse(steps)
	return steps
}

// Visible is how many steps of the place's path lead down to the outermost secret
// above it, or -1 when there is none.
func (s Place) Visible() int {
	depth, above := 0, 0 // steps in all, and those below the outermost secret
	for ; s.In != nil && s.In.Up != nil; s = s.Container() {
		depth++
		if s.In.Secret {
			above = depth
		}
	}
	if above == 0 {
		return -1
	}
	return depth - above
}
