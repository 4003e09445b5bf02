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

func (s *slabs) branch(b branch) *branch {
	if len(s.freeBranches) == 0 {
		s.freeBranches = make([]branch, max(1, min(s.given, largestSlab)))
	}
	own := &s.freeBranches[0]
	s.freeBranches = s.freeBranches[1:]
	s.given++
	return newBranch(b, own)
}

// crown is the first memory of a diff, in one piece: the top branch, the root's
// node, and one branch more, of which most diffs have just one.
type crown struct {
	branches [2]branch
	root     [1]node
}

// scratch is where a walk keeps the nodes that are in no branch yet, and a Response
// the steps of its entries, as long as they are few. It is wiped when either is
// over, so that it keeps no value and no key alive.
type scratch struct {
	nodes   [fewNodes]node
	steps   [2 * fewNodes]path.Step
	lengths [fewNodes]int
}

const fewNodes = 16

var scratches = sync.Pool{New: func() any { return new(scratch) }} //nolint:gochecknoglobals // the one pool of the package (TestLayers)

func (s *scratch) giveBack() {
	*s = scratch{}
	scratches.Put(s)
}
