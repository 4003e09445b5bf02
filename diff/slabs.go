package diff

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
