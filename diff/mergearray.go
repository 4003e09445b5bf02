package diff

import (
	"cmp"
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/walk"
	"github.com/propalg/propalg/value"
)

// array opens an array in which both sides changed something.
func (m *merging) array(t *triple, where *junction) {
	if isByIndex(t.ours.Below) && isByIndex(t.theirs.Below) {
		m.indexes(t, where)
		return
	}
	how := m.matches.All
	if m.matches.Set != nil {
		how = m.matches.At(t.state)
	}
	a := arranging{
		relation: m.rules.Relation, t: t, how: how,
		left: sideOf(t.ours.Below, t.left.Value), right: sideOf(t.theirs.Below, t.right.Value),
		gaps: map[int]*gap{},
	}
	m.enter(t, where, a.seats())
}

// indexes merges arrays index by index.
func (m *merging) indexes(t *triple, where *junction) {
	n, left, right := t.base.Len(), t.left.Len(), t.right.Len()
	most := left
	if left == n {
		most = right
	}
	disagree := left != n && right != n && left != right
	for i := n; i < most && left == right && !disagree; i++ {
		disagree = !m.rules.Relation.Equal(t.left.Elem(i), t.right.Elem(i))
	}
	joints := sameIndexes(t.ours.Below, t.theirs.Below)
	for i := range joints {
		ours, theirs := joints[i].nodes()
		disagree = disagree || ours != nil && theirs != nil && ours.Removed() != theirs.Removed()
	}
	if disagree {
		m.conflict(ConflictLength, t, where)
		return
	}
	seats := make([]seat, 0, most)
	for i := range most {
		s := seat{at: i, value: t.base.child(value.KindArray, "", i)}
		if len(joints) > 0 && joints[0].oldAt == i {
			s.of = &triple{
				base: s.value, left: t.left.child(value.KindArray, "", i), right: t.right.child(value.KindArray, "", i),
			}
			s.of.ours, s.of.theirs = joints[0].nodes()
			joints = joints[1:]
		}
		seats = append(seats, s)
	}
	m.enter(t, where, seats)
}

// aside is one side of an array: what it did with the elements of base, and
// where it put what it moved or inserted.
type aside struct {
	of    value.Value
	nodes map[int]*difftree.Node // by index in base
	put   []put                  // in the order of the side
}

// put is an element that a side moved or inserted.
type put struct {
	node  *difftree.Node
	value value.Value // that is inserted
	gap   int         // it stands behind the element of base before this index
}

func sideOf(b *difftree.Branch, of value.Value) aside {
	a := aside{of: of, nodes: make(map[int]*difftree.Node, len(b.Nodes))}
	joints := jointsOf(b.Nodes)
	l := looseOf(joints)
	l.sort()
	l.rank()
	olds := make([]int, len(l.olds))
	for i, j := range l.olds {
		olds[i] = j.oldAt
	}
	at, before := make(map[int]int, len(l.news)), others{taken: olds}
	for _, j := range l.news {
		at[j.newAt] = before.behind(j.after)
	}
	for i := range b.Nodes {
		n := &b.Nodes[i]
		if !n.Added() {
			a.nodes[n.OldAt()] = n
		}
		if n.Added() || n.Facts.Has(difftree.Moved) {
			a.put = append(a.put, put{n, n.New, at[n.NewAt()]})
		}
	}
	return a
}

// arranging merges the order of the elements of an array.
type arranging struct {
	relation    value.Relation
	t           *triple
	how         walk.Match
	left, right aside
	gaps        map[int]*gap
	moved       map[int]int // where an element of base goes; not in it when it stays
}

// gap is a place between two elements of base, and what goes there.
type gap struct {
	left, right []put
	mixed       bool // both sides inserted the same there
	conflicts   []seat
}

func (a *arranging) gap(i int) *gap {
	g := a.gaps[i]
	if g == nil {
		g = &gap{}
		a.gaps[i] = g
	}
	return g
}

// seats are the elements of the merged array, in its order.
func (a *arranging) seats() []seat {
	a.moves()
	for _, p := range a.left.put {
		a.take(p, func(g *gap) *[]put { return &g.left })
	}
	for _, p := range a.right.put {
		a.take(p, func(g *gap) *[]put { return &g.right })
	}
	if a.how.Unordered() {
		a.union()
	}
	var seats []seat
	for i := range a.t.base.Len() + 1 {
		if g := a.gaps[i]; g != nil {
			seats = a.fill(seats, i, g)
		}
		if i == a.t.base.Len() {
			break
		}
		if _, goes := a.moved[i]; !goes {
			seats = a.element(seats, i)
		}
	}
	return seats
}

// moves finds where elements go that a side moved. One that the sides moved to
// different places stays, or, where order is no matter, goes to the first one.
func (a *arranging) moves() {
	a.moved = map[int]int{}
	contrary := map[int]bool{}
	for _, p := range slices.Concat(a.left.put, a.right.put) {
		if p.node.Added() {
			continue
		}
		i := p.node.OldAt()
		if gap, twice := a.moved[i]; twice && gap != p.gap {
			contrary[i] = true
			p.gap = min(p.gap, gap)
		}
		a.moved[i] = p.gap
	}
	for i := range a.moved {
		ours, theirs := a.left.nodes[i], a.right.nodes[i]
		gone := ours != nil && ours.Removed() || theirs != nil && theirs.Removed()
		if gone || contrary[i] && !a.how.Unordered() {
			delete(a.moved, i)
		}
	}
}

