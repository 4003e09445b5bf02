package diff

import (
	"cmp"
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// position checks that a record is in order and in range, and that its operation is possible
// there. The enclosing container notes it.
func (b *builder) position(up *opening, r *difftree.Record) (want string) {
	switch {
	case r.Op > difftree.OpMove:
		return "a defined operation"
	case up == nil:
		if len(b.found) > 0 || r.Key != "" || r.OldAt != 0 || r.NewAt != 0 || r.Moved || (r.Op != 0 && r.Op != difftree.OpUpdate) {
			return "one root, an update without key or index"
		}
		return ""
	case up.shape.Kind == value.KindObject:
		return b.member(up, r)
	}

	r.Moved = r.Moved || r.Op == difftree.OpMove
	return b.element(up, r)
}

func (b *builder) member(up *opening, r *difftree.Record) string {
	switch {
	case r.OldAt != 0 || r.NewAt != 0 || r.Moved:
		return "a member, without indexes"
	case r.Op != 0 && r.Op != difftree.OpAdd && r.Op != difftree.OpDelete && r.Op != difftree.OpUpdate:
		return "an add, delete or update"
	case len(b.found) > up.base && b.found[len(b.found)-1].Key >= r.Key:
		return "unique keys in order"
	}

	return ""
}

func (b *builder) element(up *opening, r *difftree.Record) string {
	n := difftree.Node{OldIndex: difftree.ClampIndex(r.OldAt), NewIndex: difftree.ClampIndex(r.NewAt), Op: r.Op}
	way := wayOf(up, r)
	if way != eitherWay && up.way == eitherWay {
		up.way = way
	}
	switch {
	case r.Key != "":
		return "an element, without a key"
	case way > byScript || (way != eitherWay && way != up.way) || (way == indexByIndex && r.OldAt != r.NewAt):
		return "records that are all index by index, or else insertions, removals and moves"
	case !inRange(up, r):
		return "indexes in range"
	case r.Moved && (n.Added() || n.Removed()):
		return "a moved element on both sides"
	case len(b.found) > up.base && difftree.CompareElements(b.found[len(b.found)-1], n) >= 0, !n.Removed() && r.NewAt <= up.last:
		return "unique elements in order"
	}

	if !n.Removed() {
		up.last = r.NewAt
	}
	return ""
}

// wayOf returns how a record describes an element; above byScript, it contradicts itself.
func wayOf(up *opening, r *difftree.Record) way {
	way := eitherWay
	switch r.Op {
	case difftree.OpAdd, difftree.OpDelete:
		way = indexByIndex
	case difftree.OpInsert, difftree.OpRemove:
		way = byScript

	case difftree.OpUpdate, difftree.OpMove:
	}
	if r.Moved || up.shape.Unordered || (way == eitherWay && r.OldAt != r.NewAt) {
		way |= byScript // with indexByIndex that is neither
	}
	return way
}

// inRange reports whether indexes can be those of an element, or of a gap.
func inRange(up *opening, r *difftree.Record) bool {
	lo, oldHi, newHi := 0, up.shape.OldLen()-1, up.shape.NewLen()-1
	switch r.Op {
	case difftree.OpAdd:
		lo, oldHi = up.shape.OldLen(), newHi
	case difftree.OpDelete:
		lo, newHi = up.shape.NewLen(), oldHi
	case difftree.OpInsert:
		oldHi++

	case difftree.OpRemove:
		newHi++
	case difftree.OpUpdate, difftree.OpMove:
	}
	return r.OldAt >= 0 && r.OldAt <= oldHi && r.NewAt >= lo && r.NewAt <= newHi
}

// checkArray checks the records of an array against each other: an element for every index
// on either side, those that did not move in order, and gaps where they are. It returns
// what was expected. It looks at the records only: lengths may be any.
func (o *opening) checkArray(inside []difftree.Node) string {
	taken, put := indexes(inside)
	olds, news := outOfOrder(inside, elementOf)
	moved := slices.ContainsFunc(inside, func(n difftree.Node) bool { return n.Facts.Has(difftree.Moved) })
	before := len(taken)
	switch {
	case len(slices.Compact(taken)) != before:
		return "each old element at most once"
	case o.shape.OldLen()-before != o.shape.NewLen()-len(put):
		return "an element for every place in both arrays"
	case (moved && o.shape.Unordered) != o.node.Facts.Has(difftree.OrderChanged):
		return "a change of order recorded exactly if elements moved"
	case o.way != byScript && o.node.Facts&(difftree.Own|difftree.ValueChanged) == difftree.Own|difftree.ValueChanged:
		return "elements matched by guess in an array with a changed length"
	}

	for i := range inside {
		if o.way == byScript && !inPlace(&inside[i], olds, news) {
			return "unmoved elements in order, and gaps at their first index"
		}
	}
	return ""
}

// inPlace reports whether a node is where the elements in order, all but the old and new
// ones listed, have it.
func inPlace(n *difftree.Node, olds, news []int) bool {
	oldRank, newRank := rankOf(olds, n.OldAt()), rankOf(news, n.NewAt())
	switch {
	case n.Removed():
		return n.NewAt() == gapAt(news, oldRank)
	case n.Added():
		return n.OldAt() == gapAt(olds, newRank)
	}

	return n.Facts.Has(difftree.Moved) || oldRank == newRank
}

// whole makes the node of a change as a whole.
func (b *builder) whole(up *opening, r *difftree.Record) (n difftree.Node, want string) {
	n = difftree.Node{Old: r.Old, New: r.New, Facts: difftree.HasOld | difftree.HasNew, Verdict: value.Changed}
	switch r.Op {
	case difftree.OpAdd, difftree.OpDelete, difftree.OpInsert, difftree.OpRemove:
		want = b.oneSided(up, r, &n)
	case difftree.OpUpdate:
		want = b.update(up, r)
		n.Facts, n.Verdict = b.rules.Update(r.Old, r.New)
	case difftree.OpMove:
		if !b.rules.Relation.Equal(r.Old, r.New) {
			want = "equal values for a move"
		}
	default:
		want = "an operation, or changes inside"
	}
	switch {
	case want != "":
		return n, want
	case r.OverNull && r.Op != difftree.OpAdd && r.Op != difftree.OpDelete:
		return n, "a missing null only for an add or delete"
	}

	want = b.finish(up, r, &n)
	return n, want
}

// oneSided makes, of a node with both sides, that of a value that was added or removed,
// inside a container.
func (b *builder) oneSided(up *opening, r *difftree.Record, n *difftree.Node) (want string) {
	this, other, otherFact := &n.Old, &n.New, difftree.HasNew
	if r.Op == difftree.OpAdd || r.Op == difftree.OpInsert {
		this, other, otherFact = &n.New, &n.Old, difftree.HasOld
	}
	inArray, below := up.shape.Kind == value.KindArray, up.shape.Secret
	switch {
	case r.OverNull && (inArray || !b.rules.Absent(*other, below)):
		return "no value, or a null that counts as missing, on the other side"
	case !inArray && b.rules.Absent(*this, below):
		return "a value that does not count as missing"
	case !r.OverNull:
		*other = value.Value{}
		n.Facts &^= otherFact
	}

	n.Facts |= difftree.ValueChanged
	if !inArray {
		n.Verdict = value.Internal.Alone(b.rules.Relation, *this)
	}
	return ""
}

// update checks the sides of a value that became another.
func (b *builder) update(up *opening, r *difftree.Record) (want string) {
	inObject := up != nil && up.shape.Kind == value.KindObject
	switch {
	case inObject && (b.rules.Absent(r.Old, up.shape.Secret) || b.rules.Absent(r.New, up.shape.Secret)):
		return "an add or delete, since one side counts as missing"
	case b.rules.Relation.Equal(r.Old, r.New):
		return "different values"
	}

	return ""
}

// ofItself makes the node of a change of a container itself. Without a shape
// nothing inside it changed.
func (b *builder) ofItself(up *opening, r *difftree.Record, shape *difftree.Branch) (n difftree.Node, want string) {
	n = difftree.Node{Old: r.Old, New: r.New, Facts: difftree.HasOld | difftree.HasNew | difftree.Own | r.Own, Verdict: value.Changed}
	want = cmp.Or(ownOp(up, r), b.ownSides(r, shape), ownFacts(r, shape))
	if want == "" {
		want = b.finish(up, r, &n)
	}
	return n, want
}

// ownOp checks the operation of a container itself.
func ownOp(up *opening, r *difftree.Record) (want string) {
	unordered := up != nil && up.shape.Unordered
	switch {
	case r.OverNull || (r.Op != difftree.OpUpdate && r.Op != difftree.OpMove) || (r.Op == difftree.OpMove && (up == nil || unordered)):
		return "an update, or a move in an ordered array"
	case (r.Op == difftree.OpUpdate && r.Own == 0) || r.Own&^difftree.OwnFacts != 0:
		return "a changed fact of the container itself"
	case r.Moved && r.Op == difftree.OpUpdate && !unordered:
		return "a move for a moved element"
	}

	return ""
}

// ownSides checks the sides of a container that changed itself.
func (b *builder) ownSides(r *difftree.Record, shape *difftree.Branch) (want string) {
	kind := r.Old.Kind()
	switch {
	case !kind.IsContainer() || kind != r.New.Kind() || (shape != nil && kind != shape.Kind):
		return "containers of the same kind"
	case b.rules.SecretsDiffer(r.Old, r.New):
		return "a change as a whole if only one side is secret"
	case b.rules.DependenciesDiffer(r.Old, r.New) != (r.Own&difftree.DependenciesChanged != 0):
		return "a change of dependencies recorded exactly if they differ"
	case shape != nil && !shape.Secret && (r.Old.IsSecret() || r.New.IsSecret()):
		return "secret contents in a secret container"
	case shape != nil && kind == value.KindArray && (shape.OldLen() != r.Old.Len() || shape.NewLen() != r.New.Len()):
		return "the lengths of the array"
	}

	return ""
}

// ownFacts checks the facts of a container that changed itself.
func ownFacts(r *difftree.Record, shape *difftree.Branch) (want string) {
	isArray := shape != nil && shape.Kind == value.KindArray
	switch {
	case r.Own&difftree.OrderChanged != 0 && (!isArray || !shape.Unordered):
		return "a changed order in unordered arrays only"
	case r.Own&difftree.ValueChanged != 0 && (!isArray || shape.OldLen() == shape.NewLen()):
		return "arrays of different lengths"
	case shape == nil && r.Own != difftree.DependenciesChanged:
		return "changes inside"
	}

	return ""
}

// bare makes the node of a container that only has changes inside.
func (b *builder) bare(up *opening, r *difftree.Record) (n difftree.Node, want string) {
	switch {
	case r.OverNull || r.Own != 0:
		return n, "an operation"
	case r.Moved && !up.shape.Unordered:
		return n, "a move for a moved element"
	}

	locate(r, &n)
	return n, ""
}

// locate puts a node where its record says.
func locate(r *difftree.Record, n *difftree.Node) {
	n.Key, n.OldIndex, n.NewIndex, n.Op = r.Key, difftree.ClampIndex(r.OldAt), difftree.ClampIndex(r.NewAt), r.Op
	if r.Moved {
		n.Facts |= difftree.Moved
	}
}

// finish checks the values of a node against its container, and counts it.
func (b *builder) finish(up *opening, r *difftree.Record, n *difftree.Node) (want string) {
	locate(r, n)
	switch {
	case (n.Facts.Has(difftree.HasOld) && !b.marked(up, n.Old)) || (n.Facts.Has(difftree.HasNew) && !b.marked(up, n.New)):
		return "an inherited secret mark on values in secret containers, and only there"
	case len(b.open)+max(n.Old.Depth(), n.New.Depth()) > value.MaxDepth:
		return wantDepth()
	case up.known() && !b.agrees(up, n):
		return wantKnown
	}

	b.uncertain = b.uncertain || n.Old.ContainsUnknown() || n.New.ContainsUnknown()
	if n.Op == difftree.OpMove && up.shape.Unordered {
		return "" // another order is a change of the array
	}
	if r.Verdict == value.Maybe {
		n.Verdict = value.Maybe
	}
	b.count++
	b.verdict = max(b.verdict, n.Verdict)
	b.uncertain = b.uncertain || n.Verdict == value.Maybe
	n.Facts |= difftree.IsChange
	n.Verdict = b.rules.ResultOf(n.Verdict)
	return ""
}

// marked reports whether a value may have the secret mark that it has, or none, there.
func (b *builder) marked(up *opening, v value.Value) bool {
	switch {
	case up == nil:
		return true
	case up.shape.Secret:
		return v.IsSecret() || b.rules.Relation&value.IgnoreSecrets != 0
	}
	return v.OwnSecret() || !v.IsSecret()
}

// agrees reports whether a node has what its container, which is known, has there.
func (b *builder) agrees(up *opening, n *difftree.Node) bool {
	old, now := up.children(n)
	return old.there() == n.Facts.Has(difftree.HasOld) && now.there() == n.Facts.Has(difftree.HasNew) &&
		(!old.there() || b.rules.Relation.Equal(old.Value, n.Old)) &&
		(!now.there() || b.rules.Relation.Equal(now.Value, n.New))
}

func (o *opening) children(n *difftree.Node) (old, now state) {
	if o.shape.Kind == value.KindObject {
		return o.old.member(n.Key), o.now.member(n.Key)
	}
	if !n.Added() {
		old = o.old.elem(n.OldAt())
	}
	if !n.Removed() {
		now = o.now.elem(n.NewAt())
	}
	return old, now
}

const wantKnown = "the values of the enclosing container, which is itself a change"

// know finds the values of a container that is entered, where they are known.
func (o *opening) know(up *opening, r *difftree.Record) (want string) {
	switch {
	case r.Op != 0:
		o.old, o.now = stateOf(r.Old), stateOf(r.New)
		return ""
	case !up.known():
		return ""
	}
	o.old, o.now = up.children(&o.node)
	kind := o.shape.Kind
	if !o.old.hasKind(kind) || !o.now.hasKind(kind) ||
		(kind == value.KindArray && (o.old.Len() != o.shape.OldLen() || o.now.Len() != o.shape.NewLen())) {
		return wantKnown
	}

	return ""
}
