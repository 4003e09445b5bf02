package diff

import (
	"slices"

	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// A diff is a tree that mirrors the values where they differ:
//
//	top branch ── node of the root
//	                └ branch of the root's members ── node "a", a change
//	                                               ── node "b", not one itself
//	                                                    └ branch ── node [0], a change
//
// A node is a change, or a container with changes inside, or both (a container
// whose own dependencies differ). A branch knows the node that it hangs from, so
// that a place in the tree, a branch and an index, is enough to go on from and
// to build a path from: that is all that a Change and an iteration hold. Depth
// costs no stack anywhere.
type node struct {
	old, new     value.Value // of a change; handed out
	key          string      // in an object
	below        *branch     // nil: nothing inside
	oldIx, newIx int32       // in an array, see branch
	facts        facts
	op           Op
	verdict      value.Verdict
}

// oldAt and newAt are where an element stands, see branch.
func (n *node) oldAt() int { return int(n.oldIx) }
func (n *node) newAt() int { return int(n.newIx) }

// index is an index or a length as the tree has it. What no array reaches, and path.MaxIndex is
// the first of those, is that, or on the other side of all arrays -1.
func index(i int) int32 { return int32(max(-1, min(i, path.MaxIndex))) } //nolint:gosec // just made to fit

type facts uint16

const (
	isChange facts = 1 << iota
	hasOld
	hasNew
	valueChanged
	secretChanged
	dependenciesChanged
	orderChanged
	// own: the change is of a container itself, its dependencies, its order, or
	// where its pairing is a guess, that it is longer or shorter; what changed
	// inside it are changes of their own.
	own
	// moved: the element is on both sides, but not in the order in which the
	// others are. Where order is no matter of single elements that is no change.
	moved
)

func (f facts) has(g facts) bool { return f&g != 0 }

// whole reports whether the node puts all of the new value in the place of the
// old one. One that only moved does so too.
func (n *node) whole() bool { return n.below == nil && !n.facts.has(own) }

// gone reports whether the change took something away, so that it is only in the
// old value that its path leads to it.
func (n *node) gone() bool { return n.op == OpDelete || n.op == OpRemove }

// came reports whether the change brought something where nothing was.
func (n *node) came() bool { return n.op == OpAdd || n.op == OpInsert }

func (n *node) secret() bool { return n.old.IsSecret() || n.new.IsSecret() }

// same reports whether two nodes say the same, what is inside aside.
func (n *node) same(m *node) bool {
	return n.key == m.key && n.oldAt() == m.oldAt() && n.newAt() == m.newAt() && n.facts == m.facts &&
		n.op == m.op && n.verdict == m.verdict && n.below.same(m.below) &&
		n.old.Identical(m.old) && n.new.Identical(m.new)
}

// branch is the differing children of a container: of an object in key order, of
// an array in the order of a merged listing, by newAt, what is gone first.
//
// Of an array, a node with both sides has their indexes, and it may have other
// ones on either side although it did not move, since others came or went. A
// node that is gone has in newAt the place before which it stood, the start of
// its gap in the new array; one that came has the same of the old array in
// oldAt. A gap is what lies between two elements that are in order.
//
// Elements without a node are in order, and are all that is left: the k-th old
// one is the k-th new one. So a branch is exact, whatever the array holds.
//
//	old  a b c d e        removed b: oldAt 1, newAt 1
//	new  a x d c' e       inserted x: oldAt 1, newAt 1
//	                      c moved: oldAt 2, newAt 3, and changed below
//
// Arrays compared index by index have nodes with oldAt == newAt only, and what
// came or went stands at the end.
type branch struct {
	up               *branch // nil: the top branch
	at               int     // the container's node is up.nodes[at]
	nodes            []node
	oldSize, newSize int32 // of an array
	kind             value.Kind
	rules            rules
	unordered        bool // that elements moved is told of the array, not of them
	secret           bool // the container, or one above it, is secret, on either side
}

// oldLen and newLen are the lengths of an array.
func (b *branch) oldLen() int { return int(b.oldSize) }
func (b *branch) newLen() int { return int(b.newSize) }

func (b *branch) same(c *branch) bool {
	if b == nil || c == nil {
		return b == c
	}
	return b.kind == c.kind && len(b.nodes) == len(c.nodes) &&
		b.oldLen() == c.oldLen() && b.newLen() == c.newLen() && b.unordered == c.unordered && b.secret == c.secret
}

// hang takes nodes for the branch, and hangs it above what is inside them.
func (b *branch) hang(nodes []node) {
	b.nodes = nodes
	for i := range nodes {
		if below := nodes[i].below; below != nil {
			below.up, below.at = b, i
		}
	}
}

// shuffles reports whether elements stand elsewhere than they did.
func (b *branch) shuffles() bool {
	return slices.ContainsFunc(b.nodes, func(n node) bool { return n.oldAt() != n.newAt() || n.facts.has(moved) })
}

// reshapes reports whether the diff fits an array of the old length only.
func (b *branch) reshapes() bool { return b.oldLen() != b.newLen() || b.shuffles() }

// taken are the indexes of the old elements that nodes take, ascending.
func (b *branch) taken() []int {
	taken := make([]int, 0, len(b.nodes))
	for i := range b.nodes {
		if n := &b.nodes[i]; !n.came() {
			taken = append(taken, n.oldAt())
		}
	}
	slices.Sort(taken)
	return taken
}

// inOrder compares nodes of an array by where they stand in a merged listing.
func inOrder(n, m node) int {
	switch {
	case n.newAt() != m.newAt():
		return n.newAt() - m.newAt()
	case n.gone() != m.gone():
		if n.gone() {
			return -1
		}
		return 1
	}
	return n.oldAt() - m.oldAt()
}

// step is the step to a node, on its old or its new side.
func (b *branch) step(i int, old bool) path.Step {
	n := &b.nodes[i]
	switch {
	case b.kind == value.KindObject:
		return path.Key(n.key)
	case old:
		return path.Index(n.oldAt())
	}
	return path.Index(n.newAt())
}

// spot is a place in the tree; the zero spot is none.
type spot struct {
	in *branch
	i  int
}

func (d Diff) root() spot {
	return spot{d.top.Open(), 0}
}

// anchor is a spot as users hold it; the zero anchor is none.
type anchor struct {
	in veil.Pointer[branch]
	i  int
}

func (s spot) anchor() anchor { return anchor{veil.Hide(s.in), s.i} }

func (a anchor) spot() spot {
	return spot{a.in.Open(), a.i}
}

// state walks a set of patterns down to the anchor, which is not the zero one.
func (a anchor) state(set *path.Set) path.State { return a.spot().state(set) }

func (s spot) node() *node { return &s.in.nodes[s.i] }

// next is the spot that comes after s in path order, what is inside s first.
func (s spot) next() spot {
	if below := s.node().below; below != nil {
		return spot{below, 0}
	}
	return s.beyond()
}

// beyond is the spot that comes after s and all that is inside it.
func (s spot) beyond() spot {
	for s.in != nil && s.i+1 == len(s.in.nodes) {
		s = spot{s.in.up, s.in.at}
	}
	s.i++
	return s
}

// fewSteps is how long a path may be before building it takes memory of its own.
const fewSteps = 16

// path is the path of a spot on one side.
func (s spot) path(old bool) path.Path {
	var few [fewSteps]path.Step
	return path.Of(s.steps(few[:0], old)...)
}

func (s spot) steps(steps []path.Step, old bool) []path.Step {
	for ; s.in != nil && s.in.up != nil; s = (spot{s.in.up, s.in.at}) {
		steps = append(steps, s.in.step(s.i, old))
	}
	slices.Reverse(steps)
	return steps
}

// visible is how many steps of the spot's path lead down to the outermost secret
// above it, or -1 when there is none.
func (s spot) visible() int {
	depth, above := 0, 0 // steps in all, and those below the outermost secret
	for ; s.in != nil && s.in.up != nil; s = (spot{s.in.up, s.in.at}) {
		depth++
		if s.in.secret {
			above = depth
		}
	}
	if above == 0 {
		return -1
	}
	return depth - above
}
