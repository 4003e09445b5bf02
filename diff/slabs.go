package diff

import (
	"sync"

	"github.com/propalg/propalg/path"
)

// slabs hand out memory for nodes and branches in pieces that grow with what was
// asked for.
type slabs struct {
	freeNodes    []node
	freeBranches []branch
	given        int // nodes and branches so far
	branches     int // so far, without one of a crown, which says little of what is to come
}

const largestSlab = 256

func (s *slabs) nodes(n int) []node {
	if n > len(s.freeNodes) {
		s.freeNodes = make([]node, max(n, min(s.given, largestSlab)))
	}
	own := s.freeNodes[:n:n]
	s.freeNodes = s.freeNodes[n:]
	s.given += n
	return own
}

// branch moves a branch to memory of its own.
func (s *slabs) branch(b branch) *branch { return newBranch(b, s.next()) }

// next is an empty branch.
func (s *slabs) next() *branch {
	if len(s.freeBranches) == 0 {
		s.freeBranches = make([]branch, min(s.branches+1, largestSlab))
	}
	own := &s.freeBranches[0]
	s.freeBranches = s.freeBranches[1:]
	s.given++
	s.branches++
	own.self = own
	return own
}

// crown is the first memory of a diff, in one piece: the top branch, the root's
// node, and one branch more, of which most diffs have just one.
type crown struct {
	branches [2]branch
	root     [1]node
}

// scratch is where a walk keeps the nodes that are in no branch yet, and a Response
// the steps of its entries, as long as they are few. What was used is wiped when
// either is over, so that it keeps no value and no key alive.
type scratch struct {
	nodes   [fewNodes]node
	steps   [manySteps]path.Step
	lengths [fewNodes]int
}

const (
	fewNodes  = 96
	manySteps = 2 * fewNodes
)

var scratches = sync.Pool{New: func() any { return new(scratch) }} //nolint:gochecknoglobals // the one pool of the package (TestLayers)

// giveBack wipes the first nodes and steps, as many as were used.
func (s *scratch) giveBack(nodes, steps int) {
	clear(s.nodes[:min(nodes, len(s.nodes))])
	clear(s.steps[:min(steps, len(s.steps))])
	scratches.Put(s)
}
