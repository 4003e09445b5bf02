package walk

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// members compares the members of two objects.
func (w *walker) members(old, now *side, i, j int) {
	deep := w.looksDeep(old)
	before, after := old.Children(), now.Children()
	x, y := side{printAt: w.prints.within(old.printAt)}, side{printAt: w.prints.within(now.printAt)}
	var at place
	for {
		k, l, order, differ := w.Rules.Relation.Agree(before, after, i, j, deep)
		if k == before.Len() && l == after.Len() {
			return
		}
		x.printAt, y.printAt = w.prints.skip(x.printAt, k-i), w.prints.skip(y.printAt, l-j)
		i, j = k, l
		switch {
		case order < 0:
			at.key, x.Value = before.At(i)
			w.change(&at, difftree.OpDelete, difftree.ValueChanged, w.alone(&x.Value), &x.Value, nil)
		case order > 0:
			at.key, y.Value = after.At(j)
			w.change(&at, difftree.OpAdd, difftree.ValueChanged, w.alone(&y.Value), nil, &y.Value)
		default:
			at.key, x.Value = before.At(i)
			_, y.Value = after.At(j)
			w.both(&at, &x, &y, differ)
		}
		if order <= 0 {
			i, x.printAt = i+1, w.prints.skip(x.printAt, 1)
		}
		if order >= 0 {
			j, y.printAt = j+1, w.prints.skip(y.printAt, 1)
		}
	}
}

// both compares two members of one key, either of which may count as missing. A null that
// does is kept as the other side of the change.
func (w *walker) both(at *place, old, now *side, known bool) {
	if old.IsNull() || now.IsNull() {
		l := &w.levels[len(w.levels)-1]
		noOld, noNew := w.Rules.Absent(old.Value, l.old.IsSecret()), w.Rules.Absent(now.Value, l.now.IsSecret())
		switch {
		case noOld && noNew:
			return
		case noOld:
			w.change(at, difftree.OpAdd, difftree.ValueChanged, w.alone(&now.Value), &old.Value, &now.Value)
			return
		case noNew:
			w.change(at, difftree.OpDelete, difftree.ValueChanged, w.alone(&old.Value), &old.Value, &now.Value)
			return
		}
	}
	w.pair(at, old, now, known)
}

// alone returns the verdict on a value that was added or removed.
func (w *walker) alone(v *value.Value) value.Verdict {
	if difftree.Bare(*v) {
		return value.Changed
	}
	return w.Rules.Relation.Alone(*v)
}

// elements compares the elements of two arrays index by index.
func (w *walker) elements(old, now *side, i int) {
	deep := w.looksDeep(old)
	before, after := old.Children(), now.Children()
	x, y := side{printAt: w.prints.within(old.printAt)}, side{printAt: w.prints.within(now.printAt)}
	var at place
	for i < max(before.Len(), after.Len()) {
		k, _, order, differ := w.Rules.Relation.Agree(before, after, i, i, deep)
		x.printAt, y.printAt = w.prints.skip(x.printAt, k-i), w.prints.skip(y.printAt, k-i)
		i = k
		at.oldAt, at.newAt = i, i
		_, x.Value = before.At(i)
		_, y.Value = after.At(i)
		switch {
		case order < 0:
			w.change(&at, difftree.OpDelete, difftree.ValueChanged, value.Changed, &x.Value, nil)
		case order > 0:
			w.change(&at, difftree.OpAdd, difftree.ValueChanged, value.Changed, nil, &y.Value)
		case i < before.Len():
			w.pair(&at, &x, &y, differ)
			x.printAt, y.printAt = w.prints.skip(x.printAt, 1), w.prints.skip(y.printAt, 1)
		}
		i++
	}
}
