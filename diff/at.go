package diff

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Changed reports whether what stands at a path of the new value differs from
// what the old value has there: it, or something in it, came, went, changed or
// moved. Where elements were matched other than by index, an element is held
// against the one that it was matched with. It takes time in the length of the
// path and, of such an array, in the number of elements that went; and, below a subtree that changed as a whole, in the size of what
// stands at the path.
func (d Diff) Changed(p path.Path) bool {
	s, depth := d.root(), 0
	if s.in == nil {
		return false
	}
	for step := range p.Steps() {
		n := s.node()
		if n.whole() {
			break
		}
		if s = n.below.child(step); s.in == nil {
			return false
		}
		depth++
	}
	n := s.node()
	rest, _ := p.TrimPrefix(p.Prefix(depth))
	if rest.IsRoot() {
		return n.facts.has(isChange) || n.below != nil
	}
	x, inOld := d.rules.part(n.old, n.facts.has(hasOld), rest)
	y, inNew := d.rules.part(n.new, n.facts.has(hasNew), rest)
	return inOld != inNew || inOld && !d.rules.relation.Equal(x, y)
}

// part is what stands at a path inside a value; what counts as missing is not
// there.
func (r rules) part(v value.Value, there bool, rest path.Path) (value.Value, bool) {
	if !there {
		return value.Value{}, false
	}
	above, _ := rest.Parent()
	last, _ := rest.Last()
	container, _ := v.At(above)
	part, ok := v.At(rest)
	if ok && last.IsKey() && r.absent(part, container.IsSecret()) {
		return value.Value{}, false
	}
	return part, ok
}

// child finds the node that a step of the new side leads to; a nil branch has
// none.
func (b *branch) child(step path.Step) spot {
	if b == nil || step.IsKey() != (b.kind == value.KindObject) {
		return spot{}
	}
	key, _ := step.Key()
	index, _ := step.Index()
	i, ok := slices.BinarySearchFunc(b.nodes, key, func(n node, key string) int {
		if b.kind == value.KindObject {
			return strings.Compare(n.key, key)
		}
		return n.newAt() - index
	})
	// Of an array, what went stands in front of what is at its place now. It is
	// found only where nothing else can stand at its index, at the end.
	for ; ok && b.nodes[i].op == OpRemove; i++ {
		ok = i+1 < len(b.nodes) && b.nodes[i+1].newAt() == index
	}
	if !ok {
		return spot{}
	}
	return spot{b, i}
}
