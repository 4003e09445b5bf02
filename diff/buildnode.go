package diff

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// whole makes the node of a change as a whole.
func (x *building) whole(up *opening, r *Record) (difftree.Node, bool) {
	n, verdict, want := difftree.Node{}, value.Changed, ""
	switch r.Op {
	case OpAdd, OpDelete, OpInsert, OpRemove:
		n, verdict, want = x.oneSided(up, r)
	case OpUpdate:
		n, want = x.update(up, r)
		verdict = n.Verdict
	case OpMove:
		n = difftree.Node{Old: r.Old, New: r.New, Facts: difftree.HasOld | difftree.HasNew}
		if !x.rules.Relation.Equal(r.Old, r.New) {
			want = "equal values for a move"
		}
	default:
		want = "an operation, or changes inside"
	}
	if want == "" && r.OverNull && r.Op != OpAdd && r.Op != OpDelete {
		want = "a missing null only for an add or delete"
	}
	if want != "" {
		x.fail(r, want)
		return n, false
	}
	ok := x.finish(up, r, &n, verdict)
	return n, ok
}

// oneSided makes the node of what came or went. (Its container is no root.)
func (x *building) oneSided(up *opening, r *Record) (n difftree.Node, verdict value.Verdict, want string) {
	came := r.Op == OpAdd || r.Op == OpInsert
	this, other, here := r.Old, r.New, difftree.HasOld
	if came {
		this, other, here = r.New, r.Old, difftree.HasNew
	}
	n.Facts = difftree.ValueChanged | here
	if r.OverNull {
		n.Facts |= difftree.HasOld | difftree.HasNew
	} else {
		other = value.Value{}
	}
	n.Old, n.New = this, other
	if came {
		n.Old, n.New = other, this
	}
	verdict = value.Changed
	inArray, below := up.shape.Kind == value.KindArray, up.shape.Secret
	switch {
	case r.OverNull && (inArray || !x.rules.Absent(other, below)):
		want = "no value, or a null that counts as missing, on the other side"
	case inArray:
	case x.rules.Absent(this, below):
		want = "a value that does not count as missing"
	default:
		verdict = x.rules.Relation.Alone(this)
	}
	return n, verdict, want
}

// update makes the node of a value that became another.
func (x *building) update(up *opening, r *Record) (difftree.Node, string) {
	inObject := up != nil && up.shape.Kind == value.KindObject
	switch {
	case inObject && (x.rules.Absent(r.Old, up.shape.Secret) || x.rules.Absent(r.New, up.shape.Secret)):
		return difftree.Node{}, "an add or delete, since one side counts as missing"
	case x.rules.Relation.Equal(r.Old, r.New):
		return difftree.Node{}, "different values"
	}
	n := difftree.Node{Old: r.Old, New: r.New, Op: difftree.OpUpdate}
	n.Facts, n.Verdict = x.rules.Update(r.Old, r.New)
	return n, ""
}

// ofItself makes the node of a change of a container itself. Without a shape
// nothing inside it changed.
func (x *building) ofItself(up *opening, r *Record, shape *difftree.Branch) (difftree.Node, bool) {
	n := difftree.Node{Old: r.Old, New: r.New, Facts: difftree.HasOld | difftree.HasNew | r.Own.facts()}
	want := ownOp(up, r)
	if want == "" {
		want = x.ownSides(r, shape)
	}
	if want == "" {
		want = ownFacts(r, shape)
	}
	if want != "" {
		x.fail(r, want)
		return n, false
	}
	ok := x.finish(up, r, &n, value.Changed)
	return n, ok
}

// ownOp checks what is said to have happened to a container itself.
func ownOp(up *opening, r *Record) (want string) {
	unordered := up != nil && up.shape.Unordered
	switch {
	case r.OverNull || r.Op != OpUpdate && r.Op != OpMove || r.Op == OpMove && (up == nil || unordered):
		return "an update, or a move in an ordered array"
	case r.Op == OpUpdate && r.Own == 0 || r.Own > OwnDependencies|OwnOrder|OwnLength:
		return "a changed fact of the container itself"
	case r.Moved && r.Op == OpUpdate && !unordered:
		return "a move for a moved element"
	}
	return ""
}

// ownSides checks the sides of a container that changed itself.
func (x *building) ownSides(r *Record, shape *difftree.Branch) (want string) {
	kind := r.Old.Kind()
	switch {
	case !kind.IsContainer() || kind != r.New.Kind() || shape != nil && kind != shape.Kind:
		return "containers of the same kind"
	case x.rules.SecretsDiffer(r.Old, r.New):
		return "a change as a whole if only one side is secret"
	case x.rules.DependenciesDiffer(r.Old, r.New) != (r.Own&OwnDependencies != 0):
		return "a change of dependencies recorded exactly if they differ"
	case shape != nil && !shape.Secret && (r.Old.IsSecret() || r.New.IsSecret()):
		return "secret contents in a secret container"
	case shape != nil && kind == value.KindArray && (shape.OldLen() != r.Old.Len() || shape.NewLen() != r.New.Len()):
		return "the lengths of the array"
	}
	return ""
}

