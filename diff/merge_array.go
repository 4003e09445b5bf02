package diff

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/walk"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// indexes merges arrays index by index.
func (m *merger) indexes(t *triple, where *junction) state {
	n, left, right := t.base.Len(), t.left.Len(), t.right.Len()
	size := left
	if left == n {
		size = right
	}

	pairs := sideBySide(t.leftNode.Below, t.rightNode.Below, byIndexes)
	disagree := left != n && right != n && left != right
	for i := n; i < size && left == right && !disagree; i++ {
		disagree = !m.rules.Relation.Equal(t.left.Elem(i), t.right.Elem(i))
	}
	for i := range pairs {
		onLeft, onRight := pairs[i].nodes()
		disagree = disagree || (onLeft != nil && onRight != nil && onLeft.Removed() != onRight.Removed())
	}
	if disagree {
		return m.conflict(ConflictLength, t, where)
	}

	elems := make([]value.Value, 0, size)
	for i := range size {
		v := t.base.elem(i)
		if len(pairs) > 0 && pairs[0].oldAt == i {
			of := triple{base: v, left: t.left.elem(i), right: t.right.elem(i)}
			of.leftNode, of.rightNode = pairs[0].nodes()
			pairs = pairs[1:]
			v = m.child(t, &of, where, path.Index(i))
		}
		if v.there() {
			elems = append(elems, difftree.NotInherited(v.Value, t.secret()))
		}
	}
	return t.made(value.Array(elems...))
}

// array merges arrays whose elements were matched otherwise. The elements of base that
// no side moved stay in their order, and between them are gaps, into which either side
// inserts and moves elements.
func (m *merger) array(t *triple, where *junction) state {
	how := m.matches.All
	if m.matches.Set != nil {
		how = m.matches.At(t.state)
	}
	a := arrayMerger{
		merger: m, t: t, where: where, how: how,
		left: sideOf(t.leftNode.Below, t.left.Value), right: sideOf(t.rightNode.Below, t.right.Value),
		gaps: map[int]*gap{}, moved: map[int]int{}, movedApart: map[int]bool{},
	}
	a.moves()
	for _, p := range a.left.puts {
		if g := a.gapFor(p); g != nil {
			g.left = append(g.left, p)
		}
	}
	for _, p := range a.right.puts {
		if g := a.gapFor(p); g != nil {
			g.right = append(g.right, p)
		}
	}

	if how.Unordered() {
		a.union()
	}
	for i := range t.base.Len() + 1 {
		if g := a.gaps[i]; g != nil {
			a.fill(i, g)
		}
		if _, moved := a.moved[i]; !moved && i < t.base.Len() {
			a.element(i)
		}
	}

	return t.made(value.Array(a.elems...))
}

// arrayMerger merges the elements of an array, and their order.
type arrayMerger struct {
	*merger
	t           *triple
	where       *junction
	how         walk.Match
	left, right arraySide
	gaps        map[int]*gap
	moved       map[int]int   // the gap that a moved element of base is put into
	movedApart  map[int]bool  // the elements of base that the sides moved to different places
	elems       []value.Value // merged so far
}

// arraySide is one side of an array.
type arraySide struct {
	of    value.Value
	nodes map[int]*difftree.Node // by index in base
	puts  []put                  // in the order of the side
}

// put is an element that a side moved or inserted.
type put struct {
	node    *difftree.Node
	value   value.Value // of an inserted element
	gap     int         // the gap before the element of base that has this index
	dropped bool        // the other side inserted the element too, or a conflict has it
}

// gap holds what the sides put between two elements of base.
type gap struct {
	left, right []put
	shared      bool // both sides inserted the same element there
	conflicts   []*triple
}

func sideOf(b *difftree.Branch, of value.Value) arraySide {
	s := arraySide{of: of, nodes: make(map[int]*difftree.Node, len(b.Nodes))}
	olds, news := outOfOrder(b.Nodes, elementOf)
	for i := range b.Nodes {
		n := &b.Nodes[i]
		if !n.Added() {
			s.nodes[n.OldAt()] = n
		}
		if n.Added() || n.Facts.Has(difftree.Moved) {
			s.puts = append(s.puts, put{node: n, value: n.New, gap: gapAt(olds, rankOf(news, n.NewAt()))})
		}
	}

	return s
}

