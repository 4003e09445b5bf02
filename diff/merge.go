package diff

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
	// Conflicts are in the order of paths in Value; none is below another.
	Conflicts []Conflict
}

// Merge returns base with the changes of both sides made, and a list of conflicts.
//
// Changes that only one side made are made, and so are equal changes of both sides. If
// the sides conflict, the value of base is kept and a [Conflict] is listed. Merge is
// symmetric: with the sides exchanged the result is Identical, and the conflicts are
// the same except for Left and Right. It never fails.
//
// Options selects what counts as a change, and how the elements of arrays are matched:
//
//   - Index by index, changes of elements are merged, and one side may change the
//     length. If both change it, with different results, or if one side removes
//     elements that the other changed, the whole array is in conflict.
//   - In arrays that are matched otherwise, one side may move an element that the other
//     changes. Inserted elements follow the element of base that they follow on their
//     side. In aligned arrays, different elements inserted at the same place are in
//     conflict, and equal ones are inserted once. In keyed arrays and sets, the
//     elements inserted by both sides are in the result, equal ones once; only
//     different elements with the same key are in conflict, and order never is.
//   - Content, secret mark and dependencies of a value are merged independently: a
//     value that one side makes secret and the other changes is changed and secret.
//     Marks are merged even if Options overlooks them, and no secret mark is lost: if
//     one side removes it from a value that the other changed, that is a conflict or,
//     if secret marks are overlooked, the mark is kept. Dependencies that either side
//     added or removed are added or removed.
//   - A value that one side removes and the other changes is in conflict.
//
// The time is that of two calls of [Between], and linear in the containers in which
// both sides have changes. (Spec of diffs, section 2.)
func Merge(base, left, right value.Value, o Options) Merged {
	m := merging{overlooked: o.Relation}
	o.Relation &^= value.IgnoreSecrets | value.IgnoreDependencies
	m.rules, m.matches = difftree.Rules{Relation: o.Relation}, o.matches()
	ours, theirs := Between(base, left, o), Between(base, right, o)
	switch {
	case ours.Empty() && theirs.Empty():
		return Merged{Value: unchanged(base, left, right)}
	case theirs.Empty():
		return Merged{Value: left}
	case ours.Empty():
		return Merged{Value: right}
	}
	at := triple{
		base: known{base, true}, left: known{left, true}, right: known{right, true},
		ours: ours.root().Node(), theirs: theirs.root().Node(), state: m.matches.Set.Start(),
	}
	m.visit(&at, &junction{visible: -1})
	for len(m.open) > 0 {
		f := &m.open[len(m.open)-1]
		if f.next == len(f.seats) {
			m.close()
			continue
		}
		f.next++
		m.child(f, &f.seats[f.next-1])
	}
	return Merged{Value: m.result, Conflicts: m.conflicts}
}

// unchanged is what comes of two sides that are equal to base: the one that is not
// identical to it, if there is one.
func unchanged(base, left, right value.Value) value.Value {
	switch {
	case left.Identical(base):
		return right
	case right.Identical(base):
		return left
	}
	return lesser(left, right)
}

// merging is a Merge under way.
type merging struct {
	rules      difftree.Rules
	overlooked value.Relation
	matches    walk.Matches
	open       []merger
	elems      []value.Value // of the open arrays, so far
	members    []value.Member
	result     value.Value
	conflicts  []Conflict
}

// merger is a container in which both sides changed something.
type merger struct {
	kind  value.Kind
	of    triple
	where *junction
	seats []seat
	next  int
	base  int // its children so far are elems[base:] or members[base:]
}

// triple is one place in three values, and what either side does there.
type triple struct {
	base, left, right known
	ours, theirs      *difftree.Node
	state             path.State // of the patterns of array rules
}

// seat is a child of a merged container: one that is settled, one to merge, or
// one in conflict.
type seat struct {
	key      string
	at       int // the index in base, for paths
	value    known
	of       *triple // nil: settled
	conflict ConflictKind
}

