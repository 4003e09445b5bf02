package patch

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

type rebuilder struct {
	*reader
	opts  Options
	build builder
	open  []*node // the ancestors of the current node, from the root
}

// builder is what package diff makes a diff of records with.
type builder interface {
	Put(r difftree.Record) error
	Enter(r difftree.Record, inside difftree.Inside) error
	Leave() error
	Uncertain()
	Diff() (diff.Diff, error)
}

// container describes the container of a node. The root has the zero container.
type container struct {
	kind  value.Kind
	used  int // messages around what is inside
	sides sides
}

func (r *reader) rebuild(o Options) (diff.Diff, *Error) {
	b := rebuilder{reader: r, opts: o, build: diff.Internal.Builder(diff.Options{Relation: r.relation, MaybeIsChanged: r.maybeIsChanged})}
	if r.uncertain {
		b.build.Uncertain()
	}

	if r.root != nil {
		if err := b.node(r.root, container{}); err != nil {
			return diff.Diff{}, err
		}
	}
	d, err := b.build.Diff()
	if err != nil {
		return d, noDiff(err, -1)
	}
	return d, nil
}

// node passes a node, and all inside it, to the Builder.
func (b *rebuilder) node(n *node, in container) *Error {
	rec, above, err := b.record(n, in)
	if err != nil {
		return err
	}
	if n.has&fieldInside == 0 {
		if err := b.build.Put(rec); err != nil {
			return noDiff(err, n.at)
		}
		return nil
	}

	inside := difftree.Inside{Kind: n.kind, OldLen: n.oldLen, NewLen: n.length, Unordered: n.is(fieldUnordered), Secret: n.is(fieldSecret)}
	if err := b.build.Enter(rec, inside); err != nil {
		return noDiff(err, n.at)
	}
	if err := b.sortMembers(n); err != nil {
		return err
	}

	here := container{kind: n.kind, used: in.used + cost(n.kind), sides: above}
	if n.op != 0 {
		here.sides = sides{old: side{rec.Old, true}, now: side{rec.New, true}, known: true}
	}
	b.open = append(b.open, n)
	for i := range n.inside {
		if err := b.node(&n.inside[i], here); err != nil {
			return err
		}
	}
	b.open = b.open[:len(b.open)-1]
	if err := b.build.Leave(); err != nil {
		return noDiff(err, n.at)
	}
	return nil
}

// record checks a node and returns its record, and the sides that its container has
// of it.
func (b *rebuilder) record(n *node, in container) (rec difftree.Record, above sides, err *Error) {
	if n.wrong != nil {
		return rec, above, b.fail(n, n.wrong.Offset, ErrForm, n.wrong.Want, n.wrong.Found)
	}
	if n.is(fieldMasked) {
		return rec, above, b.isMasked(b.steps(n))
	}
	if err := b.position(n, in.kind); err != nil {
		return rec, above, err
	}

	rec = difftree.Record{
		Key: n.key, OldAt: n.oldIndex, NewAt: n.index, Op: n.op, Own: n.own,
		Moved: n.is(fieldMoved) || n.op == difftree.OpMove,
	}
	if in.kind == value.KindArray && n.has&fieldOldIndex == 0 {
		rec.OldAt = rec.NewAt
	}
	if n.maybe {
		rec.Verdict = value.Maybe
	}

	above = in.sides.within(&rec, in.kind)
	err = b.values(n, &rec, above, in.used)
	return rec, above, err
}

func (b *rebuilder) sortMembers(n *node) *Error {
	if n.kind != value.KindObject {
		return nil
	}

	slices.SortStableFunc(n.inside, func(a, b node) int { return strings.Compare(a.key, b.key) })
	for i := 1; i < len(n.inside); i++ {
		if n.inside[i].key == n.inside[i-1].key {
			return b.fail(n, n.inside[i].at, codec.ErrDuplicate, "", "")
		}
	}
	return nil
}

