package diff

import (
	"strings"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// elements goes on in two arrays, up to a pair of containers or to the end.
func (w *walk) elements(stack []frame) []frame {
	f := &stack[len(stack)-1]
	n, m := f.old.Len(), f.now.Len()
	for {
		if f.leaps {
			f.i, f.j = w.rules.Relation.Agree(f.old, f.now, f.i, f.i)
		}
		if f.i >= min(n, m) {
			break
		}
		here := couple{place{oldAt: f.i, newAt: f.i}, side{f.old.Elem(f.i), f.oldPrint}, side{f.now.Elem(f.i), f.newPrint}}
		f.i++
		f.oldPrint, f.newPrint = w.prints.beyond(f.oldPrint), w.prints.beyond(f.newPrint)
		if deeper := w.pair(stack, &here, f.leaps); len(deeper) > len(stack) {
			return deeper
		}
	}
	for ; f.i < n; f.i++ {
		w.change(f, place{oldAt: f.i, newAt: f.i}, difftree.OpDelete, difftree.HasOld|difftree.ValueChanged, value.Changed)
	}
	for ; f.i < m; f.i++ {
		w.change(f, place{oldAt: f.i, newAt: f.i}, difftree.OpAdd, difftree.HasNew|difftree.ValueChanged, value.Changed)
	}
	return w.close(stack)
}

// members goes on in two objects, up to a pair of containers or to the end.
func (w *walk) members(stack []frame) []frame {
	f := &stack[len(stack)-1]
	before, after := f.old.Children(), f.now.Children()
	for {
		known := f.leaps && f.near == 0
		if known {
			f.i, f.j = w.rules.Relation.Agree(f.old, f.now, f.i, f.j)
			f.near = nearby
		}
		oldKey, old := before.At(f.i)
		newKey, now := after.At(f.j)
		var order int
		switch inOld, inNow := f.i < before.Len(), f.j < after.Len(); {
		case inOld && inNow:
			order = compareKeys(oldKey, newKey)
		case inOld:
			order = -1
		case inNow:
			order = +1
		default:
			return w.close(stack)
		}
		switch {
		case order < 0:
			w.oneSide(f, difftree.OpDelete, difftree.HasOld, &old, f.old.IsSecret())
			f.pass(w.prints, true, false)
		case order > 0:
			w.oneSide(f, difftree.OpAdd, difftree.HasNew, &now, f.now.IsSecret())
			f.pass(w.prints, false, true)
		case bare(old) && bare(now) && !old.IsNull() && !now.IsNull():
			w.visited++
			if known || !w.rules.Relation.Equal(old, now) {
				w.change(f, place{oldAt: f.i, newAt: f.j}, difftree.OpUpdate, difftree.HasOld|difftree.HasNew|difftree.ValueChanged, value.Changed)
				f.near = nearby
			} else {
				f.near = max(f.near, 1) - 1
			}
			f.pass(w.prints, true, true)
		default:
			here := couple{place{oldAt: f.i, newAt: f.j}, side{old, f.oldPrint}, side{now, f.newPrint}}
			f.pass(w.prints, true, true)
			if deeper := w.both(stack, &here, known); len(deeper) > len(stack) {
				return deeper
			}
		}
	}
}

// nearby is how many pairs of scalars behind one that differs are compared one by
// one, since what differs tends to stand together, before all that is equal is
// passed over at once.
const nearby = 3

// pass goes on to the next members.
func (f *frame) pass(p *prints, old, now bool) {
	if old {
		if f.oldPrint != noPrint {
			f.oldPrint = p.beyond(f.oldPrint)
		}
		f.i++
	}
	if now {
		if f.newPrint != noPrint {
			f.newPrint = p.beyond(f.newPrint)
		}
		f.j++
	}
}

// both deals with two members of one key, either of which may count as missing. A
// null that does is kept as the other side of the change.
func (w *walk) both(stack []frame, here *couple, known bool) []frame {
	f := &stack[len(stack)-1]
	old, now := here.old.Value, here.now.Value
	noOld, noNew := w.rules.Absent(old, f.old.IsSecret()), w.rules.Absent(now, f.now.IsSecret())
	count := w.count
	switch {
	case noOld && noNew:
		return stack
	case noOld:
		w.change(f, here.place, difftree.OpAdd, difftree.HasOld|difftree.HasNew|difftree.ValueChanged, w.alone(&now))
		return stack
	case noNew:
		w.change(f, here.place, difftree.OpDelete, difftree.HasOld|difftree.HasNew|difftree.ValueChanged, w.alone(&old))
		return stack
	}
	deeper := w.pair(stack, here, known)
	switch {
	case len(deeper) > len(stack):
	case w.count > count:
		f.near = nearby
	default:
		f.near = 0
	}
	return deeper
}

// alone is the verdict on a value that came or went.
func (w *walk) alone(v *value.Value) value.Verdict {
	if bare(*v) {
		return value.Changed
	}
	return w.rules.Relation.Alone(*v)
}

// oneSide deals with the next member of a side, which is missing on the other one.
func (w *walk) oneSide(f *frame, op difftree.Op, has difftree.Facts, v *value.Value, below bool) {
	if !v.IsNull() || !w.rules.Absent(*v, below) {
		w.change(f, place{oldAt: f.i, newAt: f.j}, op, has|difftree.ValueChanged, w.alone(v))
	}
}

// compareKeys is strings.Compare, without a call where the first bytes tell.
func compareKeys(a, b string) int {
	if a != "" && b != "" && a[0] != b[0] {
		return int(a[0]) - int(b[0])
	}
	return strings.Compare(a, b)
}