// child puts the next child into a container, or opens that.
func (m *merging) child(f *merger, s *seat) {
	if s.of == nil {
		m.push(f, s.key, s.value)
		return
	}
	step := path.Index(s.at)
	if f.kind == value.KindObject {
		step = path.Key(s.key)
	}
	where := f.where.below(step, f.of.secret())
	if s.conflict != 0 {
		m.report(s.conflict, where, s.of.base, s.of.left, s.of.right)
		m.push(f, s.key, s.value)
		return
	}
	if m.matches.Set != nil {
		s.of.state = f.of.state.Step(step)
	}
	m.visit(s.of, where)
}

// visit merges a place, or opens the container there.
func (m *merging) visit(t *triple, where *junction) {
	ours, theirs := t.ours, t.theirs
	switch {
	case theirs == nil:
		m.put(t.left)
	case ours == nil:
		m.put(t.right)
	case ours.Removed() && theirs.Removed():
		m.put(lesserKnown(t.left, t.right))
	case ours.Removed() || theirs.Removed():
		m.conflict(ConflictDelete, t, where)
	case ours.Added() || theirs.Added():
		m.both(t, where)
	case t.open() && (ours.Below == nil || theirs.Below == nil):
		m.besides(t)
	case t.open() && t.base.Kind() == value.KindObject:
		m.enter(t, where, m.memberSeats(t))
	case t.open():
		m.array(t, where)
	default:
		m.whole(t, where)
	}
}

// open reports whether the place is a container on all sides, and none of them
// replaced it or made it secret.
func (t *triple) open() bool {
	keeps := func(n *difftree.Node) bool { return !n.Whole() || isMoveOnly(n) }
	return keeps(t.ours) && keeps(t.theirs) && t.base.isContainer()
}

func (t *triple) secret() bool {
	return t.base.IsSecret() || t.left.IsSecret() || t.right.IsSecret()
}

// besides merges a container in which one side, or none, changed what is inside.
func (m *merging) besides(t *triple) {
	v := t.base
	switch {
	case t.ours.Below != nil:
		v = t.left
	case t.theirs.Below != nil:
		v = t.right
	}
	m.put(known{withDependencies(v.Value, t.dependencies()), true})
}

// both takes what both sides brought, if it is the same.
func (m *merging) both(t *triple, where *junction) {
	if !m.rules.Relation.Equal(t.left.Value, t.right.Value) {
		m.conflict(ConflictAdd, t, where)
		return
	}
	m.put(known{lesser(t.left.Value, t.right.Value), true})
}

// lesser is one of two equal values, whichever is called which: of identical ones
// that with a secret mark of its own, which the other one may have inherited.
func lesser(v, w value.Value) value.Value {
	sign := v.CompareIdentical(w)
	if sign < 0 || sign == 0 && v.OwnSecret() {
		return v
	}
	return w
}

// lesserKnown is lesser for what may be missing: a null that counts as missing
// wins over nothing.
func lesserKnown(v, w known) known {
	switch {
	case !v.ok:
		return w
	case !w.ok:
		return v
	}
	return known{lesser(v.Value, w.Value), true}
}

// whole merges what at least one side replaced: content and marks each for
// itself.
func (m *merging) whole(t *triple, where *junction) {
	if m.rules.Relation.Equal(t.left.Value, t.right.Value) {
		m.put(known{lesser(t.left.Value, t.right.Value), true})
		return
	}
	ours, theirs := m.edited(t.base, t.left), m.edited(t.base, t.right)
	var content value.Value
	switch {
	case !ours && !theirs:
		content = t.base.Value
	case !theirs:
		content = t.left.Value
	case !ours:
		content = t.right.Value
	case !m.edited(t.left, t.right):
		content = lesser(t.left.Value, t.right.Value)
	default:
		m.conflict(ConflictEdit, t, where)
		return
	}
	if t.base.IsSecret() && (!t.left.IsSecret() || !t.right.IsSecret()) {
		if m.overlooked&value.IgnoreSecrets == 0 {
			m.exposed(t, where, ours, theirs)
			return
		}
		content = value.Secret(content)
	} else if t.secret() && !content.IsSecret() {
		content = value.Secret(content)
	}
	m.put(known{withDependencies(content, t.dependencies()), true})
}

