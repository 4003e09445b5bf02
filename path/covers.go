package path

import "strings"

// branch is a way through a trie that has been left for later.
type branch struct {
	rest string // of the path, below the edge to the node
	node uint32
}

// fewBranches is how many ways wait without allocation: one for each step so far
// at which patterns go on both by it and by the wildcard.
const fewBranches = 4

// Covers reports whether some pattern covers p: matches p or a place above it.
func (s *Set) Covers(p Path) bool { //nolint:gocognit // one loop, whose state stays in registers
	if s.Len() == 0 {
		return false
	}
	var few [fewBranches]branch
	waiting := few[:0]
	for id, rest := uint32(0), p.packed; ; {
		n := &s.trie.nodes[id]
		ok := true
		if n.label != "" {
			rest, ok = n.descended(rest)
		}
		if ok && n.endLo < n.endHi {
			return true
		}
		if child := n.wild; ok && rest != "" {
			var step Step
			if h := uint(rest[0]); h&(0x80|tagMask) == tagKey { // as unpack has it, without the call
				h >>= tagBits
				step.name, rest = rest[1:h+1], rest[h+2:]
			} else {
				var size int
				step, size = unpackOther(rest)
				rest = rest[size:]
			}
			if n.edgeLo < n.edgeHi {
				if exact := s.trie.exact(id, step); exact != 0 {
					if child != 0 {
						waiting = append(waiting, branch{rest, child})
					}
					child = exact
				}
			}
			if child != 0 {
				id = child
				continue
			}
		}
		if len(waiting) == 0 {
			return false
		}
		last := waiting[len(waiting)-1]
		waiting, id, rest = waiting[:len(waiting)-1], last.node, last.rest
	}
}

// descended is what is left of a packed path below the label, and false when the
// path is none that goes through all of it. Both are compared as they are: bytes
// equal means steps equal.
func (n *node) descended(rest string) (below string, ok bool) {
	label := n.label
	if !n.wildLabel {
		return strings.CutPrefix(rest, label)
	}
	for label != "" {
		if rest == "" {
			return "", false
		}
		_, size := unpack(rest)
		step := 2 // the size of the wildcard
		if label[0] != tagWild {
			step = size
			if !strings.HasPrefix(label, rest[:size]) {
				return "", false
			}
		}
		label, rest = label[step:], rest[size:]
	}
	return rest, true
}