func (s *arraySide) state(i int, base state) state {
	n := s.nodes[i]
	switch {
	case n == nil:
		return base
	case n.Removed():
		return state{}

	default:
		return stateOf(s.of.Elem(n.NewAt()))
	}
}

// moves finds the gaps of elements that a side moved. One that the sides moved to
// different places stays, or, in an unordered array, is put into the first one.
func (a *arrayMerger) moves() {
	for _, p := range slices.Concat(a.left.puts, a.right.puts) {
		if p.node.Added() {
			continue
		}

		i := p.node.OldAt()
		if gap, twice := a.moved[i]; twice && gap != p.gap {
			a.movedApart[i] = !a.how.Unordered()
			p.gap = min(p.gap, gap)
		}
		a.moved[i] = p.gap
	}
	for i := range a.moved {
		onLeft, onRight := a.left.nodes[i], a.right.nodes[i]
		removed := (onLeft != nil && onLeft.Removed()) || (onRight != nil && onRight.Removed())
		if removed || a.movedApart[i] {
			delete(a.moved, i)
		}
	}
}

// gapFor returns the gap of an element that a side moved or inserted, or nil if it stays.
func (a *arrayMerger) gapFor(p put) *gap {
	i := p.gap
	if !p.node.Added() {
		gap, moved := a.moved[p.node.OldAt()]
		if !moved {
			return nil
		}

		i = gap
	}
	if a.gaps[i] == nil {
		a.gaps[i] = &gap{}
	}
	return a.gaps[i]
}

// fill adds the elements of a gap. If only one side put elements there, they are in its
// order; otherwise moved elements are first, in the order of base.
func (a *arrayMerger) fill(at int, g *gap) {
	slices.SortFunc(g.conflicts, compareConflicts)
	for _, of := range g.conflicts {
		a.conflictAt(at, of, ConflictAdd)
	}
	if !a.how.Unordered() && a.alike(g.left, g.right) {
		g.agree() // union does so if the array is unordered
	}
	if len(g.left) == 0 {
		g.left, g.right = g.right, nil
	}

	if len(g.right) == 0 && !g.shared {
		for _, p := range g.left {
			if p.node.Added() {
				a.add(stateOf(p.value))
			} else {
				a.element(p.node.OldAt())
			}
		}
		return
	}

	var moved []int
	for _, p := range slices.Concat(g.left, g.right) {
		if !p.node.Added() {
			moved = append(moved, p.node.OldAt())
		}
	}
	slices.Sort(moved)
	for _, i := range slices.Compact(moved) {
		a.element(i)
	}
	a.insert(at, inserted(g.left), inserted(g.right), g.shared)
}

// insert adds the elements that both sides inserted into a gap. In an ordered array they
// must be the same, or of one side only.
func (a *arrayMerger) insert(at int, left, right []value.Value, shared bool) {
	switch {
	case len(left) == 0:
		left = right
	case len(right) == 0 && !shared:

	case a.how.Unordered():
		left = slices.Concat(left, right)
		slices.SortFunc(left, value.Value.CompareIdentical)
	case len(right) > 0 && !slices.EqualFunc(left, right, a.rules.Relation.Equal):
		a.conflictAt(at, a.bothInserted(value.Array(left...), value.Array(right...)), ConflictAdd)
		return
	case len(right) > 0:
		for i := range left {
			left[i] = lesser(left[i], right[i])
		}
	}
	for _, v := range left {
		a.add(stateOf(v))
	}
}

func inserted(puts []put) []value.Value {
	var all []value.Value
	for _, p := range puts {
		if p.node.Added() {
			all = append(all, p.value)
		}
	}
	return all
}

func (a *arrayMerger) add(v state) {
	if v.there() {
		a.elems = append(a.elems, difftree.NotInherited(v.Value, a.t.secret()))
	}
}

func (a *arrayMerger) conflictAt(at int, of *triple, kind ConflictKind) {
	a.add(a.conflict(kind, of, a.where.below(path.Index(at), a.t.secret())))
}

// bothInserted returns the triple of insertions that conflict.
func (a *arrayMerger) bothInserted(left, right value.Value) *triple {
	if a.t.secret() {
		left, right = value.Secret(left), value.Secret(right)
	}
	return &triple{left: stateOf(left), right: stateOf(right)}
}