// exposed merges what is secret in base, and not any more on a side: if nothing
// else was changed that is taken over.
func (m *merging) exposed(t *triple, where *junction, ours, theirs bool) {
	v, other := t.left, theirs
	if v.IsSecret() {
		v, other = t.right, ours
	}
	if other || !t.left.IsSecret() && !t.right.IsSecret() {
		m.conflict(ConflictSecret, t, where)
		return
	}
	m.put(known{withDependencies(v.Value, t.dependencies()), true})
}

// edited reports whether two values differ in more than their own marks.
func (m *merging) edited(x, y known) bool {
	v, w := x.DropDependencies(), y.DropDependencies()
	if v.IsSecret() || w.IsSecret() {
		v, w = value.Secret(v), value.Secret(w)
	}
	return !m.rules.Relation.Equal(v, w)
}

// dependencies are the merged dependencies of a place.
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
		if !has(base, d) || has(left, d) && has(right, d) {
			merged = append(merged, d)
		}
	}
	return merged
}

func withDependencies(v value.Value, urns []string) value.Value {
	return v.DropDependencies().WithDependencies(urns...)
}

// conflict leaves a place as base has it.
func (m *merging) conflict(kind ConflictKind, t *triple, where *junction) {
	m.report(kind, where, t.base, t.left, t.right)
	m.put(t.base)
}

func (m *merging) report(kind ConflictKind, where *junction, base, left, right known) {
	of := veil.Hide(&[3]known{base, left, right})
	m.conflicts = append(m.conflicts, Conflict{kind: kind, at: veil.Hide(where), of: of})
}

// put puts what a place has into the container that is open; it is the result
// when none is.
func (m *merging) put(v known) {
	if len(m.open) == 0 {
		m.result = v.Value
		return
	}
	f := &m.open[len(m.open)-1]
	m.push(f, f.seats[f.next-1].key, v)
}

// push adds a child, below a secret without the mark that it inherited.
func (m *merging) push(f *merger, key string, v known) {
	if !v.ok {
		return
	}
	if f.of.secret() && !v.OwnSecret() {
		v.Value = v.DropSecret()
	}
	if f.kind == value.KindArray {
		m.elems = append(m.elems, v.Value)
	} else {
		m.members = append(m.members, value.Member{Key: key, Value: v.Value})
	}
}

// enter opens a container.
func (m *merging) enter(t *triple, where *junction, seats []seat) {
	f := merger{kind: t.base.Kind(), of: *t, where: where, seats: seats, base: len(m.elems)}
	if f.kind == value.KindObject {
		f.base = len(m.members)
	}
	m.open = append(m.open, f)
}

// close makes the container that is open.
func (m *merging) close() {
	f := m.open[len(m.open)-1]
	m.open = m.open[:len(m.open)-1]
	var made value.Value
	if f.kind == value.KindArray {
		made = value.Array(m.elems[f.base:]...)
		m.elems = m.elems[:f.base]
	} else {
		made = value.Object(m.members[f.base:]...)
		m.members = m.members[:f.base]
	}
	made = made.WithDependencies(f.of.dependencies()...)
	if f.of.base.OwnSecret() || f.of.left.OwnSecret() || f.of.right.OwnSecret() {
		made = value.Secret(made)
	}
	m.put(known{made.AsPartOf(f.of.base.Value), true})
}

// memberSeats are the members of an object: those that neither side changed, and
// those to merge.
func (m *merging) memberSeats(t *triple) []seat {
	joints := members(t.ours.Below, t.theirs.Below)
	seats := make([]seat, 0, t.base.Len()+len(joints))
	for i, k := 0, 0; ; {
		key, member, ok := t.base.MemberAt(i)
		if !ok && k == len(joints) {
			return seats
		}
		if ok && (k == len(joints) || key < joints[k].key) {
			seats = append(seats, seat{key: key, value: known{member, true}})
			i++
			continue
		}
		j := &joints[k]
		k++
		if ok && key == j.key {
			i++
		}
		of := triple{
			base:  t.base.child(value.KindObject, j.key, 0),
			left:  t.left.child(value.KindObject, j.key, 0),
			right: t.right.child(value.KindObject, j.key, 0),
		}
		of.ours, of.theirs = j.nodes()
		seats = append(seats, seat{key: j.key, of: &of})
	}
}
