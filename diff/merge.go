package diff

// NOTE: Who wins is decided by place: by whole where a side replaced the value or its marks, in
// merge_array.go where both changed elements. What has no winner goes through conflict. No
// function prefers a side: of two equal values lesser takes one.

import (
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/internal/walk"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Merged is the result of [Merge].
type Merged struct {
	// Value has the changes of both sides. At the path of a conflict it has the value
	// of base.
	Value value.Value
	// Conflicts are in the order of paths in Value; none is below another. To settle one, put
	// Left, Right or another value at its path with [value.Value.Put]; if the side that you
	// take has none, remove it with [value.Value.Without].
	Conflicts []Conflict
}

// Merge returns base with the changes of both sides made, and a list of conflicts.
//
// Changes that only one side made are made, and so are equal changes of both sides. If
// the sides conflict, the value of base is kept and a [Conflict] is listed. Merge is
// symmetric: with the sides exchanged the result is Identical, and the conflicts are
// the same except for Left and Right. It never fails.
//
// Options selects what counts as a change, and how the elements of arrays are matched; the
// documentation of the package has the rules for arrays and marks.
//
// The time is that of two calls of [Between], and linear in the containers in which
// both sides have changes.
func Merge(base, left, right value.Value, o Options) Merged {
	m := merger{overlooked: o.Relation}
	o.Relation &^= value.IgnoreSecrets | value.IgnoreDependencies
	o = o.withoutAuto()
	m.rules, m.matches = difftree.Rules{Relation: o.Relation}, o.matches()
	toLeft, toRight := Between(base, left, o), Between(base, right, o)
	switch {
	case toLeft.Empty() && toRight.Empty():
		return Merged{Value: unchanged(base, left, right)}
	case toRight.Empty():
		return Merged{Value: left}
	case toLeft.Empty():
		return Merged{Value: right}
	}

	at := triple{
		base: stateOf(base), left: stateOf(left), right: stateOf(right),
		leftNode: toLeft.root().Node(), rightNode: toRight.root().Node(), state: m.matches.Set.Matcher(),
	}
	merged := m.place(&at, &junction{visible: -1})
	return Merged{Value: merged.Value, Conflicts: m.conflicts}
}

// unchanged merges two sides that are equal to base: it returns the one that is not
// identical to base, if there is one.
func unchanged(base, left, right value.Value) value.Value {
	switch {
	case left.Identical(base):
		return right
	case right.Identical(base):
		return left
	}
	return lesser(left, right)
}

type merger struct {
	rules      difftree.Rules
	overlooked value.Relation
	matches    walk.Matches
	conflicts  []Conflict
}

// triple is one place in three values, and what either side changes there.
type triple struct {
	base, left, right   state
	leftNode, rightNode *difftree.Node // nil where a side changes nothing
	state               path.Matcher   // of the patterns of array rules
}

// place merges one place.
func (m *merger) place(t *triple, where *junction) state {
	left, right := t.leftNode, t.rightNode
	switch {
	case right == nil:
		return t.left
	case left == nil:
		return t.right
	case left.Removed() && right.Removed():
		return lesserState(t.left, t.right)
	case left.Removed() || right.Removed():
		return m.conflict(ConflictDelete, t, where)
	case (left.Added() || right.Added()) && !m.rules.Relation.Equal(t.left.Value, t.right.Value):
		return m.conflict(ConflictAdd, t, where)
	case left.Added() || right.Added():
		return lesserState(t.left, t.right)

	case !t.open():
		return m.whole(t, where)
	case right.Below == nil && left.Below != nil:
		return stateOf(t.marked(t.left.Value))
	case left.Below == nil && right.Below != nil:
		return stateOf(t.marked(t.right.Value))
	case left.Below == nil:
		return stateOf(t.marked(t.base.Value))
	case t.base.Kind() == value.KindObject:
		return m.object(t, where)
	case isByIndex(left.Below) && isByIndex(right.Below):
		return m.indexes(t, where)
	}

	return m.array(t, where)
}

func (m *merger) child(in, t *triple, where *junction, step path.Step) state {
	if m.matches.Set != nil {
		t.state = in.state.Next(step)
	}
	return m.place(t, where.below(step, in.secret()))
}

// open reports whether the place is a container on all sides, and none of them
// replaced it or made it secret.
func (t *triple) open() bool {
	keeps := func(n *difftree.Node) bool { return !n.Whole() || isMoveOnly(n) }
	return keeps(t.leftNode) && keeps(t.rightNode) && t.base.isContainer()
}

func (t *triple) secret() bool {
	return t.base.IsSecret() || t.left.IsSecret() || t.right.IsSecret()
}

// lesser returns one of two equal values, the same one if they are exchanged: of
// identical ones that with a secret mark of its own, which the other may have inherited.
func lesser(v, w value.Value) value.Value {
	sign := value.Internal.CompareIdentical(v, w)
	if sign < 0 || (sign == 0 && v.OwnSecret()) {
		return v
	}
	return w
}

// lesserState is lesser for what may be missing: a null that counts as missing wins over
// nothing.
func lesserState(v, w state) state {
	switch {
	case !v.there():
		return w
	case !w.there():
		return v
	}
	return stateOf(lesser(v.Value, w.Value))
}

// whole merges a value that at least one side replaced: content and marks independently.
func (m *merger) whole(t *triple, where *junction) state {
	if m.rules.Relation.Equal(t.left.Value, t.right.Value) {
		return lesserState(t.left, t.right)
	}

	leftEdited, rightEdited := m.edited(t.base, t.left), m.edited(t.base, t.right)
	var content value.Value
	switch {
	case !leftEdited && !rightEdited:
		content = t.base.Value
	case !rightEdited:
		content = t.left.Value
	case !leftEdited:
		content = t.right.Value
	case !m.edited(t.left, t.right):
		content = lesser(t.left.Value, t.right.Value)
	default:
		return m.conflict(ConflictEdit, t, where)
	}

	exposed := t.base.IsSecret() && (!t.left.IsSecret() || !t.right.IsSecret())
	switch {
	case exposed && m.overlooked&value.IgnoreSecrets == 0:
		return m.exposed(t, where, leftEdited, rightEdited)
	case exposed, t.secret() && !content.IsSecret():
		content = value.Secret(content)
	}
	return stateOf(t.marked(content))
}

// exposed merges a value that is secret in base, and no longer on a side: if nothing else
// was changed, the mark is removed.
func (m *merger) exposed(t *triple, where *junction, leftEdited, rightEdited bool) state {
	v, otherEdited := t.left, rightEdited
	if v.IsSecret() {
		v, otherEdited = t.right, leftEdited
	}
	if otherEdited || (!t.left.IsSecret() && !t.right.IsSecret()) {
		return m.conflict(ConflictSecret, t, where)
	}

	return stateOf(t.marked(v.Value))
}

// edited reports whether two values differ in more than their own marks.
func (m *merger) edited(x, y state) bool {
	v, w := x.DropDependencies(), y.DropDependencies()
	if v.IsSecret() || w.IsSecret() {
		v, w = value.Secret(v), value.Secret(w)
	}
	return !m.rules.Relation.Equal(v, w)
}

func (t *triple) marked(v value.Value) value.Value {
	return v.DropDependencies().WithDependencies(t.dependencies()...)
}

func (t *triple) dependencies() []string {
	if !t.base.HasDependencies() && !t.left.HasDependencies() && !t.right.HasDependencies() {
		return nil
	}

	base := slices.Collect(t.base.Dependencies())
	left, right := slices.Collect(t.left.Dependencies()), slices.Collect(t.right.Dependencies())
	has := func(list []string, d string) bool {
		_, ok := slices.BinarySearch(list, d)
		return ok
	}
	var merged []string
	for _, d := range slices.Concat(left, right) {
		if !has(base, d) || (has(left, d) && has(right, d)) {
			merged = append(merged, d)
		}
	}
	return merged
}

// conflict notes a conflict, and leaves the place as it is in base.
func (m *merger) conflict(kind ConflictKind, t *triple, where *junction) state {
	of := veil.Hide(&[3]state{t.base, t.left, t.right})
	m.conflicts = append(m.conflicts, Conflict{kind: kind, at: veil.Hide(where), of: of})
	return t.base
}

func (t *triple) made(v value.Value) state {
	v = t.marked(v)
	if t.base.OwnSecret() || t.left.OwnSecret() || t.right.OwnSecret() {
		v = value.Secret(v)
	}
	return stateOf(v.AsPartOf(t.base.Value))
}

// object merges an object in which both sides changed members.
func (m *merger) object(t *triple, where *junction) state {
	pairs := sideBySide(t.leftNode.Below, t.rightNode.Below, byKeys)
	keyOf := func(i int) string { return pairs[i].key }
	made, _ := rebuildObject(t.base.Value, t.secret(), len(pairs), keyOf, func(i int, base state) (state, *Error) {
		key := keyOf(i)
		of := triple{base: base, left: t.left.member(key), right: t.right.member(key)}
		of.leftNode, of.rightNode = pairs[i].nodes()
		return m.child(t, &of, where, path.Key(key)), nil
	})
	return t.made(made)
}
