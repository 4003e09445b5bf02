package patch

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// rebuilding makes a diff of nodes.
type rebuilding struct {
	*reader
	opts  Options
	build *diff.Builder
	stack []entered
}

// entered is a node whose inside is being gone through.
type entered struct {
	node  *node
	next  int // the node inside that comes next
	used  int // messages around what is inside
	sides sides
}

// rebuild makes the diff.
func (r *reader) rebuild(o Options) (diff.Diff, *Error) {
	b := rebuilding{reader: r, opts: o, build: diff.NewBuilder(diff.Options{Relation: r.relation, Unknowns: r.unknowns})}
	if r.uncertain {
		b.build.Uncertain()
	}
	if r.root != nil {
		if err := b.node(r.root); err != nil {
			return diff.Diff{}, err
		}
	}
	for len(b.stack) > 0 {
		top := &b.stack[len(b.stack)-1]
		if top.next == len(top.node.inside) {
			if err := b.build.Leave(); err != nil {
				return diff.Diff{}, noDiff(err, top.node.at)
			}
			b.stack = b.stack[:len(b.stack)-1]
			continue
		}
		top.next++
		if err := b.node(&top.node.inside[top.next-1]); err != nil {
			return diff.Diff{}, err
		}
	}
	d, err := b.build.Diff()
	if err != nil {
		return d, noDiff(err, -1)
	}
	return d, nil
}

// node tells the Builder of a node, and puts one with others inside on the stack.
func (b *rebuilding) node(n *node) *Error {
	switch {
	case n.wrong != nil:
		return b.fail(n, n.wrong.offset, ErrForm, n.wrong.want, n.wrong.found)
	case n.masked:
		return b.isMasked(b.steps(n))
	}
	rec := diff.Record{
		Key: n.key, OldAt: n.oldIndex, NewAt: n.index, Op: n.op, Own: n.own,
		Moved: n.moved || n.op == diff.OpMove,
	}
	kind, used := value.KindNull, 0
	var up *entered
	if len(b.stack) > 0 {
		up = &b.stack[len(b.stack)-1]
		kind, used = up.node.kind, up.used
	}
	if err := b.position(n, kind); err != nil {
		return err
	}
	if kind == value.KindArray && n.has&fieldOldIndex == 0 {
		rec.OldAt = rec.NewAt
	}
	if n.maybe {
		rec.Verdict = value.Maybe
	}
	var above sides
	if up != nil {
		above = up.sides.within(&rec, kind)
	}
	if err := b.values(n, &rec, above, used); err != nil {
		return err
	}
	if n.has&fieldInside == 0 {
		if err := b.build.Put(rec); err != nil {
			return noDiff(err, n.at)
		}
		return nil
	}
	inside := diff.Inside{Kind: n.kind, OldLen: n.oldLen, NewLen: n.length, Unordered: n.unordered, Secret: n.secret}
	if err := b.build.Enter(rec, inside); err != nil {
		return noDiff(err, n.at)
	}
	if n.kind == value.KindObject && !slices.IsSortedFunc(n.inside, byKey) {
		slices.SortStableFunc(n.inside, byKey)
	}
	for i := 1; i < len(n.inside) && n.kind == value.KindObject; i++ {
		if n.inside[i].key == n.inside[i-1].key {
			return b.fail(n, n.inside[i].at, codec.ErrDuplicate, "", "")
		}
	}
	next := above
	if n.op != 0 {
		next = sides{old: side{rec.Old, true}, now: side{rec.New, true}, known: true}
	}
	b.stack = append(b.stack, entered{node: n, used: used + cost(n.kind), sides: next})
	return nil
}

func byKey(a, b node) int { return strings.Compare(a.key, b.key) }

