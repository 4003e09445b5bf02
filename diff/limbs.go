package diff

import "github.com/propalg/propalg/value"

// record is a node to be: what a walk notes of a pair that differs. It points to
// nothing, and says where key and values are found, so that they are copied once, to
// where they stay.
type record struct {
	oldAt, newAt int // the places of the pair in its containers, or beside those of an array; see branch
	below        int // the number of the branch of what is inside, counted from 1; 0: none
	facts        facts
	op           Op
	verdict      value.Verdict
}

// limb is a branch to be: a pair of containers, and how many records it has.
type limb struct {
	old, now  value.Value
	count     int
	unordered bool
}

// limbs are the branches of a walk, but for that of the root. They wait, with their records, until the walk is
// over, or until they are too many: so a tree takes as much memory as it needs, in
// few pieces.
type limbs struct {
	rules   rules
	waiting []limb
	records []record  // of all that wait, one after the other
	made    []*branch // those that wait no longer
}

// add notes that records are those of two containers, and returns the number of
// their branch.
func (l *limbs) add(inside []record, old, now value.Value, unordered bool) int {
	if len(l.waiting) == cap(l.waiting) || len(inside) > cap(l.records)-len(l.records) {
		l.settle(l.records)
	}
	l.waiting = append(l.waiting, limb{old, now, len(inside), unordered})
	number := len(l.made) + len(l.waiting)
	if len(inside) > cap(l.records) {
		l.settle(inside)
	} else {
		l.records = append(l.records, inside...)
	}
	return number
}

// settle makes the branches that wait.
func (l *limbs) settle(records []record) {
	branches := make([]branch, len(l.waiting))
	l.make(branches, make([]node, len(records)), records)
	for i := range branches {
		l.made = append(l.made, &branches[i])
	}
	clear(l.waiting)
	l.waiting, l.records = l.waiting[:0], l.records[:0]
}

// make makes the branches that wait, in memory that is given.
func (l *limbs) make(branches []branch, nodes []node, records []record) {
	for i := range l.waiting {
		x := &l.waiting[i]
		l.grow(&branches[i], x, branches, nodes[:x.count:x.count], records)
		records, nodes = records[x.count:], nodes[x.count:]
	}
}

// grow makes a branch with nodes, of records.
func (l *limbs) grow(b *branch, x *limb, branches []branch, nodes []node, records []record) {
	b.kind, b.rules, b.secret = x.old.Kind(), l.rules, x.old.IsSecret() || x.now.IsSecret()
	b.nodes = nodes
	if b.kind == value.KindArray {
		b.oldSize, b.newSize, b.unordered = index(x.old.Len()), index(x.now.Len()), x.unordered
		x.elements(nodes, records)
	} else {
		x.members(nodes, records)
	}
	for k := range nodes {
		if below := records[k].below; below > 0 {
			l.hang(b, k, below, branches)
		}
	}
}

// hang hangs the branch of a number below a node, of those that are being made or
// of those that are.
func (l *limbs) hang(b *branch, at, number int, branches []branch) {
	var below *branch
	if i := number - 1; i < len(l.made) {
		below = l.made[i]
	} else {
		below = &branches[i-len(l.made)]
	}
	b.nodes[at].below = below
	below.up, below.at = b, at
}

// elements makes nodes of the records of elements.
func (x *limb) elements(nodes []node, records []record) {
	before, after := x.old.Children(), x.now.Children()
	for k := range nodes {
		n, r := &nodes[k], &records[k]
		n.oldIx, n.newIx, n.facts, n.op, n.verdict = index(r.oldAt), index(r.newAt), r.facts, r.op, r.verdict
		if r.facts.has(hasOld) {
			_, n.old = before.At(r.oldAt)
		}
		if r.facts.has(hasNew) {
			_, n.new = after.At(r.newAt)
		}
	}
}

// members makes nodes of the records of members.
func (x *limb) members(nodes []node, records []record) {
	before, after := x.old.Children(), x.now.Children()
	for k := range nodes {
		n, r := &nodes[k], &records[k]
		n.facts, n.op, n.verdict = r.facts, r.op, r.verdict
		switch inOld, inNew := r.facts.has(hasOld), r.facts.has(hasNew); {
		case inOld && inNew:
			_, n.old = before.At(r.oldAt)
			n.key, n.new = after.At(r.newAt)
		case inOld:
			n.key, n.old = before.At(r.oldAt)
		case inNew:
			n.key, n.new = after.At(r.newAt)
		default:
			n.key, _ = after.At(r.newAt)
		}
	}
}

// tree makes the tree of a walk, of the record of its root and those inside it, and
// returns the top branch.
func (l *limbs) tree(root *record, x limb, inside []record) *branch {
	var branches []branch
	var nodes, first []node
	all := len(l.records) + len(inside)
	last := len(l.waiting) // the number of the branch of what is inside the root
	if last == 0 {
		c := new(crown)
		branches, first = c.branches[:], c.root[:]
		nodes = make([]node, all)
	} else {
		branches, nodes = make([]branch, last+2), make([]node, all+1)
		nodes, first = nodes[:all:all], nodes[all:]
		l.make(branches, nodes, l.records)
		nodes = nodes[len(l.records):]
		clear(l.waiting)
	}
	top := &branches[last+1]
	top.rules, top.nodes = l.rules, first
	n := &first[0]
	n.facts, n.op, n.verdict = root.facts, root.op, root.verdict
	if root.facts.has(hasOld) {
		n.old = x.old
	}
	if root.facts.has(hasNew) {
		n.new = x.now
	}
	if len(inside) > 0 {
		b := &branches[last]
		l.grow(b, &x, branches, nodes, inside)
		n.below, b.up = b, top
	}
	return top
}