// ownFacts checks the rest of what is said to have changed of a container.
func ownFacts(r *Record, shape *difftree.Branch) (want string) {
	isArray := shape != nil && shape.Kind == value.KindArray
	switch {
	case r.Own&OwnOrder != 0 && (!isArray || !shape.Unordered):
		return "a changed order in unordered arrays only"
	case r.Own&OwnLength != 0 && (!isArray || shape.OldLen() == shape.NewLen()):
		return "arrays of different lengths"
	case shape == nil && r.Own != OwnDependencies:
		return "changes inside"
	}
	return ""
}

// bare makes the node of a container that is no change itself.
func (x *building) bare(up *opening, r *Record) (difftree.Node, bool) {
	switch {
	case r.OverNull || r.Own != 0:
		x.fail(r, "an operation")
		return difftree.Node{}, false
	case r.Moved && !up.shape.Unordered:
		x.fail(r, "a move for a moved element")
		return difftree.Node{}, false
	}
	n := difftree.Node{Key: r.Key, OldIndex: difftree.ClampIndex(r.OldAt), NewIndex: difftree.ClampIndex(r.NewAt)}
	if r.Moved {
		n.Facts = difftree.Moved
	}
	return n, true
}

// finish checks the values of a node against what it is in, and counts it.
func (x *building) finish(up *opening, r *Record, n *difftree.Node, verdict value.Verdict) bool {
	n.Key, n.OldIndex, n.NewIndex, n.Op = r.Key, difftree.ClampIndex(r.OldAt), difftree.ClampIndex(r.NewAt), difftree.Op(r.Op)
	if r.Moved {
		n.Facts |= difftree.Moved
	}
	if n.Facts.Has(difftree.HasOld) && !x.marked(up, n.Old) || n.Facts.Has(difftree.HasNew) && !x.marked(up, n.New) {
		x.fail(r, "an inherited secret mark on values in secret containers, and only there")
		return false
	}
	if len(x.open)+max(n.Old.Depth(), n.New.Depth()) > value.MaxDepth {
		x.fail(r, wantDepth())
		return false
	}
	if up != nil && up.known && !x.agrees(up, n) {
		x.fail(r, "the values of the enclosing container, which is itself a change")
		return false
	}
	x.uncertain = x.uncertain || n.Old.ContainsUnknown() || n.New.ContainsUnknown()
	n.Verdict = value.Changed
	if n.Op == difftree.OpMove && up.shape.Unordered {
		return true // no change: another order is told of the array
	}
	if r.Verdict == value.Maybe {
		verdict = value.Maybe
	}
	n.Facts |= difftree.IsChange
	n.Verdict = x.rules.ResultOf(verdict)
	x.count++
	x.verdict = max(x.verdict, verdict)
	x.uncertain = x.uncertain || verdict == value.Maybe
	return true
}

// marked reports whether a value may have its secret mark, or none, where it is.
func (x *building) marked(up *opening, v value.Value) bool {
	switch {
	case up == nil:
		return true
	case up.shape.Secret:
		return v.IsSecret() || x.rules.Relation&value.IgnoreSecrets != 0
	}
	return v.OwnSecret() || !v.IsSecret()
}

// agrees reports whether what a node has is what its container has there, which
// is known.
func (x *building) agrees(up *opening, n *difftree.Node) bool {
	old, inOld := child(up.old, n, true)
	now, inNew := child(up.now, n, false)
	return inOld == n.Facts.Has(difftree.HasOld) && inNew == n.Facts.Has(difftree.HasNew) &&
		(!inOld || x.rules.Relation.Equal(old, n.Old)) && (!inNew || x.rules.Relation.Equal(now, n.New))
}

// child is what a container has where a node is.
func child(in value.Value, n *difftree.Node, old bool) (value.Value, bool) {
	if in.Kind() == value.KindObject {
		return in.Lookup(n.Key)
	}
	i, none := n.NewAt(), n.Removed()
	if old {
		i, none = n.OldAt(), n.Added()
	}
	if none || i >= in.Len() {
		return value.Value{}, false
	}
	return in.Elem(i), true
}

// know finds the values of a container that is entered, where they are known.
func (x *building) know(up *opening, r *Record, f *opening) bool {
	switch {
	case r.Op != 0:
		f.old, f.now, f.known = r.Old, r.New, true
		return true
	case up == nil || !up.known:
		return true
	}
	old, inOld := child(up.old, &f.node, true)
	now, inNew := child(up.now, &f.node, false)
	kind := f.shape.Kind
	if !inOld || !inNew || old.Kind() != kind || now.Kind() != kind ||
		kind == value.KindArray && (old.Len() != f.shape.OldLen() || now.Len() != f.shape.NewLen()) {
		x.fail(r, "the values of the enclosing container, which is itself a change")
		return false
	}
	f.old, f.now, f.known = old, now, true
	return true
}