// position checks which fields stand in a node, for where it is.
func (b *rebuilding) position(n *node, kind value.Kind) *Error {
	inArray := n.has&(fieldIndex|fieldOldIndex|fieldMoved) != 0
	lengths := n.has & (fieldOldLength | fieldLength | fieldChanges)
	want := ""
	switch {
	case kind == value.KindArray && n.has&fieldIndex == 0:
		want = "index"
	case kind != value.KindArray && inArray:
		want = "no index outside of arrays"
	case n.op == 0 && n.has&(fieldOwn|fieldVerdict|fieldHidden|fieldOld|fieldNew) != 0:
		want = "op"
	case n.has&fieldInside == 0 && n.secret:
		want = "members or elements in what is secret"
	case n.kind == value.KindArray && lengths != fieldOldLength|fieldLength|fieldChanges:
		want = "oldLength, length and changes of elements"
	case n.op != 0 && n.has&fieldInside != 0 && n.has&fieldOwn == 0:
		want = "own, or nothing inside"
	case n.op != 0 && n.has&fieldInside == 0 && n.has&fieldOwn != 0 && n.own == 0:
		want = "something of its own, or something inside"
	}
	if want != "" {
		return b.fail(n, n.at, ErrForm, want, "")
	}
	return nil
}

// values finds the sides of a change: in the text, or in the container, where a
// change of its own or of one above it has them.
func (b *rebuilding) values(n *node, rec *diff.Record, above sides, used int) *Error {
	if rec.Op == 0 {
		return nil
	}
	old, err := b.side(n, n.old, n.hidesOld, above.old, used)
	if err != nil {
		return err
	}
	now, err := b.side(n, n.now, n.hidesNew, above.now, used)
	if err != nil {
		return err
	}
	if rec.Op == diff.OpMove && old.there && !now.there {
		now = old
	}
	needOld, needNew := true, true
	switch rec.Op {
	case diff.OpAdd, diff.OpInsert:
		needOld = false
		rec.OverNull = old.there
	case diff.OpDelete, diff.OpRemove:
		needNew = false
		rec.OverNull = now.there
	case diff.OpUpdate, diff.OpMove:
	}
	switch {
	case needOld && !old.there:
		return b.fail(n, n.at, ErrForm, "old", "")
	case needNew && !now.there:
		return b.fail(n, n.at, ErrForm, "new", "")
	}
	rec.Old, rec.New = old.Value, now.Value
	return nil
}

// side reads one side.
func (b *rebuilding) side(n *node, at span, hidden bool, above side, used int) (side, *Error) {
	switch {
	case !at.there() && hidden:
		return side{}, b.fail(n, n.at, ErrForm, "the value that is hidden", "")
	case !at.there():
		return above, nil
	}
	v, err := codec.DecodeJSONText(b.text[at.lo:at.hi], decoding(b.opts, b.limit, used))
	if err != nil {
		steps, visible := b.steps(n)
		if hidden && visible < 0 {
			visible = len(steps)
		}
		return side{}, inValue(opDecode, err, path.Of(steps...), visible, at.lo)
	}
	if hidden {
		if v.OwnSecret() {
			return side{}, b.fail(n, at.lo, ErrForm, "a value without a mark where it is hidden", "")
		}
		v = inherit(v)
	}
	return side{v, true}, nil
}

// steps lead to a node; so many of them may be seen, -1: all.
func (b *rebuilding) steps(n *node) (steps []path.Step, visible int) {
	visible = -1
	for i := range b.stack {
		at := &b.stack[i]
		next := n
		if i+1 < len(b.stack) {
			next = b.stack[i+1].node
		}
		if at.node.secret && visible < 0 {
			visible = i
		}
		step := path.Key(next.key)
		if at.node.kind == value.KindArray {
			step = path.Index(next.index)
			if (next.op == diff.OpDelete || next.op == diff.OpRemove) && next.has&fieldOldIndex != 0 {
				step = path.Index(next.oldIndex)
			}
		}
		steps = append(steps, step)
	}
	return steps, visible
}

func (b *rebuilding) fail(n *node, offset int, cause error, want, found string) *Error {
	steps, visible := b.steps(n)
	if visible >= 0 {
		found = ""
	}
	return &Error{Op: opDecode, At: path.Show(path.Of(steps...), visible), Offset: offset, Want: want, Found: found, err: cause}
}

// isMasked refuses what is masked.
func (r *reader) isMasked(steps []path.Step, visible int) *Error {
	return &Error{
		Op: opDecode, At: path.Show(path.Of(steps...), visible), Offset: -1,
		Want: "its contents (write the patch again, with secrets shown)", err: codec.ErrMasked,
	}
}
