package diff

import (
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// position checks where a record stands: in order, in range, and with an
// operation that can be there. The container it is in notes it.
func (x *building) position(up *opening, r *Record) bool {
	want := ""
	switch {
	case r.Op > OpMove:
		want = "a defined operation"
	case up == nil:
		if len(x.found) > 0 || r.Key != "" || r.OldAt != 0 || r.NewAt != 0 || r.Moved || r.Op != 0 && r.Op != OpUpdate {
			want = "one root, an update without key or index"
		}
	case up.shape.Kind == value.KindObject:
		want = x.member(up, r)
	default:
		r.Moved = r.Moved || r.Op == OpMove
		want = x.element(up, r)
	}
	if want != "" {
		x.fail(r, want)
	}
	return want == ""
}

func (x *building) member(up *opening, r *Record) string {
	switch {
	case r.OldAt != 0 || r.NewAt != 0 || r.Moved:
		return "a member, without indexes"
	case r.Op != 0 && r.Op != OpAdd && r.Op != OpDelete && r.Op != OpUpdate:
		return "an add, delete or update"
	case len(x.found) > up.base && x.found[len(x.found)-1].Key >= r.Key:
		return "unique keys in order"
	}
	return ""
}

func (x *building) element(up *opening, r *Record) string {
	n := difftree.Node{OldIndex: difftree.ClampIndex(r.OldAt), NewIndex: difftree.ClampIndex(r.NewAt), Op: difftree.Op(r.Op)}
	way := wayOf(up, r)
	if way != eitherWay && up.told == eitherWay {
		up.told = way
	}
	switch {
	case r.Key != "":
		return "an element, without a key"
	case way > byScript || way != eitherWay && way != up.told || way == indexByIndex && r.OldAt != r.NewAt:
		return "records that are all index by index, or else insertions, removals and moves"
	case !inRange(up, r):
		return "indexes in range"
	case r.Moved && (n.Added() || n.Removed()):
		return "a moved element on both sides"
	case len(x.found) > up.base && difftree.CompareElements(x.found[len(x.found)-1], n) >= 0, !n.Removed() && r.NewAt <= up.last:
		return "unique elements in order"
	}
	if !n.Removed() {
		up.last = r.NewAt
	}
	return ""
}

// wayOf is how an element is told; above byScript: in no way.
func wayOf(up *opening, r *Record) told {
	way := eitherWay
	switch r.Op {
	case OpAdd, OpDelete:
		way = indexByIndex
	case OpInsert, OpRemove:
		way = byScript
	case OpUpdate, OpMove:
	}
	if r.Moved || up.shape.Unordered || way == eitherWay && r.OldAt != r.NewAt {
		way |= byScript // with indexByIndex that is neither
	}
	return way
}

// inRange reports whether indexes can be those of an element, or of a gap.
func inRange(up *opening, r *Record) bool {
	lo, oldHi, newHi := 0, up.shape.OldLen()-1, up.shape.NewLen()-1
	switch r.Op {
	case OpAdd:
		lo, oldHi = up.shape.OldLen(), newHi
	case OpDelete:
		lo, newHi = up.shape.NewLen(), oldHi
	case OpInsert:
		oldHi++
	case OpRemove:
		newHi++
	case OpUpdate, OpMove:
	}
	return r.OldAt >= 0 && r.OldAt <= oldHi && r.NewAt >= lo && r.NewAt <= newHi
}

// adds checks that what is said of an array adds up: an element for every place on
// either side, those that did not move in order, gaps where they are. It returns
// what was wanted. It looks at what is told only: lengths may be any.
func (o *opening) adds(inside []difftree.Node) string {
	var taken, put, olds, news []int // by nodes; and of them, by those that are not in order
	shuffled := false
	for i := range inside {
		n := &inside[i]
		out := n.Added() || n.Removed() || n.Facts.Has(difftree.Moved)
		shuffled = shuffled || n.Facts.Has(difftree.Moved)
		if !n.Added() {
			taken = append(taken, n.OldAt())
			if out {
				olds = append(olds, n.OldAt())
			}
		}
		if !n.Removed() {
			put = append(put, n.NewAt())
			if out {
				news = append(news, n.NewAt())
			}
		}
	}
	slices.Sort(taken)
	slices.Sort(olds)
	before := len(taken)
	switch {
	case len(slices.Compact(taken)) != before:
		return "each old element at most once"
	case o.shape.OldLen()-before != o.shape.NewLen()-len(put):
		return "an element for every place in both arrays"
	case (shuffled && o.shape.Unordered) != o.node.Facts.Has(difftree.OrderChanged):
		return "a change of order recorded exactly if elements moved"
	case o.told != byScript && o.node.Facts&(difftree.Own|difftree.ValueChanged) == difftree.Own|difftree.ValueChanged:
		return "elements matched by guess in an array with a changed length"
	}
	for i := range inside {
		if n := &inside[i]; o.told == byScript && !inPlace(n, olds, news) {
			return "unmoved elements in order, and gaps at their first index"
		}
	}
	return ""
}

// inPlace reports whether a node stands where those that are in order, all but the
// old and new ones given, have it stand.
func inPlace(n *difftree.Node, olds, news []int) bool {
	oldRank, newRank := n.OldAt()-below(olds, n.OldAt()), n.NewAt()-below(news, n.NewAt())
	switch {
	case n.Removed():
		return n.NewAt() == behind(news, oldRank)
	case n.Added():
		return n.OldAt() == behind(olds, newRank)
	}
	return n.Facts.Has(difftree.Moved) || oldRank == newRank
}

// below is how many of some indexes are below i.
func below(sorted []int, i int) int {
	n, _ := slices.BinarySearch(sorted, i)
	return n
}

// behind is the index behind the first rank of all indexes but the sorted ones.
func behind(sorted []int, rank int) int {
	if rank == 0 {
		return 0
	}
	lo, hi := 0, len(sorted)
	for lo < hi { // the first that has rank others below it
		if mid := int(uint(lo+hi) >> 1); sorted[mid]-mid >= rank { //nolint:gosec // neither is negative
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return rank + lo
}
