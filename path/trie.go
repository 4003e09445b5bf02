package path

import (
	"cmp"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/scan"
)

// maxLabel bounds a label, so that offsets in it fit a position; a longer run of steps is cut
// into several nodes with one edge each.
const maxLabel = 1 << 16

// trie is the compiled form of a Set: a radix trie of steps. A node is a place
// where patterns end or part, with the run of steps that leads to it from the
// edge above, its label; so there are at most two nodes per pattern, however
// long the patterns are, and the labels share their memory.
//
//	nodes  [ label | edges lo:hi | wild | ends lo:hi ] ...    the root is 0
//	edges  [ step, node ] ...       exact steps only; those of a node are adjacent, and sorted by before
//	order  pattern numbers, sorted by pattern; those that end at a node are order[ends lo:hi]
//
// The wildcard [AnyDepth] is in no label. What it leads to is a node that loops: it is live where
// the node above it is, and then at every place below. Few sets have such nodes.
//
// Numbers have 32 bits: a node takes some 50 bytes, so that 2^32 of them are
// beyond any memory this could run in.
type trie struct {
	nodes []node
	edges []edge
	order []int
	deep  map[uint32]uint32 // the nodes that loop, by the node above
	loops map[uint32]bool   // nil if there are none
}

type node struct {
	label          string // packed steps, wildcards of one step among them
	edgeLo, edgeHi uint32
	endLo, endHi   uint32
	wild           uint32 // the child for the wildcard of one step, or 0: the root is not a child
}

type edge struct {
	rank uint64 // rankOf(step)
	step Step
	node uint32
}

// position is a place in the trie: a beginning of one or more patterns. It is
// at a node when off is the length of its label, else within the label.
type position struct{ node, off uint32 }

// span is the patterns order[lo:hi], which share the first at bytes.
type span struct{ lo, hi, at int }

// newTrie compiles patterns: it sorts them, then passes over their steps once, level by
// level, without recursion. But for the sort, its cost is linear in the steps.
func newTrie(patterns []Pattern) trie {
	t := trie{order: make([]int, len(patterns))}
	for i := range t.order {
		t.order[i] = i
	}
	slices.SortStableFunc(t.order, func(i, j int) int { return comparePacked(patterns[i].packed, patterns[j].packed) })
	t.nodes = append(t.nodes, node{})
	level, next := []span{{0, len(patterns), 0}}, []span(nil)
	for first := 0; len(level) > 0; {
		next = next[:0]
		for i, sp := range level {
			next = t.expand(patterns, uint32(first+i), sp, next)
		}
		first += len(level)
		level, next = next, level
	}

	return t
}

// expand fills in node id, whose patterns are sp, and adds its children, which
// are numbered from the end of t.nodes, to next.
func (t *trie) expand(patterns []Pattern, id uint32, sp span, next []span) []span {
	at := func(i, off int) string { return patterns[t.order[i]].packed[off:] }
	label := shared(at(sp.lo, sp.at), at(sp.hi-1, sp.at))
	branch, lo := sp.at+len(label), sp.lo
	for lo < sp.hi && at(lo, branch) == "" {
		lo++ // a pattern sorts before all below it, so those that end come first
	}
	n := node{label: label, endLo: uint32(sp.lo), endHi: uint32(lo), edgeLo: uint32(len(t.edges))}
	for lo < sp.hi {
		step, size := unpack(at(lo, branch))
		hi := lo + 1
		for ; hi < sp.hi; hi++ {
			if s, _ := unpack(at(hi, branch)); s != step {
				break
			}
		}

		child := uint32(len(t.nodes))
		t.nodes = append(t.nodes, node{})
		next = append(next, span{lo, hi, branch + size})
		switch step.ref {
		case wildMark:
			n.wild = child
		case deepMark:
			t.loop(id, child)
		default:
			t.edges = append(t.edges, edge{rankOf(&step), step, child})
		}
		lo = hi
	}

	n.edgeHi = uint32(len(t.edges))
	slices.SortFunc(t.edges[n.edgeLo:], edge.compare)
	t.nodes[id] = n
	return next
}

// shared returns the steps that two packed patterns begin with, at most maxLabel bytes and
// up to the wildcard of any depth. If they are the first and last of a sorted list, the whole
// list begins with them.
func shared(p, q string) string {
	end := 0
	for end < len(p) && end < len(q) {
		s, n := unpack(p[end:])
		u, _ := unpack(q[end:])
		if s != u || s.ref == deepMark || end+n > maxLabel {
			break
		}

		end += n
	}
	return p[:end]
}

