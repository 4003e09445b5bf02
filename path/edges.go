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
	ends  bool // patterns end right there, so that all below is covered
	leads bool // there is nothing there but a place to leap from
}

type edgeKey struct {
	node uint32
	step Step
}

// newEdgeTable makes the table, and says of the nodes whether it is all there is to ask.
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
			child := &t.nodes[e.node]
			ends := child.label == "" && child.endLo < child.endHi
			if !table.put(slot{markOf(e.step), uint32(id), e.node, i, ends, child.isTabled()}) {
				return mappedEdges(t)
			}
		}
	}
	for id := range t.nodes {
		n := &t.nodes[id]
		n.tabled = n.isTabled()
	}
	return table
}

// isTabled is what becomes of tabled, unless there is no table.
func (n *node) isTabled() bool {
	return n.edgeHi-n.edgeLo >= wideNode && n.label == "" && n.endLo == n.endHi && n.wild == 0
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
	if slot := t.find(id, markOf(s), s.name); slot != nil {
		return slot.child
	}
	return 0
}

// find is the edge of a node with many, nil for none. The name counts where the mark
// does not say all.
func (t *trie) find(id uint32, m mark, name string) *slot {
	slots := t.table.slots
	mask, at := len(slots)-1, int(m.hash(id)>>(t.table.shift&63))
	for range maxProbes {
		s := &slots[at&mask]
		switch {
		case s.child == 0:
			return nil
		case s.mark == m && s.node == id && (len(name) <= markedName || t.edges[s.edge].step.name == name):
			return s
		}
		at++
	}
	return nil
}

// below is exact of the first step of a packed path that is not empty, and its size.
func (t *trie) below(n *node, id uint32, packed string) (child uint32, size int) {
	if n.edgeHi-n.edgeLo < wideNode || t.table.wide != nil || len(packed) < 8 {
		step, size := unpack(packed)
		return t.exact(id, step), size
	}
	m := mark{first: word(packed)} // see leap
	if m.first&(0x80|tagMask) != tagKey {
		step, size := unpackOther(packed)
		return t.exact(id, step), size
	}
	if size = int(m.first&0x7f>>tagBits) + 2; size < 8 {
		m.first &= 1<<(8*size) - 1
	} else {
		m.last = word(packed[size-8:])
	}
	if s := t.find(id, m, packed[1:size-1]); s != nil {
		return s.child, size
	}
	return 0, size
}

// answer is what is known of a path.
type answer uint8

const (
	unsettled answer = iota
	covered
	uncovered
)

// leap goes down a packed path, from a node that is tabled, through the table alone,
// and returns where it got to: there, at a node and an offset in the path that is not
// its end, something else has to be asked, unless it has settled the matter.
//
// There is no call in here, and the first byte of a step is read as part of a word and
// never by itself: else the compiler reads the word byte by byte.
func (t *trie) leap(id uint32, packed string, at int) (uint32, int, answer) {
	var tail uint64 // the last 8 bytes
	if len(packed) >= 8 {
		tail = word(packed[len(packed)-8:])
	} else {
		tail = shortWord(packed) << (uint(64-8*len(packed)) & 63)
	}
	slots, shift := t.table.slots, t.table.shift&63
	for at < len(packed) {
		var m mark
		if left := len(packed) - at; left >= 8 {
			m.first = word(packed[at:])
		} else {
			m.first = tail >> (uint(64-8*left) & 63)
		}
		if m.first&(0x80|tagMask) != tagKey {
			return id, at, unsettled
		}
		size := int(m.first&0x7f>>tagBits) + 2
		if size < 8 {
			s := uint(64 - 8*size)
			m.first = m.first << (s & 63) >> (s & 63)
		} else {
			m.last = word(packed[at+size-8:])
		}
		place := m.hash(id) >> shift
		s, last := &slots[place&uint64(len(slots)-1)], place+maxProbes
		for ; s.mark != m || s.node != id; s = &slots[place&uint64(len(slots)-1)] {
			if place++; s.child == 0 || place == last {
				return id, at, uncovered
			}
		}
		switch {
		case size > markedName+2:
			return id, at, unsettled // the mark does not say all
		case s.ends:
			return id, at, covered
		}
		if id, at = s.child, at+size; !s.leads && at < len(packed) {
			return id, at, unsettled
		}
	}
	return id, at, uncovered
}
