package diff

import (
	"hash/maphash"
	"maps"
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/walk"
	"github.com/propalg/propalg/value"
)

// union brings together what both sides insert into an array whose order is no
// matter, wherever they do: equal elements are one, and different ones of one key
// are in conflict.
func (a *arrayMerger) union() {
	seed, at := maphash.MakeSeed(), slices.Sorted(maps.Keys(a.gaps))
	ours := map[uint64][]*insertion{}
	for _, i := range at {
		g := a.gaps[i]
		if a.alike(g.left, g.right) {
			g.agree()
			continue
		}
		for k := range g.left {
			if g.left[k].node.Added() {
				in := &insertion{of: &g.left[k], gap: i}
				sum := a.identity(seed, in.of.node.New)
				ours[sum] = append(ours[sum], in)
			}
		}
	}
	gone := map[*difftree.Node]bool{}
	for _, i := range at {
		right := a.gaps[i].right
		for k := range right {
			if p := &right[k]; p.node.Added() {
				sum := a.identity(seed, p.node.New)
				ours[sum] = a.unite(ours[sum], p, i, gone)
			}
		}
	}
	for _, i := range at {
		g := a.gaps[i]
		dropped := func(p put) bool { return gone[p.node] }
		g.left, g.right = slices.DeleteFunc(g.left, dropped), slices.DeleteFunc(g.right, dropped)
	}
}

// insertion is an element that the left side inserts.
type insertion struct {
	of  *put
	gap int
}

// unite looks for what the right side inserts among what the left one does, and
// takes it out of these.
func (a *arrayMerger) unite(ours []*insertion, p *put, at int, gone map[*difftree.Node]bool) []*insertion {
	i := slices.IndexFunc(ours, func(in *insertion) bool { return a.same(in.of.node.New, p.node.New) })
	if i < 0 {
		return ours
	}
	in := ours[i]
	first := a.gaps[min(at, in.gap)]
	one := lesser(in.of.node.New, p.node.New)
	switch {
	case !a.rules.Relation.Equal(in.of.node.New, p.node.New):
		gone[in.of.node], gone[p.node] = true, true
		first.conflicts = append(first.conflicts, a.versus(in.of.node.New, p.node.New))
	case at < in.gap:
		gone[in.of.node], p.value = true, one
	default:
		gone[p.node], in.of.value = true, one
		first.mixed = first.mixed || at == in.gap
	}
	return slices.Delete(ours, i, i+1)
}

// key is what an element is known by, if not by all of it.
func (a *arrayMerger) key(v value.Value) (value.Value, bool) {
	if a.how.By != walk.ByKey {
		return value.Value{}, false
	}
	key, ok := v.At(a.how.Key)
	return key, ok && !key.IsNull() && !key.IsUnknown() && !key.Kind().IsContainer()
}

func (a *arrayMerger) identity(seed maphash.Seed, v value.Value) uint64 {
	if key, ok := a.key(v); ok {
		return walk.KeyRelation.Hash(seed, key)
	}
	return a.rules.Relation.Hash(seed, v)
}

// same reports whether two elements are one, or should be.
func (a *arrayMerger) same(v, w value.Value) bool {
	x, keyed := a.key(v)
	y, too := a.key(w)
	if keyed && too {
		return walk.KeyRelation.Equal(x, y)
	}
	return keyed == too && a.rules.Relation.Equal(v, w)
}