// advance appends to next the places that a step s leads to from the live
// ones. Without loops, no two places have one below in common, and below each is at least
// one pattern, so that there are never more than patterns that match so far. With loops
// there are at most as many as the patterns have steps.
func (t *trie) advance(next, live []position, s Step) []position {
	for _, at := range live {
		n := &t.nodes[at.node]
		if int(at.off) < len(n.label) {
			if u, size := unpack(n.label[at.off:]); u.ref == wildMark || u == s {
				next = append(next, position{at.node, at.off + uint32(size)})
			}
			continue
		}
		if n.wild != 0 {
			next = append(next, position{n.wild, 0})
		}
		if child := t.exact(n, s); child != 0 {
			next = append(next, position{child, 0})
		}
	}
	if t.loops != nil {
		next = t.looping(next, live)
	}
	return next
}

// loop notes that a node loops, and which one is above it.
func (t *trie) loop(above, id uint32) {
	if t.loops == nil {
		t.deep, t.loops = map[uint32]uint32{}, map[uint32]bool{}
	}
	t.deep[above], t.loops[id] = id, true
}

// looping appends to next the places that loop: those that are live, which stay so, and those
// that need no step from one in next. What it is given and returns is sorted, and has each place
// once.
func (t *trie) looping(next, live []position) []position {
	for _, at := range live {
		if t.loops[at.node] && at.off == 0 {
			next = append(next, at)
		}
	}
	for i := 0; i < len(next); i++ {
		deep := position{node: t.deep[next[i].node]}
		if deep.node == 0 || int(next[i].off) < len(t.nodes[next[i].node].label) {
			continue
		}
		if _, isLive := slices.BinarySearchFunc(live, deep, position.compare); !isLive {
			next = append(next, deep)
		}
	}
	slices.SortFunc(next, position.compare)
	return next
}

func (p position) compare(q position) int {
	return cmp.Or(cmp.Compare(p.node, q.node), cmp.Compare(p.off, q.off))
}

// rankOf returns a number by which most steps differ. For a key it has the length, up to 254,
// and the last seven bytes, since many keys begin alike.
func rankOf(s *Step) uint64 {
	if s.ref != 0 {
		return 0xff<<56 | uint64(s.ref)
	}

	length := uint64(min(len(s.name), 0xfe)) << 56
	if len(s.name) >= 8 {
		return length | scan.Word(s.name[len(s.name)-8:])>>8
	}
	return length | shortWord(s.name)
}

func (e edge) compare(f edge) int {
	return cmp.Or(cmp.Compare(e.rank, f.rank), strings.Compare(e.step.name, f.step.name))
}

// exact returns the child of a node by a step that is not the wildcard, 0 for none.
func (t *trie) exact(n *node, s Step) uint32 {
	rank := rankOf(&s)
	i, end := n.edgeLo, n.edgeHi
	// A search without a branch to predict: the first edge of this rank, if there is
	// one, is at i or right after it.
	for size := end - i; size > 1; {
		half := size / 2
		if t.edges[i+half].rank < rank {
			i += half
		}
		size -= half
	}
	if i < end && t.edges[i].rank < rank {
		i++
	}
	if i == end || t.edges[i].rank != rank {
		return 0
	}
	if e := &t.edges[i]; e.step == s {
		return e.node
	}

	return t.exactOfRank(i+1, end, edge{rank: rank, step: s})
}

// exactOfRank finds the child where the first edge of the rank is not the right one.
func (t *trie) exactOfRank(lo, hi uint32, want edge) uint32 {
	i, found := slices.BinarySearchFunc(t.edges[lo:hi], want, edge.compare)
	if !found {
		return 0
	}
	return t.edges[int(lo)+i].node
}

// ends returns the numbers of the patterns that end at a place, in ascending order.
func (t *trie) ends(at position) []int {
	n := &t.nodes[at.node]
	if int(at.off) < len(n.label) {
		return nil
	}
	return t.order[n.endLo:n.endHi]
}

// covers reports whether a pattern below a node ends on the way down a packed path, in a trie
// without loops. It recurs only where patterns go on both by the step and by the wildcard.
func (t *trie) covers(id uint32, rest string) bool {
	for {
		n := &t.nodes[id]
		if n.label != "" {
			var ok bool
			if rest, ok = n.skipLabel(rest); !ok {
				return false
			}
		}

		if n.endLo < n.endHi {
			return true
		}
		if rest == "" {
			return false
		}

		step, size := unpack(rest)
		rest = rest[size:]
		child := t.exact(n, step)
		if n.wild != 0 {
			if child != 0 && t.covers(child, rest) {
				return true
			}
			child = n.wild
		}
		if child == 0 {
			return false
		}
		id = child
	}
}

// skipLabel returns the rest of a packed path after the label, and false where the
// path does not match all of the label.
func (n *node) skipLabel(rest string) (below string, ok bool) {
	if below, ok = strings.CutPrefix(rest, n.label); ok {
		return below, true
	}

	for label := n.label; label != ""; {
		if rest == "" {
			return "", false
		}
		want, wantSize := unpack(label)
		got, size := unpack(rest)
		if want.ref != wildMark && want != got {
			return "", false
		}
		label, rest = label[wantSize:], rest[size:]
	}
	return rest, true
}
