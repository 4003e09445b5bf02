package diff

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Diff is the set of changes from an old value to a new one, under a [value.Relation].
//
// It is immutable and safe for concurrent use. The zero Diff is the empty one under
// [value.Strict]. A Diff keeps the differing parts of both values alive, secrets
// included; texts that package fmt makes of it do not show secrets.
type Diff struct {
	top       veil.Pointer[difftree.Branch] // nil: empty; else of a branch that holds one node, the root's
	count     int
	rules     difftree.Rules
	verdict   value.Verdict
	uncertain bool // a side holds an unknown, or a change may be none
}

// Empty reports whether there are no changes: the values are equal under d.Relation().
func (d Diff) Empty() bool { return d.top.Open() == nil }

// Certain reports whether the diff is final. It is not if one of the values contains an
// unknown, even in a part that did not change, or if some change may turn out to be none,
// such as a change of a sealed secret or of an asset without a hash. Certain takes constant
// time.
func (d Diff) Certain() bool { return !d.uncertain }

// Verdict returns [value.Same] if the diff is empty, [value.Maybe] if all changes may
// turn out to be none, and [value.Changed] otherwise.
func (d Diff) Verdict() value.Verdict { return d.verdict }

// Relation returns the Relation under which the values were compared.
func (d Diff) Relation() value.Relation { return d.rules.Relation }

// Len returns the number of [Diff.Changes]. It is O(1).
func (d Diff) Len() int { return d.count }

// Equal reports whether two diffs have the same Relation and the same changes. Values
// are the same if they are [value.Value.Identical]. Package go-cmp uses this method.
func (d Diff) Equal(e Diff) bool {
	if d.rules != e.rules || d.count != e.count || d.verdict != e.verdict || d.uncertain != e.uncertain {
		return false
	}

	x, y := d.root(), e.root()
	for x.In != nil && y.In != nil {
		if !x.Node().Same(y.Node()) {
			return false
		}
		x, y = x.Next(), y.Next()
	}
	return x.In == nil && y.In == nil
}

func (d Diff) root() difftree.Place { return d.top.Open().Child(0) }

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
	return inOld != inNew || (inOld && !d.rules.Relation.Equal(x, y))
}

// partAt returns the value at a path inside v, and false if there is none, or one that
// counts as missing.
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

// childOf returns the node that a step of the new side leads to, or the zero Place. The
// branch may be nil.
func childOf(b *difftree.Branch, step path.Step) difftree.Place {
	if b == nil || step.IsKey() != (b.Kind == value.KindObject) {
		return difftree.Place{}
	}

	key, _ := step.AsKey()
	index, _ := step.AsIndex()
	i, ok := slices.BinarySearchFunc(b.Nodes, key, func(n difftree.Node, key string) int {
		if b.Kind == value.KindObject {
			return strings.Compare(n.Key, key)
		}
		return n.NewAt() - index
	})
	// In an array, a removed element precedes the element that now has its index. It is
	// found only if no other element can have that index, at the end.
	for ; ok && b.Nodes[i].Op == difftree.OpRemove; i++ {
		ok = i+1 < len(b.Nodes) && b.Nodes[i+1].NewAt() == index
	}
	if !ok {
		return difftree.Place{}
	}
	return b.Child(i)
}