// compareConflicts orders conflicts at one place, the same if the sides are exchanged.
func compareConflicts(s, t *triple) int {
	low := lesser(s.left.Value, s.right.Value).CompareIdentical(lesser(t.left.Value, t.right.Value))
	return cmp.Or(low, greater(s.left.Value, s.right.Value).CompareIdentical(greater(t.left.Value, t.right.Value)))
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

func (a *arrayMerger) alike(left, right []put) bool {
	return slices.EqualFunc(left, right, func(p, q put) bool {
		if p.node.Added() || q.node.Added() {
			return p.node.Added() && q.node.Added() && a.rules.Relation.Equal(p.node.New, q.node.New)
		}
		return p.node.OldAt() == q.node.OldAt()
	})
}

func (a *arrayMerger) element(i int) {
	onLeft, onRight := a.left.nodes[i], a.right.nodes[i]
	base := a.t.base.elem(i)
	of := triple{base: base, left: a.left.state(i, base), right: a.right.state(i, base)}
	of.leftNode, of.rightNode = a.content(onLeft, onRight), a.content(onRight, onLeft)

	switch {
	case a.movedApart[i]:
		a.conflictAt(i, &of, ConflictMove)
	case of.leftNode == nil && of.rightNode == nil:
		a.add(base)
	default:
		a.add(a.child(a.t, &of, a.where, path.Index(i)))
	}
}

// content returns what a side did to an element, other than moving it. A move counts
// only if the other side removed the element, in an ordered array.
func (a *arrayMerger) content(n, other *difftree.Node) *difftree.Node {
	if n != nil && isMoveOnly(n) && (a.how.Unordered() || other == nil || !other.Removed()) {
		return nil
	}
	return n
}

// union merges what both sides insert into an unordered array, in whichever gaps: equal
// elements are one, and different ones with one key are in conflict.
func (a *arrayMerger) union() {
	seed, at := maphash.MakeSeed(), slices.Sorted(maps.Keys(a.gaps))

	onLeft := map[uint64][]*put{} // by identity
	for _, i := range at {
		g := a.gaps[i]
		if a.alike(g.left, g.right) {
			g.agree()
			continue
		}

		for k := range g.left {
			if p := &g.left[k]; p.node.Added() {
				sum := a.identity(seed, p.node.New)
				onLeft[sum] = append(onLeft[sum], p)
			}
		}
	}
	for _, i := range at {
		right := a.gaps[i].right
		for k := range right {
			if p := &right[k]; p.node.Added() {
				sum := a.identity(seed, p.node.New)
				onLeft[sum] = a.unite(onLeft[sum], p)
			}
		}
	}
	for _, i := range at {
		g := a.gaps[i]
		dropped := func(p put) bool { return p.dropped }
		g.left, g.right = slices.DeleteFunc(g.left, dropped), slices.DeleteFunc(g.right, dropped)
	}
}

// unite looks for an element that the right side inserts among those that the left side
// does, and removes it from these.
func (a *arrayMerger) unite(onLeft []*put, right *put) []*put {
	i := slices.IndexFunc(onLeft, func(p *put) bool { return a.sameElement(p.node.New, right.node.New) })
	if i < 0 {
		return onLeft
	}
	left := onLeft[i]
	first := a.gaps[min(left.gap, right.gap)]
	one := lesser(left.node.New, right.node.New)
	switch {
	case !a.rules.Relation.Equal(left.node.New, right.node.New):
		left.dropped, right.dropped = true, true
		first.conflicts = append(first.conflicts, a.bothInserted(left.node.New, right.node.New))
	case right.gap < left.gap:
		left.dropped, right.value = true, one
	default:
		right.dropped, left.value = true, one
		first.shared = first.shared || right.gap == left.gap
	}

	return slices.Delete(onLeft, i, i+1)
}

func (a *arrayMerger) identity(seed maphash.Seed, v value.Value) uint64 {
	if key, ok := a.how.KeyOf(v); ok {
		return walk.KeyRelation.Hash(seed, key)
	}
	return a.rules.Relation.Hash(seed, v)
}

// sameElement reports whether two elements are equal, or have equal keys.
func (a *arrayMerger) sameElement(v, w value.Value) bool {
	x, keyed := a.how.KeyOf(v)
	y, too := a.how.KeyOf(w)
	if keyed && too {
		return walk.KeyRelation.Equal(x, y)
	}
	return keyed == too && a.rules.Relation.Equal(v, w)
}
