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
// most half full.
type edgeTable struct {
	slots []slot // a power of two of them
	shift uint8  // from a hash to a place among them
	wide  map[edgeKey]uint32
}

// slot is an edge in the table, or empty. It holds what there is to compare of most
// steps, so that to find an edge is to look at one place in memory.
type slot struct {
	mark  mark
	node  uint32 // whose edge it is
	child uint32 // where it leads; 0, the root, is nobody's child
	edge  uint32
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
	table.slots = make([]slot, 2<<bits.Len(uint(many-1)))
	table.shift = uint8(64 - bits.TrailingZeros(uint(len(table.slots))))
	for id := range t.nodes {
		n := &t.nodes[id]
		if n.edgeHi-n.edgeLo < wideNode {
			continue
		}
		for i := n.edgeLo; i < n.edgeHi; i++ {
			e := &t.edges[i]
			if !table.put(slot{markOf(e.step), uint32(id), e.node, i}) {
				return mappedEdges(t)
			}
		}
	}
	return table
}

// put gives an edge its slot, and reports false where it is too crowded.
func (e *edgeTable) put(s slot) bool {
	mask, at := len(e.slots)-1, int(s.mark.hash(s.node)>>e.shift)
	for i := range maxProbes {
		if free := &e.slots[(at+i)&mask]; free.child == 0 {
			*free = s
			return true
		}
	}
	return false
}

// mappedEdges is the table where marks are no good.
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
			if e := &t.edges[i]; e.step == s {
				return e.node
			}
		}
		return 0
	}
	if t.table.wide != nil {
		return t.table.wide[edgeKey{id, s}]
	}
	return t.find(id, markOf(s), s.name)
}

// find is exact of a node with many edges. The name counts where the mark does not
// say all.
func (t *trie) find(id uint32, m mark, name string) uint32 {
	slots := t.table.slots
	mask, at := len(slots)-1, int(m.hash(id)>>(t.table.shift&63))
	for range maxProbes {
		s := &slots[at&mask]
		switch {
		case s.child == 0:
			return 0
		case s.mark == m && s.node == id && (len(name) <= markedName || t.edges[s.edge].step.name == name):
			return s.child
		}
		at++
	}
	return 0
}

// below is exact of the first step of a packed path that is not empty, and its size.
func (t *trie) below(n *node, id uint32, packed string) (child uint32, size int) {
	h := uint(packed[0])
	if h&(0x80|tagMask) != tagKey {
		step, size := unpackOther(packed)
		if n.edgeLo == n.edgeHi {
			return 0, size
		}
		return t.exact(id, step), size
	}
	size = int(h>>tagBits) + 2
	if n.edgeHi-n.edgeLo < wideNode {
		for i := n.edgeLo; i < n.edgeHi; i++ {
			if e := &t.edges[i]; e.step.name == packed[1:size-1] && e.step.ref == 0 {
				return e.node, size
			}
		}
		return 0, size
	}
	if t.table.wide != nil || size < 8 && len(packed) < 8 {
		return t.exact(id, Step{name: packed[1 : size-1]}), size
	}
	m := mark{first: word(packed)}
	if size < 8 {
		s := uint(64 - 8*size)
		m.first = m.first << (s & 63) >> (s & 63)
	} else {
		m.last = word(packed[size-8:])
	}
	// This is find, without the call.
	slots := t.table.slots
	mask, at := len(slots)-1, int(m.hash(id)>>(t.table.shift&63))
	for range maxProbes {
		s := &slots[at&mask]
		if s.mark == m && s.node == id && (size <= markedName+2 || t.edges[s.edge].step.name == packed[1:size-1]) {
			return s.child, size
		}
		if s.child == 0 {
			break
		}
		at++
	}
	return 0, size
}