// position checks that a node has the fields that its container calls for.
func (b *rebuilder) position(n *node, kind value.Kind) *Error {
	inArray := n.has&(fieldIndex|fieldOldIndex|fieldMoved) != 0
	lengths := n.has & (fieldOldLength | fieldLength | fieldChanges)
	want := ""
	switch {
	case kind == value.KindArray && n.has&fieldIndex == 0:
		want = "index"
	case kind != value.KindArray && inArray:
		want = "no index outside of an array"
	case n.op == 0 && n.has&(fieldOwn|fieldVerdict|fieldHidden|fieldOld|fieldNew) != 0:
		want = "op"
	case n.has&fieldInside == 0 && n.is(fieldSecret):
		want = "members or elements of a secret"
	case n.kind == value.KindArray && lengths != fieldOldLength|fieldLength|fieldChanges:
		want = "oldLength, length and changes of elements"
	case n.op != 0 && n.has&fieldInside != 0 && n.has&fieldOwn == 0:
		want = "own, or neither members nor elements"
	case n.op != 0 && n.has&fieldInside == 0 && n.has&fieldOwn != 0 && n.own == 0:
		want = "members, elements, or names in own"
	}
	if want != "" {
		return b.fail(n, n.at, ErrForm, want, "")
	}

	return nil
}

// values sets the sides of a change: from the text, or from the container if that, or
// one of its ancestors, is a change itself.
func (b *rebuilder) values(n *node, rec *difftree.Record, above sides, used int) *Error {
	if rec.Op == 0 {
		return nil
	}
	old, err := b.side(n, n.old, n.hides&fieldOld != 0, above.old, used)
	if err != nil {
		return err
	}

	now, err := b.side(n, n.now, n.hides&fieldNew != 0, above.now, used)
	if err != nil {
		return err
	}
	if rec.Op == difftree.OpMove && old.there && !now.there {
		now = old
	}
	switch {
	case !adds(rec.Op) && !old.there:
		return b.fail(n, n.at, ErrForm, "old", "")
	case !removes(rec.Op) && !now.there:
		return b.fail(n, n.at, ErrForm, "new", "")
	}
	rec.OverNull = (adds(rec.Op) && old.there) || (removes(rec.Op) && now.there)
	rec.Old, rec.New = old.Value, now.Value
	return nil
}

// side reads one side, or returns that of the container.
func (b *rebuilder) side(n *node, at span, hidden bool, above side, used int) (side, *Error) {
	switch {
	case !at.there() && hidden:
		return side{}, b.fail(n, n.at, ErrForm, "the hidden value", "")
	case !at.there():
		return above, nil
	}
	o := codec.Options{Depth: room(b.limit, used), Provider: b.opts.Provider}
	v, err := codec.DecodeJSONValue(b.text[at.lo:at.hi], o)
	if err != nil {
		steps, visible := b.steps(n)
		if hidden && visible < 0 {
			visible = len(steps)
		}
		return side{}, inValue(opDecode, err, path.Of(steps...), visible, at.lo)
	}

	if hidden {
		if v.OwnSecret() {
			return side{}, b.fail(n, at.lo, ErrForm, "a hidden value without a mark of its own", "")
		}
		v = v.AsPartOf(value.Secret(value.Null()))
	}
	return side{v, true}, nil
}

// steps returns the steps to a node, and how many of them are not below a secret; -1
// for all.
func (b *rebuilder) steps(n *node) (steps []path.Step, visible int) {
	visible = -1
	way := append(slices.Clone(b.open), n)
	for i, at := range way[:len(way)-1] {
		if at.is(fieldSecret) && visible < 0 {
			visible = i
		}

		next := way[i+1]
		step := path.Key(next.key)
		if at.kind == value.KindArray {
			step = path.Index(next.index)
			if removes(next.op) && next.has&fieldOldIndex != 0 {
				step = path.Index(next.oldIndex)
			}
		}
		steps = append(steps, step)
	}
	return steps, visible
}

func (b *rebuilder) fail(n *node, offset int, cause error, want, found string) *Error {
	steps, visible := b.steps(n)
	if visible >= 0 {
		found = ""
	}
	return &Error{Op: opDecode, At: path.Show(path.Of(steps...), visible), Offset: offset, Want: want, Found: found, err: cause}
}

// isMasked returns the error for masked contents.
func (r *reader) isMasked(steps []path.Step, visible int) *Error {
	return &Error{
		Op: opDecode, At: path.Show(path.Of(steps...), visible), Offset: -1,
		Want: "its contents (write the patch again, with secrets shown)", err: codec.ErrMasked,
	}
}