// take puts an element that a side moved or inserted into its gap.
func (a *arranging) take(p put, side func(*gap) *[]put) {
	if !p.node.Added() {
		gap, goes := a.moved[p.node.OldAt()]
		if !goes {
			return
		}
		p.gap = gap
	}
	list := side(a.gap(p.gap))
	*list = append(*list, p)
}

// fill adds what goes into a gap. What only one side put there has its order
// there; else what was moved comes first, in the order of base.
func (a *arranging) fill(seats []seat, at int, g *gap) []seat {
	slices.SortFunc(g.conflicts, compareConflicts)
	seats = append(seats, g.conflicts...)
	if !a.how.Unordered() && a.alike(g.left, g.right) {
		g.agree() // see union of the others
	}
	if len(g.left) == 0 {
		g.left, g.right = g.right, nil
	}
	if len(g.right) == 0 && !g.mixed {
		for _, p := range g.left {
			if p.node.Added() {
				seats = append(seats, seat{value: known{p.value, true}})
			} else {
				seats = a.element(seats, p.node.OldAt())
			}
		}
		return seats
	}
	var going []int
	for _, p := range slices.Concat(g.left, g.right) {
		if !p.node.Added() {
			going = append(going, p.node.OldAt())
		}
	}
	slices.Sort(going)
	for _, i := range slices.Compact(going) {
		seats = a.element(seats, i)
	}
	left, right := news(g.left), news(g.right)
	switch {
	case len(left) == 0:
		left = right
	case len(right) == 0 && !g.mixed:
	case a.how.Unordered():
		left = slices.Concat(left, right)
		slices.SortFunc(left, value.Value.CompareIdentical)
	case len(right) > 0 && !slices.EqualFunc(left, right, a.relation.Equal):
		// Aligned, both must insert the same, or only one side insert.
		return append(seats, a.conflict(at, value.Array(left...), value.Array(right...)))
	case len(right) > 0:
		for i := range left {
			left[i] = lesser(left[i], right[i])
		}
	}
	for _, v := range left {
		seats = append(seats, seat{value: known{v, true}})
	}
	return seats
}

// conflict is that of insertions which do not agree.
func (a *arranging) conflict(at int, left, right value.Value) seat {
	if a.t.secret() {
		left, right = value.Secret(left), value.Secret(right)
	}
	return seat{at: at, conflict: ConflictAdd, of: &triple{left: known{left, true}, right: known{right, true}}}
}

// compareConflicts orders conflicts at one place, whichever side is called which.
func compareConflicts(s, t seat) int {
	x, y := s.of, t.of
	return cmp.Or(
		lesser(x.left.Value, x.right.Value).CompareIdentical(lesser(y.left.Value, y.right.Value)),
		greater(x.left.Value, x.right.Value).CompareIdentical(greater(y.left.Value, y.right.Value)),
	)
}

func greater(v, w value.Value) value.Value {
	if v.CompareIdentical(w) <= 0 {
		return w
	}
	return v
}

// agree leaves one of two lists that are alike.
func (g *gap) agree() {
	for i := range g.right {
		if g.left[i].node.Added() {
			g.left[i].value = lesser(g.left[i].value, g.right[i].value)
		}
	}
	g.right = nil
}

// alike reports whether both sides put the same into a gap.
func (a *arranging) alike(left, right []put) bool {
	return slices.EqualFunc(left, right, func(p, q put) bool {
		if p.node.Added() != q.node.Added() {
			return false
		}
		if !p.node.Added() {
			return p.node.OldAt() == q.node.OldAt()
		}
		return a.relation.Equal(p.node.New, q.node.New)
	})
}

func news(puts []put) []value.Value {
	var all []value.Value
	for _, p := range puts {
		if p.node.Added() {
			all = append(all, p.value)
		}
	}
	return all
}

// element adds an element of base, as the sides left it.
func (a *arranging) element(seats []seat, i int) []seat {
	ours, theirs := a.left.nodes[i], a.right.nodes[i]
	s := seat{at: i, value: a.t.base.child(value.KindArray, "", i)}
	of := triple{base: s.value, left: a.side(&a.left, i, s.value), right: a.side(&a.right, i, s.value)}
	of.ours, of.theirs = a.content(ours, theirs), a.content(theirs, ours)
	if a.contrary(ours, theirs) {
		s.of, s.conflict = &of, ConflictMove
		return append(seats, s)
	}
	if of.ours != nil || of.theirs != nil {
		s.of = &of
	}
	return append(seats, s)
}

// side is what a side has of an element of base.
func (a *arranging) side(of *aside, i int, base known) known {
	switch n := of.nodes[i]; {
	case n == nil:
		return base
	case n.Removed():
		return known{}
	default:
		return known{of.of.Elem(n.NewAt()), true}
	}
}

// content is what a side did to an element, but for moving it: that is a change
// only against the other side's taking it away, where order is a matter.
func (a *arranging) content(n, other *difftree.Node) *difftree.Node {
	if n != nil && isMoveOnly(n) && (a.how.Unordered() || other == nil || !other.Removed()) {
		return nil
	}
	return n
}

// contrary reports whether the sides moved an element to different places.
func (a *arranging) contrary(ours, theirs *difftree.Node) bool {
	if a.how.Unordered() || ours == nil || theirs == nil || !ours.Facts.Has(difftree.Moved) || !theirs.Facts.Has(difftree.Moved) {
		return false
	}
	_, agreed := a.moved[ours.OldAt()]
	return !agreed
}
