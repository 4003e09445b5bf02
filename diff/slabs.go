package diff

import "github.com/propalg/propalg/internal/difftree"

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
