package diff

import "github.com/propalg/propalg/value"

// whole makes the node of a change as a whole.
func (x *building) whole(up *opening, r *Record) (node, bool) {
	n, verdict, want := node{}, value.Changed, ""
	switch r.Op {
	case OpAdd, OpDelete, OpInsert, OpRemove:
		n, verdict, want = x.oneSided(up, r)
	case OpUpdate:
		n, want = x.update(up, r)
		verdict = n.verdict
	case OpMove:
		n = node{old: r.Old, new: r.New, facts: hasOld | hasNew}
		if !x.rules.relation.Equal(r.Old, r.New) {
			want = "two sides that are equal, of what only moved"
		}
	default:
		want = "a change, or changes inside"
	}
	if want == "" && r.OverNull && r.Op != OpAdd && r.Op != OpDelete {
		want = "a null that counts as missing beside what came or went"
	}
	if want != "" {
		x.fail(r, want)
		return n, false
	}
	ok := x.finish(up, r, &n, verdict)
	return n, ok
}

// oneSided makes the node of what came or went. (Its container is no root.)
func (x *building) oneSided(up *opening, r *Record) (n node, verdict value.Verdict, want string) {
	came := r.Op == OpAdd || r.Op == OpInsert
	this, other, here := r.Old, r.New, hasOld
	if came {
		this, other, here = r.New, r.Old, hasNew
	}
	n.facts = valueChanged | here
	if r.OverNull {
		n.facts |= hasOld | hasNew
	} else {
		other = value.Value{}
	}
	n.old, n.new = this, other
	if came {
		n.old, n.new = other, this
	}
	verdict = value.Changed
	inArray, below := up.shape.kind == value.KindArray, up.shape.secret
	switch {
	case r.OverNull && (inArray || !x.rules.absent(other, below)):
		want = "nothing, or a null that counts as missing, on the other side"
	case inArray:
	case x.rules.absent(this, below):
		want = "a value that does not count as missing"
	default:
		verdict = x.rules.relation.Alone(this)
	}
	return n, verdict, want
}

// update makes the node of a value that became another.
func (x *building) update(up *opening, r *Record) (node, string) {
	inObject := up != nil && up.shape.kind == value.KindObject
	switch {
	case inObject && (x.rules.absent(r.Old, up.shape.secret) || x.rules.absent(r.New, up.shape.secret)):
		return node{}, "an add or delete, since a side counts as missing"
	case x.rules.relation.Equal(r.Old, r.New):
		return node{}, "two sides that differ"
	}
	n := node{old: r.Old, new: r.New, op: OpUpdate}
	n.facts, n.verdict = x.rules.update(r.Old, r.New)
	return n, ""
}

// ofItself makes the node of a change of a container itself. Without a shape
// nothing inside it changed.
func (x *building) ofItself(up *opening, r *Record, shape *branch) (node, bool) {
	n := node{old: r.Old, new: r.New, facts: hasOld | hasNew | r.Own.facts()}
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
	unordered := up != nil && up.shape.unordered
	switch {
	case r.OverNull || r.Op != OpUpdate && r.Op != OpMove || r.Op == OpMove && (up == nil || unordered):
		return "an update, or a move of one of ordered elements"
	case r.Op == OpUpdate && r.Own == 0 || r.Own > OwnDependencies|OwnOrder|OwnLength:
		return "something of the container itself that changed"
	case r.Moved && r.Op == OpUpdate && !unordered:
		return "a move"
	}
	return ""
}

// ownSides checks the sides of a container that changed itself.
func (x *building) ownSides(r *Record, shape *branch) (want string) {
	kind := r.Old.Kind()
	switch {
	case !kind.IsContainer() || kind != r.New.Kind() || shape != nil && kind != shape.kind:
		return "two containers of one kind"
	case x.rules.secretness(r.Old, r.New):
		return "a change as a whole where one side alone is secret"
	case x.rules.dependencies(r.Old, r.New) != (r.Own&OwnDependencies != 0):
		return "its dependencies to differ, or not, as told"
	case shape != nil && !shape.secret && (r.Old.IsSecret() || r.New.IsSecret()):
		return "what is inside a secret to be secret"
	case shape != nil && kind == value.KindArray && (shape.oldLen() != r.Old.Len() || shape.newLen() != r.New.Len()):
		return "its lengths"
	}
	return ""
}

