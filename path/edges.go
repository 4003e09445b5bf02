package path

import "math/bits"

const (
	// wideNode is the number of edges from which a node's edges are found
	// through the table of its trie instead of by comparing them all.
	wideNode = 4
	// maxProbes is how far from its place an edge may stand in the table. What
	// the steps of patterns are is not for us to choose: should they crowd
	// together, by chance or by design, a map of Go's takes them all.
	maxProbes = 32
)

// edgeTable finds the edges of the nodes that have many: by open addressing, at
// most half full. A slot that is taken has the number of an edge plus one in its
// lower half and the upper half of the hash in its own.
type edgeTable struct {
	slots []uint64 // a power of two of them
	wide  map[edgeKey]uint32
}

type edgeKey struct {
	node uint32
	step Step
}

func newEdgeTable(t *trie) (table edgeTable) {
	many := 0
	for i := range t.nodes {
		if n := &t.nodes[i]; n.edgeHi-n.edgeLo >= wideNode {
			many += int(n.edgeHi - n.edgeLo)
		}
	}
	if many == 0 {
		return table
	}
	table.slots = make([]uint64, 2<<bits.Len(uint(many-1)))
	for id := range t.nodes {
		n := &t.nodes[id]
		if n.edgeHi-n.edgeLo < wideNode {
			continue
		}
		for i := n.edgeLo; i < n.edgeHi; i++ {
			if !table.put(i, hashStep(uint32(id), t.edges[i].step)) {
				return mappedEdges(t)
			}
		}
	}
	return table
}

// put gives an edge its slot, and reports false where it is too crowded.
func (e *edgeTable) put(edge uint32, hash uint64) bool {
	mask := uint64(len(e.slots) - 1)
	for i := range uint64(maxProbes) {
		if slot := &e.slots[(hash+i)&mask]; *slot == 0 {
			*slot = uint64(edge+1) | hash>>32<<32
			return true
		}
	}
	return false
}

// mappedEdges is the table where hashStep is no good.
func mappedEdges(t *trie) edgeTable {
	wide := make(map[edgeKey]uint32)
	for id := range t.nodes {
		n := &t.nodes[id]
		for i := n.edgeLo; i < n.edgeHi; i++ {
			wide[edgeKey{uint32(id), t.edges[i].step}] = t.edges[i].node
		}
	}
	return edgeTable{wide: wide}
}

// exact is the child of a node by a step that is no wildcard, 0 for none.
func (t *trie) exact(id uint32, s Step) uint32 {
	n := &t.nodes[id]
	if n.edgeHi-n.edgeLo < wideNode {
		for i := n.edgeLo; i < n.edgeHi; i++ {
			if e := &t.edges[i]; len(e.step.name) == len(s.name) && sameStep(&e.step, s) {
				return e.node
			}
		}
		return 0
	}
	if t.table.wide != nil {
		return t.table.wide[edgeKey{id, s}]
	}
	slots := t.table.slots
	mask := uint64(len(slots) - 1)
	hash := hashStep(id, s)
	for i := range uint64(maxProbes) {
		slot := slots[(hash+i)&mask]
		if slot == 0 {
			return 0
		}
		if (slot^hash)>>32 != 0 {
			continue
		}
		// The slots are of all nodes, hence the bounds.
		if at := uint32(slot); at > n.edgeLo && at <= n.edgeHi && sameStep(&t.edges[at-1].step, s) {
			return t.edges[at-1].node
		}
	}
	return 0
}

// sameStep is *a == b, without a call for keys of 8 to 16 bytes.
func sameStep(a *Step, b Step) bool {
	n := len(b.name)
	if n < 8 || n > 16 || len(a.name) != n {
		return *a == b
	}
	return word(a.name) == word(b.name) && word(a.name[n-8:]) == word(b.name[n-8:])
}

// hashStep mixes all bytes of a step and a node's number, 8 bytes at a time; the
// last 8 may have some in common with those before.
func hashStep(node uint32, s Step) uint64 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 by the golden ratio, as hashes by multiplication have it
	name := s.name
	h := uint64(node)<<32 ^ uint64(s.ref) ^ uint64(len(name))<<48
	if len(name) < 8 {
		for i := range len(name) {
			h = bits.RotateLeft64(h, 8) ^ uint64(name[i])
		}
		h *= odd
		return h ^ h>>32
	}
	for ; len(name) > 16; name = name[8:] {
		h = (h ^ word(name)) * odd
		h ^= h >> 32
	}
	h = (h ^ word(name)) * odd
	h = (h ^ h>>32 ^ word(name[len(name)-8:])) * odd
	return h ^ h>>32
}

// word is the first 8 bytes of a text that has so many.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
