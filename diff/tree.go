package diff

import (
	"slices"

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
	oldAt, newAt int         // in an array; the place where it would be, on the side that has it not
	below        *branch     // nil: nothing inside
	facts        facts
	op           Op
	verdict      value.Verdict
}

type facts uint8

const (
	isChange facts = 1 << iota
	hasOld
	hasNew
	valueChanged
	secretChanged
	dependenciesChanged
	orderChanged
	// marksOnly: the change is of the marks of a container; what changed inside
	// it are changes of their own.
	marksOnly
)

func (f facts) has(g facts) bool { return f&g != 0 }

// whole reports whether the node is a change that replaces all of the old value
// by the new one.
func (n *node) whole() bool { return n.facts&(isChange|marksOnly) == isChange }

// gone reports whether the change took something away, so that it is only in the
// old value that its path leads to it.
func (n *node) gone() bool { return n.op == OpDelete || n.op == OpRemove }

func (n *node) secret() bool { return n.old.IsSecret() || n.new.IsSecret() }

// same reports whether two nodes say the same, what is inside aside.
func (n *node) same(m *node) bool {
	return n.key == m.key && n.oldAt == m.oldAt && n.newAt == m.newAt && n.facts == m.facts &&
		n.op == m.op && n.verdict == m.verdict && n.below.same(m.below) &&
		n.old.Identical(m.old) && n.new.Identical(m.new)
}

// branch is the differing children of a container: of an array in index order,
// of an object in key order.
type branch struct {
	self           *branch // itself, see handle
	up             *branch // nil: the top branch
	at             int     // the container's node is up.nodes[at]
	nodes          []node
	oldLen, newLen int // of an array
	kind           value.Kind
	rules          rules
	secret         bool // the container, or one above it, is secret, on either side
}

// handle is how what users hold refers to a branch: by a pointer to a pointer.
// One to a struct fmt follows, even in an unexported field, when it is given a
// verb that does not fit.
type handle **branch

// newBranch moves a branch to memory of its own.
func newBranch(b branch, own *branch) *branch {
	*own = b
	own.self = own
	return own
}

func (b *branch) same(c *branch) bool {
	if b == nil || c == nil {
		return b == c
	}
	return b.kind == c.kind && len(b.nodes) == len(c.nodes) &&
		b.oldLen == c.oldLen && b.newLen == c.newLen && b.secret == c.secret
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

// step is the step to a node, on its old or its new side.
func (b *branch) step(i int, old bool) path.Step {
	n := &b.nodes[i]
	switch {
	case b.kind == value.KindObject:
		return path.Key(n.key)
	case old:
		return path.Index(n.oldAt)
	}
	return path.Index(n.newAt)
}

// spot is a place in the tree; the zero spot is none.
type spot struct {
	in *branch
	i  int
}

func (d Diff) root() spot {
	if d.top == nil {
		return spot{}
	}
	return spot{*d.top, 0}
}

// anchor is a spot as users hold it; the zero anchor is none.
type anchor struct {
	in handle
	i  int
}

func (s spot) anchor() anchor { return anchor{&s.in.self, s.i} }

func (a anchor) spot() spot {
	if a.in == nil {
		return spot{}
	}
	return spot{*a.in, a.i}
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
