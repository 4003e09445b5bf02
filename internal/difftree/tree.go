package difftree

import (
	"slices"

	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Node is a change, a container with changes inside, or both (a container whose own
// dependencies differ).
type Node struct {
	Old, New           value.Value // of a change; handed out
	Key                string      // in an object
	Below              *Branch     // nil: nothing inside
	OldIndex, NewIndex int32       // in an array, see branch
	Facts              Facts
	Op                 Op
	Verdict            value.Verdict
}

// OldAt returns the index of an element in the old array; see [Branch].
func (n *Node) OldAt() int { return int(n.OldIndex) }

// NewAt returns the index of an element in the new array; see [Branch].
func (n *Node) NewAt() int { return int(n.NewIndex) }

// ClampIndex clamps i to [-1, path.MaxIndex], which no array index exceeds.
func ClampIndex(i int) int32 { return int32(max(-1, min(i, path.MaxIndex))) } //nolint:gosec // just made to fit

// Op is the operation at a place, or 0; see diff.Op.
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

// Invert returns the operation of the inverse change.
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
	// Own means that the change is one of a container itself: of its dependencies, its
	// order or, if its elements were matched by guess, its length. Changes inside are
	// separate.
	Own
	// Moved means that the element is on both sides, in another order among the others.
	// In unordered arrays this does not count as a change.
	Moved
)

// Has reports whether f and g have a fact in common.
func (f Facts) Has(g Facts) bool { return f&g != 0 }

// Whole reports whether the node replaces the old value by the new one as a whole, as
// one that only moved does too.
func (n *Node) Whole() bool { return n.Below == nil && !n.Facts.Has(Own) }

// Removed reports whether only the old side has a value. The path of the node is then
// that in the old value.
func (n *Node) Removed() bool { return n.Op == OpDelete || n.Op == OpRemove }

// Added reports whether only the new side has a value.
func (n *Node) Added() bool { return n.Op == OpAdd || n.Op == OpInsert }

// IsShifted reports whether a node is an element with another index on either side.
func (n *Node) IsShifted() bool { return !n.Added() && !n.Removed() && n.OldIndex != n.NewIndex }

// IsReordered reports whether nothing changed of a container itself but the order of its
// elements, which the protocol has no entry for.
func (n *Node) IsReordered() bool {
	return n.Facts&(Own|OrderChanged|ValueChanged|DependenciesChanged) == Own|OrderChanged
}

// MarksOnly reports whether the change, in a container of a kind, is one of marks alone:
// the contents are surely the same, and at the same place. What differs inside a container
// that has changes of its own is not looked at.
func (n *Node) MarksOnly(r Rules, in value.Kind) bool {
	switch {
	case n.Added(), n.Removed(): // a null that is a secret counts as there, one that is none as missing
		return in == value.KindObject && r.Relation&value.NullAsMissing != 0 && n.Old.IsNull() && n.New.IsNull()
	case !n.Facts.Has(SecretChanged | DependenciesChanged), n.Facts.Has(OrderChanged | Moved), n.IsShifted():
		return false
	case n.Facts.Has(Own):
		return !n.Facts.Has(ValueChanged)
	}

	return (r.Relation|value.IgnoreSecrets|value.IgnoreDependencies).Compatible(n.Old, n.New) == value.Same
}

// Secret reports whether either side is secret.
func (n *Node) Secret() bool { return n.Old.IsSecret() || n.New.IsSecret() }

// Same reports whether two nodes are equal, without the branches below them.
func (n *Node) Same(m *Node) bool {
	return n.Key == m.Key && n.OldAt() == m.OldAt() && n.NewAt() == m.NewAt() && n.Facts == m.Facts &&
		n.Op == m.Op && n.Verdict == m.Verdict && n.Below.Same(m.Below) &&
		sameSide(n.Old, m.Old) && sameSide(n.New, m.New)
}

// sameSide is Identical for values that are taken out of containers: their secret marks are
// both their own or both inherited.
func sameSide(v, w value.Value) bool { return v.OwnSecret() == w.OwnSecret() && v.Identical(w) }

// Branch holds the differing children of a container: of an object in key order, of an
// array in the order of a merged listing, by NewAt, removed ones first.
//
// In an array, a node with both sides has its indexes on both. They may differ even if
// the element did not move, since others were added or removed. The NewAt of a removed
// node is the start of its gap in the new array, and the OldAt of an added node is the
// start of its gap in the old one. A gap is the range between two elements that are in
// order.
//
// All elements without a node are in order: the k-th old one is the k-th new one. So a
// branch is exact, whatever the array holds.
//
//	old  a b c d e        removed b: OldAt 1, NewAt 1
//	new  a x d c' e       inserted x: OldAt 1, NewAt 1
//	                      c moved: OldAt 2, NewAt 3, and changed below
//
// Arrays compared index by index only have nodes with OldAt == NewAt, with added and
// removed elements at the end.
type Branch struct {
	Up               *Branch // nil: the top branch
	At               int     // the container's node is up.nodes[at]
	Nodes            []Node
	OldSize, NewSize int32 // of an array
	Kind             value.Kind
	Rules            Rules
	Unordered        bool // moves are reported for the array, not for its elements
	Secret           bool // the container, or one above it, is secret, on either side
}

// OldLen returns the length of an array in the old value.
func (b *Branch) OldLen() int { return int(b.OldSize) }

// NewLen returns the length of an array in the new value.
func (b *Branch) NewLen() int { return int(b.NewSize) }

// Same reports whether two branches agree in all but what their nodes hold.
func (b *Branch) Same(c *Branch) bool {
	if b == nil || c == nil {
		return b == c
	}
	return b.Kind == c.Kind && len(b.Nodes) == len(c.Nodes) &&
		b.OldLen() == c.OldLen() && b.NewLen() == c.NewLen() && b.Unordered == c.Unordered && b.Secret == c.Secret
}

// Attach sets the nodes of the branch and makes it the container of their branches.
func (b *Branch) Attach(nodes []Node) {
	b.Nodes = nodes
	for i := range nodes {
		if below := nodes[i].Below; below != nil {
			below.Up, below.At = b, i
		}
	}
}

// Shuffles reports whether an element moved or has a new index.
func (b *Branch) Shuffles() bool {
	return slices.ContainsFunc(b.Nodes, func(n Node) bool { return n.OldAt() != n.NewAt() || n.Facts.Has(Moved) })
}

// Reshapes reports whether the diff only fits an array of the old length.
func (b *Branch) Reshapes() bool { return b.OldLen() != b.NewLen() || b.Shuffles() }

// TakenIndexes returns the indexes of the old elements that have nodes, ascending.
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

// CompareElements returns the order of two nodes of an array in a merged listing.
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

// Step returns the step to node i, on its old or its new side.
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

// Child returns the place of node i.
func (b *Branch) Child(i int) Place { return Place{In: b, At: i} }

// Place is a node as an index in its branch. The zero Place is not a node.
type Place struct {
	In *Branch
	At int
}

// Handle is a place in the form that users hold. The zero Handle is not a place.
type Handle struct {
	In veil.Pointer[Branch]
	At int
}

// Handle returns the place as printers cannot follow it.
func (s Place) Handle() Handle { return Handle{veil.Hide(s.In), s.At} }

// Place returns the place.
func (a Handle) Place() Place {
	return a.In.Open().Child(a.At)
}

// State returns the state of a set of patterns at the place. It must not be the zero
// Handle.
func (a Handle) State(set *path.Set) path.Matcher { return a.Place().State(set) }

// Container returns the place of the enclosing container, or the zero Place for the
// root.
func (s Place) Container() Place { return Place{In: s.In.Up, At: s.In.At} }

// Node returns the node at the place.
func (s Place) Node() *Node { return &s.In.Nodes[s.At] }

// Secret reports whether either side is secret, itself or because of a container above
// it.
func (s Place) Secret() bool { return s.In.Secret || s.Node().Secret() }

// Next returns the place after s in path order. Places inside s are first.
func (s Place) Next() Place {
	if below := s.Node().Below; below != nil {
		return below.Child(0)
	}
	return s.NextOutside()
}

// NextOutside returns the place after s and everything inside it.
func (s Place) NextOutside() Place {
	for s.In != nil && s.At+1 == len(s.In.Nodes) {
		s = s.Container()
	}
	s.At++
	return s
}

// InlineSteps is the length of the longest path that is built without an allocation of
// its own.
const InlineSteps = 16

// Path returns the path of a place on one side.
func (s Place) Path(old bool) path.Path {
	var few [InlineSteps]path.Step
	return path.Of(s.Steps(few[:0], old)...)
}

// Steps appends the steps to the place on one side.
func (s Place) Steps(steps []path.Step, old bool) []path.Step {
	for ; s.In != nil && s.In.Up != nil; s = s.Container() {
		steps = append(steps, s.In.Step(s.At, old))
	}
	slices.Reverse(steps)
	return steps
}

// Visible returns the number of steps to the outermost secret above the place, or -1 if
// there is none.
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

// Descend visits the places inside a container, each before those inside it. visit is
// given the step to a place, and the state that it returned for the place above, which is
// the given one for the children of b. It returns the state for the places inside, and
// whether to visit them.
func Descend[S any](b *Branch, state S, visit func(s Place, step path.Step, above S) (here S, inside bool)) {
	if b == nil {
		return
	}

	for i := range b.Nodes {
		s := b.Child(i)
		here, inside := visit(s, b.Step(i, s.Node().Removed()), state)
		if inside {
			Descend(s.Node().Below, here, visit)
		}
	}
}

// Expand returns a branch with the children of the container that was added or removed
// at s, or nil if the value is not a container or is empty.
func (s Place) Expand() *Branch {
	n := s.Node()
	v, rest := n.New, HasNew
	switch n.Op {
	case OpAdd, OpInsert:
	case OpDelete, OpRemove:
		v, rest = n.Old, HasOld
	case OpUpdate, OpMove:
		return nil
	}
	if v.Len() == 0 {
		return nil
	}

	b := &Branch{Up: s.In, At: s.At, Kind: v.Kind(), Rules: s.In.Rules, Secret: s.In.Secret || v.IsSecret()}
	b.Nodes = make([]Node, 0, v.Len())
	leaf := func(key string, i int, x value.Value, verdict value.Verdict) {
		l := Node{
			Key: key, OldIndex: ClampIndex(i), NewIndex: ClampIndex(i), Op: n.Op,
			Facts: IsChange | ValueChanged | rest, Verdict: b.Rules.ResultOf(verdict),
		}
		if rest == HasOld {
			l.Old = x
		} else {
			l.New = x
		}
		b.Nodes = append(b.Nodes, l)
	}
	for i, x := range v.Elems() {
		leaf("", i, x, value.Changed)
	}
	for k, x := range v.Members() {
		if !b.Rules.Absent(x, v.IsSecret()) {
			leaf(k, 0, x, value.Internal.Alone(b.Rules.Relation, x))
		}
	}

	if len(b.Nodes) == 0 {
		return nil
	}
	return b
}

// Sides returns the values to show. An added value has no old side, even if it replaced
// a null that counts as missing.
func (n *Node) Sides() (old, now value.Value, hasOld, hasNow bool) {
	hasOld, hasNow = n.Facts.Has(HasOld), n.Facts.Has(HasNew)
	switch n.Op {
	case OpAdd, OpInsert:
		hasOld = false
	case OpDelete, OpRemove:
		hasNow = false

	case OpUpdate, OpMove:
	}
	return n.Old, n.New, hasOld, hasNow
}
