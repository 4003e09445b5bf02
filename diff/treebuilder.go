package diff

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// record is a node to be: what a walk notes of a pair that differs. It points to
// nothing, and says where key and values are found, so that they are copied once, to
// where they stay.
type record struct {
	oldAt, newAt int // the places of the pair in its containers, or beside those of an array; see branch
	below        int // the number of the branch of what is inside, counted from 1; 0: none
	facts        difftree.Facts
	op           difftree.Op
	verdict      value.Verdict
}

// pendingBranch is a branch to be: a pair of containers, and how many records it has.
type pendingBranch struct {
	old, now  value.Value
	count     int
	unordered bool
}

// treeBuilder are the branches of a walk, but for that of the root. They wait, with their records, until the walk is
// over, or until they are too many: so a tree takes as much memory as it needs, in
// few pieces.
type treeBuilder struct {
	rules   difftree.Rules
	pending []pendingBranch
	records []record           // of all that wait, one after the other
	made    []*difftree.Branch // those that wait no longer
}

// add notes that records are those of two containers, and returns the number of
// their branch.
func (l *treeBuilder) add(inside []record, old, now value.Value, unordered bool) int {
	if len(l.pending) == cap(l.pending) || len(inside) > cap(l.records)-len(l.records) {
		l.settle(l.records)
	}
	l.pending = append(l.pending, pendingBranch{old, now, len(inside), unordered})
	number := len(l.made) + len(l.pending)
	if len(inside) > cap(l.records) {
		l.settle(inside)
	} else {
		l.records = append(l.records, inside...)
	}
	return number
}

// settle makes the branches that wait.
func (l *treeBuilder) settle(records []record) {
	branches := make([]difftree.Branch, len(l.pending))
	l.make(branches, make([]difftree.Node, len(records)), records)
	for i := range branches {
		l.made = append(l.made, &branches[i])
	}
	clear(l.pending)
	l.pending, l.records = l.pending[:0], l.records[:0]
}

// make makes the branches that wait, in memory that is given.
func (l *treeBuilder) make(branches []difftree.Branch, nodes []difftree.Node, records []record) {
	for i := range l.pending {
		x := &l.pending[i]
		l.fill(&branches[i], x, branches, nodes[:x.count:x.count], records)
		records, nodes = records[x.count:], nodes[x.count:]
	}
}

// fill makes a branch with nodes, of records.
func (l *treeBuilder) fill(b *difftree.Branch, x *pendingBranch, branches []difftree.Branch, nodes []difftree.Node, records []record) {
	b.Kind, b.Rules, b.Secret = x.old.Kind(), l.rules, x.old.IsSecret() || x.now.IsSecret()
	b.Nodes = nodes
	if b.Kind == value.KindArray {
		b.OldSize, b.NewSize, b.Unordered = difftree.ClampIndex(x.old.Len()), difftree.ClampIndex(x.now.Len()), x.unordered
		x.elements(nodes, records)
	} else {
		x.members(nodes, records)
	}
	for k := range nodes {
		if below := records[k].below; below > 0 {
			l.attach(b, k, below, branches)
		}
	}
}

// attach puts the branch of a number below a node, of those that are being made or
// of those that are.
func (l *treeBuilder) attach(b *difftree.Branch, at, number int, branches []difftree.Branch) {
	var below *difftree.Branch
	if i := number - 1; i < len(l.made) {
		below = l.made[i]
	} else {
		below = &branches[i-len(l.made)]
	}
	b.Nodes[at].Below = below
	below.Up, below.At = b, at
}

// elements makes nodes of the records of elements.
func (x *pendingBranch) elements(nodes []difftree.Node, records []record) {
	before, after := x.old.Children(), x.now.Children()
	for k := range nodes {
		n, r := &nodes[k], &records[k]
		n.OldIndex, n.NewIndex, n.Facts, n.Op, n.Verdict = difftree.ClampIndex(r.oldAt), difftree.ClampIndex(r.newAt), r.facts, r.op, r.verdict
		if r.facts.Has(difftree.HasOld) {
			_, n.Old = before.At(r.oldAt)
		}
		if r.facts.Has(difftree.HasNew) {
			_, n.New = after.At(r.newAt)
		}
	}
}

// members makes nodes of the records of members.
func (x *pendingBranch) members(nodes []difftree.Node, records []record) {
	before, after := x.old.Children(), x.now.Children()
	for k := range nodes {
		n, r := &nodes[k], &records[k]
		n.Facts, n.Op, n.Verdict = r.facts, r.op, r.verdict
		switch inOld, inNew := r.facts.Has(difftree.HasOld), r.facts.Has(difftree.HasNew); {
		case inOld && inNew:
			_, n.Old = before.At(r.oldAt)
			n.Key, n.New = after.At(r.newAt)
		case inOld:
			n.Key, n.Old = before.At(r.oldAt)
		case inNew:
			n.Key, n.New = after.At(r.newAt)
		default:
			n.Key, _ = after.At(r.newAt)
		}
	}
}

// tree makes the tree of a walk, of the record of its root and those inside it, and
// returns the top branch.
func (l *treeBuilder) tree(root *record, x pendingBranch, inside []record) *difftree.Branch {
	var branches []difftree.Branch
	var nodes, first []difftree.Node
	all := len(l.records) + len(inside)
	last := len(l.pending) // the number of the branch of what is inside the root
	if last == 0 {
		c := new(rootBlock)
		branches, first = c.branches[:], c.root[:]
		nodes = make([]difftree.Node, all)
	} else {
		branches, nodes = make([]difftree.Branch, last+2), make([]difftree.Node, all+1)
		nodes, first = nodes[:all:all], nodes[all:]
		l.make(branches, nodes, l.records)
		nodes = nodes[len(l.records):]
		clear(l.pending)
	}
	top := &branches[last+1]
	top.Rules, top.Nodes = l.rules, first
	n := &first[0]
	n.Facts, n.Op, n.Verdict = root.facts, root.op, root.verdict
	if root.facts.Has(difftree.HasOld) {
		n.Old = x.old
	}
	if root.facts.Has(difftree.HasNew) {
		n.New = x.now
	}
	if len(inside) > 0 {
		b := &branches[last]
		l.fill(b, &x, branches, nodes, inside)
		n.Below, b.Up = b, top
	}
	return top
}
