package diff

// NOTE: Arrays of which both sides changed elements are merged here. Where both are compared
// index by index, indexes does it, and lengthsConflict finds a ConflictLength; otherwise array,
// in passes over this drawing of base:
//
//	  a   b   c      elements, which stay in this order unless a side moves them
//	^   ^   ^   ^    gaps, into which the sides put elements: inserted ones, and moved ones
//
//	moves          the gap of a moved element; a ConflictMove if the sides moved it apart
//	agree          one list of what both sides put into a gap alike
//	uniteInserted  unordered: which inserted elements are one, in any gaps; a ConflictAdd if
//	               they have one key and differ
//	fillGap        the order in a gap; ordered: a ConflictAdd if the sides insert other
//	               elements (insertBoth)
//	element        an element of base; what both sides did in it is for place in merge.go

import (
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
	if m.lengthsConflict(t, pairs) {
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

// lengthsConflict reports whether the sides gave an array different lengths or different new
// elements, or one side removed an element that the other changed.
func (m *merger) lengthsConflict(t *triple, pairs []pair) bool {
	n, left, right := t.base.Len(), t.left.Len(), t.right.Len()
	if left != n && right != n && left != right {
		return true
	}
	for i := n; i < left && left == right; i++ {
		if !m.rules.Relation.Equal(t.left.Elem(i), t.right.Elem(i)) {
			return true
		}
	}

	return slices.ContainsFunc(pairs, func(p pair) bool {
		onLeft, onRight := p.nodes()
		return onLeft != nil && onRight != nil && onLeft.Removed() != onRight.Removed()
	})
}

// array merges arrays whose elements were matched otherwise; see the drawing above.
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
	a.distribute(a.left.puts, func(g *gap) *[]put { return &g.left })
	a.distribute(a.right.puts, func(g *gap) *[]put { return &g.right })
	for _, g := range a.gaps {
		a.agree(g)
	}
	if how.Unordered() {
		a.uniteInserted()
	}
	for i := range t.base.Len() + 1 {
		if g := a.gaps[i]; g != nil {
			a.fillGap(i, g)
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
	left, right []put // in the order of the side
	both        []put // instead of these, if they are alike
	shared      bool  // both sides inserted an element there that is now in left only
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

// distribute adds what a side moved and inserted to the gaps, but for elements that stay.
func (a *arrayMerger) distribute(puts []put, side func(*gap) *[]put) {
	for _, p := range puts {
		i := p.gap
		if !p.node.Added() {
			to, moved := a.moved[p.node.OldAt()]
			if !moved {
				continue
			}
			i = to
		}

		if a.gaps[i] == nil {
			a.gaps[i] = &gap{}
		}
		list := side(a.gaps[i])
		*list = append(*list, p)
	}
}

// fillGap adds the elements of a gap. If only one side put elements there, they are in its
// order; otherwise moved elements are first, in the order of base.
func (a *arrayMerger) fillGap(at int, g *gap) {
	slices.SortFunc(g.conflicts, compareConflicts)
	for _, of := range g.conflicts {
		a.conflictAt(at, of, ConflictAdd)
	}

	puts := slices.Concat(g.both, g.left, g.right)
	if len(g.left) == 0 || (len(g.right) == 0 && !g.shared) {
		for _, p := range puts {
			if p.node.Added() {
				a.add(stateOf(p.value))
			} else {
				a.element(p.node.OldAt())
			}
		}
		return
	}

	var moved []int
	for _, p := range puts {
		if !p.node.Added() {
			moved = append(moved, p.node.OldAt())
		}
	}
	slices.Sort(moved)
	for _, i := range slices.Compact(moved) {
		a.element(i)
	}
	a.insertBoth(at, inserted(g.left), inserted(g.right), g.shared)
}

// insertBoth adds the elements that both sides inserted into a gap. In an ordered array they
// must be the same, or of one side only.
func (a *arrayMerger) insertBoth(at int, left, right []value.Value, shared bool) {
	all := slices.Concat(left, right)
	switch {
	case len(left) == 0 || (len(right) == 0 && !shared):

	case a.how.Unordered():
		slices.SortFunc(all, value.Internal.CompareIdentical)
	case !slices.EqualFunc(left, right, a.rules.Relation.Equal):
		a.conflictAt(at, a.bothInserted(value.Array(left...), value.Array(right...)), ConflictAdd)
		return
	default:
		all = all[:len(left)]
		for i := range all {
			all[i] = lesser(left[i], right[i])
		}
	}

	for _, v := range all {
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
	return slices.CompareFunc(s.sides(), t.sides(), value.Internal.CompareIdentical)
}

// sides returns the values of both sides, the lesser one first.
func (t *triple) sides() []value.Value {
	sides := []value.Value{t.left.Value, t.right.Value}
	slices.SortFunc(sides, value.Internal.CompareIdentical)
	return sides
}

// agree makes one list of what both sides put into a gap, if the lists are alike.
func (a *arrayMerger) agree(g *gap) {
	if !slices.EqualFunc(g.left, g.right, a.alike) {
		return
	}
	for i := range g.left {
		if g.left[i].node.Added() {
			g.left[i].value = lesser(g.left[i].value, g.right[i].value)
		}
	}
	g.both, g.left, g.right = g.left, nil, nil
}

// alike reports whether the sides move the same element, or insert equal ones.
func (a *arrayMerger) alike(p, q put) bool {
	if p.node.Added() || q.node.Added() {
		return p.node.Added() && q.node.Added() && a.rules.Relation.Equal(p.node.New, q.node.New)
	}
	return p.node.OldAt() == q.node.OldAt()
}

// element adds an element of base, with what the sides did in it.
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

// uniteInserted merges what both sides insert into an unordered array, in whichever gaps:
// equal elements are one, and different ones with one key are in conflict.
func (a *arrayMerger) uniteInserted() {
	seed, at := maphash.MakeSeed(), slices.Sorted(maps.Keys(a.gaps))

	onLeft := map[uint64][]*put{} // by identity
	for _, i := range at {
		left := a.gaps[i].left
		for k := range left {
			if p := &left[k]; p.node.Added() {
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
