package walk

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// children compares the children of two objects by key, or of two arrays by index.
func (w *Walker) children(at *place, old, now *value.Value) {
	object, deep := old.Kind() == value.KindObject, w.looksDeep(at, old)
	before, after := old.Children(), now.Children()
	child := place{oldPrint: w.prints.within(at.oldPrint), newPrint: w.prints.within(at.newPrint)}
	oldPrinted, newPrinted := 0, 0 // the children that have these prints
	var x, y value.Value
	i, j, order, differ := value.Internal.Agree(w.Rules.Relation, before, after, 0, 0, deep)
	for i < before.Len() || j < after.Len() {
		if child.oldPrint != noPrint {
			child.oldPrint, oldPrinted = w.prints.skip(child.oldPrint, i-oldPrinted), i
			child.newPrint, newPrinted = w.prints.skip(child.newPrint, j-newPrinted), j
		}

		if !object {
			index := difftree.ClampIndex(max(i, j))
			child.oldAt, child.newAt = index, index
		}

		switch {
		case order < 0:
			child.key, x = before.At(i)
			w.change(&child, difftree.OpDelete, difftree.ValueChanged, w.alone(object, &x), &x, nil)
			i++
		case order > 0:
			child.key, y = after.At(j)
			w.change(&child, difftree.OpAdd, difftree.ValueChanged, w.alone(object, &y), nil, &y)
			j++
		default:
			child.key, x = before.At(i)
			_, y = after.At(j)
			if object && (x.IsNull() || y.IsNull()) {
				w.nullMember(&child, &x, &y, differ)
			} else {
				w.pair(&child, &x, &y, differ)
			}
			i, j = i+1, j+1
		}
		i, j, order, differ = value.Internal.Agree(w.Rules.Relation, before, after, i, j, deep)
	}
}

// nullMember compares two members of one key, of which a null may count as missing. It is
// kept as the other side of the change.
func (w *Walker) nullMember(at *place, old, now *value.Value, differ bool) {
	l := &w.levels[len(w.levels)-1]
	noOld, noNew := w.Rules.Absent(*old, l.old.IsSecret()), w.Rules.Absent(*now, l.now.IsSecret())
	switch {
	case noOld && noNew:

	case noOld:
		w.change(at, difftree.OpAdd, difftree.ValueChanged, w.alone(true, now), old, now)
	case noNew:
		w.change(at, difftree.OpDelete, difftree.ValueChanged, w.alone(true, old), old, now)
	default:
		w.pair(at, old, now, differ)
	}
}

// alone returns the verdict on a member or an element that was added or removed. An array
// of another length differs, whatever is in it.
func (w *Walker) alone(member bool, v *value.Value) value.Verdict {
	if !member || difftree.Bare(*v) {
		return value.Changed
	}
	return value.Internal.Alone(w.Rules.Relation, *v)
}
