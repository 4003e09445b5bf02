package diff

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Changed reports whether the new value at a path differs from the old value.
//
// It is true if the value, or something in it, was added, removed, updated or moved. In
// arrays that are not matched by index, an element is compared with the one that it was
// matched with. The time grows with the length of the path, with the number of elements
// that were removed from such arrays, and, below a subtree that changed as a whole,
// with the size of the value at the path.
func (d Diff) Changed(p path.Path) bool {
	s, depth := d.root(), 0
	if s.In == nil {
		return false
	}
	for step := range p.Steps() {
		n := s.Node()
		if n.Whole() {
			break
		}
		if s = childOf(n.Below, step); s.In == nil {
			return false
		}
		depth++
	}
	n := s.Node()
	rest, _ := p.TrimPrefix(p.Prefix(depth))
	if rest.IsRoot() {
		return n.Facts.Has(difftree.IsChange) || n.Below != nil
	}
	x, inOld := partAt(d.rules, n.Old, n.Facts.Has(difftree.HasOld), rest)
	y, inNew := partAt(d.rules, n.New, n.Facts.Has(difftree.HasNew), rest)
	return inOld != inNew || inOld && !d.rules.Relation.Equal(x, y)
}

// partAt is what stands at a path inside a value; what counts as missing is not
// there.
func partAt(r difftree.Rules, v value.Value, there bool, rest path.Path) (value.Value, bool) {
	if !there {
		return value.Value{}, false
	}
	above, _ := rest.Parent()
	last, _ := rest.Last()
	container, _ := v.At(above)
	part, ok := v.At(rest)
	if ok && last.IsKey() && r.Absent(part, container.IsSecret()) {
		return value.Value{}, false
	}
	return part, ok
}

// childOf finds the node that a step of the new side leads to; a nil branch has
// none.
func childOf(b *difftree.Branch, step path.Step) difftree.Place {
	if b == nil || step.IsKey() != (b.Kind == value.KindObject) {
		return difftree.Place{}
	}
	key, _ := step.Key()
	index, _ := step.Index()
	i, ok := slices.BinarySearchFunc(b.Nodes, key, func(n difftree.Node, key string) int {
		if b.Kind == value.KindObject {
			return strings.Compare(n.Key, key)
		}
		return n.NewAt() - index
	})
	// Of an array, what went stands in front of what is at its place now. It is
	// found only where nothing else can stand at its index, at the end.
	for ; ok && b.Nodes[i].Op == difftree.OpRemove; i++ {
		ok = i+1 < len(b.Nodes) && b.Nodes[i+1].NewAt() == index
	}
	if !ok {
		return difftree.Place{}
	}
	return b.Child(i)
}
