package walk

import (
	"strings"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// nearby is how many members next to one that differs are compared one by one, since
// differences are often next to each other, before all that is equal is passed over.
const nearby = 3

// members compares the members of two objects.
func (w *walker) members(old, now *side, from Agreed) {
	i, j := from.old, from.now
	agrees := w.agrees(old)
	before, after := old.Children(), now.Children()
	x, y := side{printAt: w.prints.within(old.printAt)}, side{printAt: w.prints.within(now.printAt)}
	var at place
	near := 0 // so many of the next members are compared one by one
	if from != (Agreed{}) {
		near = nearby
	}
	for {
		skip := agrees && near == 0
		if skip {
			i, j = w.Rules.Relation.Agree(old.Value, now.Value, i, j)
		}
		if i == before.Len() && j == after.Len() {
			return
		}
		var oldKey string
		oldKey, x.Value = before.At(i)
		at.key, y.Value = after.At(j)
		var order int
		switch {
		case i == before.Len():
			order = +1
		case j == after.Len():
			order = -1
		default:
			order = compareKeys(oldKey, at.key)
		}
		count := w.Count
		switch {
		case order < 0:
			if !w.Rules.Absent(x.Value, old.IsSecret()) {
				at.key = oldKey
				w.change(&at, difftree.OpDelete, difftree.ValueChanged, w.alone(&x.Value), &x.Value, nil)
			}
		case order > 0:
			if !w.Rules.Absent(y.Value, now.IsSecret()) {
				w.change(&at, difftree.OpAdd, difftree.ValueChanged, w.alone(&y.Value), nil, &y.Value)
			}
		default:
			w.both(&at, &x, &y, skip)
		}
		if w.Count > count {
			near = nearby
		} else {
			near = max(near, 1) - 1
		}
		if order <= 0 {
			i, x.printAt = i+1, w.prints.beyond(x.printAt)
		}
		if order >= 0 {
			j, y.printAt = j+1, w.prints.beyond(y.printAt)
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

// compareKeys is strings.Compare, faster for equal keys, which most are.
func compareKeys(a, b string) int {
	if a == b {
		return 0
	}
	return strings.Compare(a, b)
}

// elements compares the elements of two arrays index by index.
func (w *walker) elements(old, now *side, i int) {
	agrees := w.agrees(old)
	before, after := old.Children(), now.Children()
	n, m := before.Len(), after.Len()
	x, y := side{printAt: w.prints.within(old.printAt)}, side{printAt: w.prints.within(now.printAt)}
	var at place
	for {
		if agrees {
			i, _ = w.Rules.Relation.Agree(old.Value, now.Value, i, i)
		}
		if i >= min(n, m) {
			break
		}
		at.oldAt, at.newAt = i, i
		_, x.Value = before.At(i)
		_, y.Value = after.At(i)
		w.pair(&at, &x, &y, agrees)
		i, x.printAt, y.printAt = i+1, w.prints.beyond(x.printAt), w.prints.beyond(y.printAt)
	}
	for ; i < n; i++ {
		at.oldAt, at.newAt = i, i
		_, x.Value = before.At(i)
		w.change(&at, difftree.OpDelete, difftree.ValueChanged, value.Changed, &x.Value, nil)
	}
	for ; i < m; i++ {
		at.oldAt, at.newAt = i, i
		_, y.Value = after.At(i)
		w.change(&at, difftree.OpAdd, difftree.ValueChanged, value.Changed, nil, &y.Value)
	}
}
