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
	branches     int // so far
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
func (s *slabs) branch(b branch) *branch {
	if len(s.freeBranches) == 0 {
		s.freeBranches = make([]branch, min(s.branches+1, largestSlab))
	}
	own := &s.freeBranches[0]
	s.freeBranches = s.freeBranches[1:]
	s.given++
	s.branches++
	*own = b
	return own
}

// crown is the first memory of a diff, in one piece: the top branch, the root's
// node, and one branch more, of which most diffs have just one.
type crown struct {
	branches [2]branch
	root     [1]node
}

// scratch is where a walk keeps what it notes until it makes a tree of it, as long as
// that is little, and a Response of more than few entries their trail. What held a
// value or a key is wiped when that is done.
type scratch struct {
	open    [fewNodes]record // of the open containers
	records [fewNodes]record // of those that are closed
	limbs   [fewLimbs]limb
	steps   [2 * fewNodes]path.Step
	lengths [fewNodes]int
}

const (
	fewNodes = 96
	fewLimbs = 16
)

var scratches = sync.Pool{New: func() any { return new(scratch) }} //nolint:gochecknoglobals // the one pool of the package (TestLayers)

// giveBack wipes the first steps, as many as were used.
func (s *scratch) giveBack(steps int) {
	clear(s.steps[:min(steps, len(s.steps))])
	scratches.Put(s)
}
