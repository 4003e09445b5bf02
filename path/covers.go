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
func (s *Set) Covers(p Path) bool {
	if s.Len() == 0 {
		return false
	}
	// Where there are not two ways to go on, nothing waits.
	t, packed := &s.trie, p.packed
	for id, at := uint32(0), 0; ; {
		n := &t.nodes[id]
		if n.tabled {
			var settled answer
			if id, at, settled = t.leap(id, packed, at); settled != unsettled {
				return settled == covered
			}
			n = &t.nodes[id]
		}
		rest, ok := packed[at:], true
		if n.label != "" {
			if rest, ok = n.descended(rest); !ok {
				return false
			}
		}
		if n.endLo < n.endHi {
			return true
		}
		if rest == "" {
			return false
		}
		child, size := t.below(n, id, rest)
		if n.wild != 0 {
			if child != 0 {
				return s.coversBelow(child, rest[size:], n.wild)
			}
			child = n.wild
		}
		if child == 0 {
			return false
		}
		id, at = child, len(packed)-len(rest)+size
	}
}

// coversBelow is Covers of what is left of a path below two nodes.
func (s *Set) coversBelow(id uint32, rest string, other uint32) bool {
	var few [fewBranches]branch
	waiting := append(few[:0], branch{rest, other})
	for {
		n := &s.trie.nodes[id]
		ok := true
		if n.label != "" {
			rest, ok = n.descended(rest)
		}
		if ok && n.endLo < n.endHi {
			return true
		}
		if child := n.wild; ok && rest != "" {
			exact, size := s.trie.below(n, id, rest)
			rest = rest[size:]
			if exact != 0 {
				if child != 0 {
					waiting = append(waiting, branch{rest, child})
				}
				child = exact
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
