package diff

import (
	"sync"

	"github.com/propalg/propalg/internal/difftree"
)

// slabs hand out memory for nodes and branches in pieces that grow with what was
// asked for.
type slabs struct {
	freeNodes    []difftree.Node
	freeBranches []difftree.Branch
	given        int // nodes and branches so far
	branches     int // so far
}

const largestSlab = 256

func (s *slabs) nodes(n int) []difftree.Node {
	if n > len(s.freeNodes) {
		s.freeNodes = make([]difftree.Node, max(n, min(s.given, largestSlab)))
	}
	own := s.freeNodes[:n:n]
	s.freeNodes = s.freeNodes[n:]
	s.given += n
	return own
}

// branch moves a branch to memory of its own.
func (s *slabs) branch(b difftree.Branch) *difftree.Branch {
	if len(s.freeBranches) == 0 {
		s.freeBranches = make([]difftree.Branch, min(s.branches+1, largestSlab))
	}
	own := &s.freeBranches[0]
	s.freeBranches = s.freeBranches[1:]
	s.given++
	s.branches++
	*own = b
	return own
}

// rootBlock is the first memory of a diff, in one piece: the top branch, the root's
// node, and one branch more, of which most diffs have just one.
type rootBlock struct {
	branches [2]difftree.Branch
	root     [1]difftree.Node
}

// scratch is where a walk keeps what it notes until it makes a tree of it, as long as
// that is little. What held a value is wiped when that is done.
type scratch struct {
	open    [inlineNodes]record // of the open containers
	records [inlineNodes]record // of those that are closed
	pending [inlinePending]pendingBranch
}

const (
	inlineNodes   = 96
	inlinePending = 16
)

var scratches = sync.Pool{New: func() any { return new(scratch) }} //nolint:gochecknoglobals // the one pool of the package (TestLayers)
