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
func (w *walker) members(old, now side, from Agreed) {
	i, j := from.old, from.now
	agrees := w.agrees(old)
	before, after := old.Children(), now.Children()
	p, q := w.prints.within(old.print), w.prints.within(now.print)
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
		oldKey, x := before.At(i)
		newKey, y := after.At(j)
		order := 0
		switch {
		case i == before.Len():
			order = +1
		case j == after.Len():
			order = -1
		default:
			order = compareKeys(oldKey, newKey)
		}
		count := w.Count
		switch {
		case order < 0:
			if !w.Rules.Absent(x, old.IsSecret()) {
				w.change(place{key: oldKey}, difftree.OpDelete, difftree.ValueChanged, w.alone(&x), &x, nil)
			}
		case order > 0:
			if !w.Rules.Absent(y, now.IsSecret()) {
				w.change(place{key: newKey}, difftree.OpAdd, difftree.ValueChanged, w.alone(&y), nil, &y)
			}
		default:
			w.both(newKey, old.IsSecret(), now.IsSecret(), side{x, p}, side{y, q}, skip)
		}
		if w.Count > count {
			near = nearby
		} else {
			near = max(near, 1) - 1
		}
		if order <= 0 {
			i, p = i+1, w.prints.beyond(p)
		}
		if order >= 0 {
			j, q = j+1, w.prints.beyond(q)
		}
	}
}

// both compares two members of one key, either of which may count as missing. A null that
// does is kept as the other side of the change.
func (w *walker) both(key string, oldSecret, newSecret bool, old, now side, known bool) {
	noOld, noNew := w.Rules.Absent(old.Value, oldSecret), w.Rules.Absent(now.Value, newSecret)
	at := place{key: key}
	switch {
	case noOld && noNew:
	case noOld:
		w.change(at, difftree.OpAdd, difftree.ValueChanged, w.alone(&now.Value), &old.Value, &now.Value)
	case noNew:
		w.change(at, difftree.OpDelete, difftree.ValueChanged, w.alone(&old.Value), &old.Value, &now.Value)
	default:
		w.pair(at, old, now, known)
	}
}

// alone returns the verdict on a value that was added or removed.
func (w *walker) alone(v *value.Value) value.Verdict {
	if difftree.Bare(*v) {
		return value.Changed
	}
	return w.Rules.Relation.Alone(*v)
}

// compareKeys is strings.Compare, without a call where the first bytes differ.
func compareKeys(a, b string) int {
	if a != "" && b != "" && a[0] != b[0] {
		return int(a[0]) - int(b[0])
	}
	return strings.Compare(a, b)
}

// elements compares the elements of two arrays index by index.
func (w *walker) elements(old, now side, i int) {
	agrees := w.agrees(old)
	before, after := old.Children(), now.Children()
	n, m := before.Len(), after.Len()
	p, q := w.prints.within(old.print), w.prints.within(now.print)
	for {
		if agrees {
			i, _ = w.Rules.Relation.Agree(old.Value, now.Value, i, i)
		}
		if i >= min(n, m) {
			break
		}
		_, x := before.At(i)
		_, y := after.At(i)
		w.pair(place{oldAt: i, newAt: i}, side{x, p}, side{y, q}, agrees)
		i, p, q = i+1, w.prints.beyond(p), w.prints.beyond(q)
	}
	for ; i < n; i++ {
		_, x := before.At(i)
		w.change(place{oldAt: i, newAt: i}, difftree.OpDelete, difftree.ValueChanged, value.Changed, &x, nil)
	}
	for ; i < m; i++ {
		_, y := after.At(i)
		w.change(place{oldAt: i, newAt: i}, difftree.OpAdd, difftree.ValueChanged, value.Changed, nil, &y)
	}
}