// ownFacts checks the rest of what is said to have changed of a container.
func ownFacts(r *Record, shape *branch) (want string) {
	isArray := shape != nil && shape.kind == value.KindArray
	switch {
	case r.Own&OwnOrder != 0 && (!isArray || !shape.unordered):
		return "an unordered array to be in another order"
	case r.Own&OwnLength != 0 && (!isArray || shape.oldLen() == shape.newLen()):
		return "an array to be longer or shorter"
	case shape == nil && r.Own != OwnDependencies:
		return "changes inside"
	}
	return ""
}

// bare makes the node of a container that is no change itself.
func (x *building) bare(up *opening, r *Record) (node, bool) {
	switch {
	case r.OverNull || r.Own != 0:
		x.fail(r, "an operation")
		return node{}, false
	case r.Moved && !up.shape.unordered:
		x.fail(r, "a move")
		return node{}, false
	}
	n := node{key: r.Key, oldIx: index(r.OldAt), newIx: index(r.NewAt)}
	if r.Moved {
		n.facts = moved
	}
	return n, true
}

// finish checks the values of a node against what it is in, and counts it.
func (x *building) finish(up *opening, r *Record, n *node, verdict value.Verdict) bool {
	n.key, n.oldIx, n.newIx, n.op = r.Key, index(r.OldAt), index(r.NewAt), r.Op
	if r.Moved {
		n.facts |= moved
	}
	if n.facts.has(hasOld) && !x.marked(up, n.old) || n.facts.has(hasNew) && !x.marked(up, n.new) {
		x.fail(r, "values in a secret to be secret, and no others to be so without a mark")
		return false
	}
	if up != nil && up.known && !x.agrees(up, n) {
		x.fail(r, "what the container has, which is a change itself")
		return false
	}
	x.uncertain = x.uncertain || n.old.ContainsUnknown() || n.new.ContainsUnknown()
	n.verdict = value.Changed
	if n.op == OpMove && up.shape.unordered {
		return true // no change: another order is told of the array
	}
	if r.Verdict == value.Maybe {
		verdict = value.Maybe
	}
	n.facts |= isChange
	n.verdict = x.rules.verdict(verdict)
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
	case up.shape.secret:
		return v.IsSecret() || x.rules.relation&value.IgnoreSecrets != 0
	}
	return v.OwnSecret() || !v.IsSecret()
}

// agrees reports whether what a node has is what its container has there, which
// is known.
func (x *building) agrees(up *opening, n *node) bool {
	old, inOld := child(up.old.Value, n, true)
	now, inNew := child(up.now.Value, n, false)
	return inOld == n.facts.has(hasOld) && inNew == n.facts.has(hasNew) &&
		(!inOld || x.rules.relation.Equal(old, n.old)) && (!inNew || x.rules.relation.Equal(now, n.new))
}

// child is what a container has where a node is.
func child(in value.Value, n *node, old bool) (value.Value, bool) {
	if in.Kind() == value.KindObject {
		return in.Lookup(n.key)
	}
	i, none := n.newAt(), n.gone()
	if old {
		i, none = n.oldAt(), n.came()
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
		f.old, f.now, f.known = side{Value: r.Old}, side{Value: r.New}, true
		return true
	case up == nil || !up.known:
		return true
	}
	old, inOld := child(up.old.Value, &f.node, true)
	now, inNew := child(up.now.Value, &f.node, false)
	kind := f.shape.kind
	if !inOld || !inNew || old.Kind() != kind || now.Kind() != kind ||
		kind == value.KindArray && (old.Len() != f.shape.oldLen() || now.Len() != f.shape.newLen()) {
		x.fail(r, "what the container has, which is a change itself")
		return false
	}
	f.old, f.now, f.known = side{Value: old}, side{Value: now}, true
	return true
}
