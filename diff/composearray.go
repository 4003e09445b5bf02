package diff

import (
	"math"
	"slices"

	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/value"
)

// elements finds the places of an array at which either diff has a node, and
// where they are before and after. Time grows with the nodes, not with the
// length of the array.
func (c *composition) elements(f *composing, first, second *difftree.Branch) *Error {
	f.guess = f.guess || c.guesses(first) || c.guesses(second)
	if first == nil || second == nil {
		f.onlyElements(first, second)
		return nil
	}
	mid, ok := f.lengths(first, second)
	if !ok {
		return c.misfit(&f.at, false)
	}
	if isByIndex(first) && isByIndex(second) && !first.Unordered && !second.Unordered {
		f.items = sameIndexes(first, second)
	} else {
		f.inserts = true
		if err := c.follow(f, first, second); err != nil {
			return err
		}
	}
	anyMoved := false
	for i := range f.items {
		j := &f.items[i]
		n, m := j.nodes()
		if n != nil && !n.Removed() && n.NewAt() >= mid || m != nil && !m.Added() && m.OldAt() >= mid {
			return c.misfit(&f.at, false)
		}
		anyMoved = anyMoved || j.moved
	}
	// That elements moved is told of the array where that is known, else of them.
	f.unordered = (first.Unordered || second.Unordered) && (!anyMoved || f.old.ok && f.now.ok)
	return nil
}

// guesses reports whether which elements a diff compares is a guess.
func (c *composition) guesses(b *difftree.Branch) bool {
	for i := range elementCount(b) {
		if c.guessed(&b.Nodes[i], value.KindArray) {
			return true
		}
	}
	return false
}

// onlyElements are the places where the elements of one array alone change.
func (f *composing) onlyElements(first, second *difftree.Branch) {
	b := first
	if b == nil {
		b = second
	}
	if b == nil {
		return
	}
	f.oldLen, f.newLen, f.unordered = b.OldLen(), b.NewLen(), b.Unordered
	for i := range b.Nodes {
		n := &b.Nodes[i]
		j := joint{oldAt: n.OldAt(), newAt: n.NewAt(), moved: n.Facts.Has(difftree.Moved)}
		if first != nil {
			j.first = b.Child(i)
		} else {
			j.second = b.Child(i)
		}
		f.items = append(f.items, j)
	}
}

// lengths finds how long the array is before, between and after. A diff that
// leaves all elements where they are fits an array of any length.
func (f *composing) lengths(first, second *difftree.Branch) (mid int, ok bool) {
	switch x, y := first.Reshapes(), second.Reshapes(); {
	case x && y:
		f.oldLen, mid, f.newLen = first.OldLen(), first.NewLen(), second.NewLen()
		return mid, first.NewLen() == second.OldLen()
	case x:
		f.oldLen, mid, f.newLen = first.OldLen(), first.NewLen(), first.NewLen()
	case y:
		f.oldLen, mid, f.newLen = second.OldLen(), second.OldLen(), second.NewLen()
	default:
		mid = max(first.OldLen(), second.OldLen())
		f.oldLen, f.newLen = mid, mid
	}
	return mid, true
}

// isByIndex reports whether elements were compared index by index, or might have
// been.
func isByIndex(b *difftree.Branch) bool {
	for i := range b.Nodes {
		n := &b.Nodes[i]
		if n.OldAt() != n.NewAt() || n.Facts.Has(difftree.Moved) || n.Op == difftree.OpInsert || n.Op == difftree.OpRemove {
			return false
		}
	}
	return true
}

// sameIndexes merges the nodes of two arrays compared index by index.
func sameIndexes(first, second *difftree.Branch) []joint {
	var items []joint
	for i, k := 0, 0; i < len(first.Nodes) || k < len(second.Nodes); {
		side := -1
		switch {
		case i == len(first.Nodes):
			side = 1
		case k < len(second.Nodes):
			side = first.Nodes[i].NewAt() - second.Nodes[k].OldAt()
		}
		var j joint
		if side <= 0 {
			j.first, j.oldAt = first.Child(i), first.Nodes[i].NewAt()
			i++
		}
		if side >= 0 {
			j.second, j.oldAt = second.Child(k), second.Nodes[k].OldAt()
			k++
		}
		j.newAt = j.oldAt
		items = append(items, j)
	}
	return items
}

// follow follows the elements through two scripts.
func (c *composition) follow(f *composing, first, second *difftree.Branch) *Error {
	pairs := through(first, second)
	kept := pairs[:0]
	for i := range pairs {
		j := &pairs[i]
		if err := c.settleEnd(f, j); err != nil {
			return err
		}
		if j.end != never {
			kept = append(kept, *j)
		}
	}
	l := loose{rules: c.rules, rebuilt: c.rebuilt}
	for i := range kept {
		l.add(&kept[i])
	}
	l.settle()
	kept = slices.DeleteFunc(kept, func(j joint) bool { return j.end == never })
	slices.SortFunc(kept, inListing)
	f.items = kept
	return nil
}

// inListing is inOrder of joints.
func inListing(j, k joint) int {
	return difftree.CompareElements(
		difftree.Node{OldIndex: difftree.ClampIndex(j.oldAt), NewIndex: difftree.ClampIndex(j.newAt), Op: j.op()},
		difftree.Node{OldIndex: difftree.ClampIndex(k.oldAt), NewIndex: difftree.ClampIndex(k.newAt), Op: k.op()},
	)
}

func (j *joint) op() difftree.Op {
	if j.end == went {
		return difftree.OpRemove
	}
	return difftree.OpUpdate
}

// through lists the elements that either script has a node for. The array in
// between has some of them, by whose indexes there the nodes are merged; the
// others went by the first script or came by the second.
func through(first, second *difftree.Branch) []joint {
	var (
		joints      []joint
		left, right []int // nodes of what is in between, by its index there
		ends        []int // indexes after the second script of what it has nodes for
	)
	for i := range first.Nodes {
		if n := &first.Nodes[i]; n.Removed() {
			joints = append(joints, joint{first: first.Child(i), oldAt: n.OldAt()})
		} else {
			left = append(left, i)
		}
	}
	for k := range second.Nodes {
		n := &second.Nodes[k]
		if n.Added() {
			joints = append(joints, joint{second: second.Child(k), newAt: n.NewAt()})
		} else {
			right = append(right, k)
		}
		if !n.Removed() {
			ends = append(ends, n.NewAt())
		}
	}
	slices.SortFunc(right, func(i, k int) int { return second.Nodes[i].OldAt() - second.Nodes[k].OldAt() })
	before, after := others{taken: first.TakenIndexes()}, others{taken: ends}
	for i, k := 0, 0; i < len(left) || k < len(right); {
		at := math.MaxInt
		if i < len(left) {
			at = first.Nodes[left[i]].NewAt()
		}
		if k < len(right) {
			at = min(at, second.Nodes[right[k]].OldAt())
		}
		j, below, beside := joint{}, at-i, at-k
		if i < len(left) && first.Nodes[left[i]].NewAt() == at {
			j.first, j.oldAt = first.Child(left[i]), first.Nodes[left[i]].OldAt()
			i++
		} else {
			j.oldAt = before.at(below)
		}
		if k < len(right) && second.Nodes[right[k]].OldAt() == at {
			j.second, j.newAt = second.Child(right[k]), second.Nodes[right[k]].NewAt()
			k++
		} else {
			j.newAt = after.at(beside)
		}
		joints = append(joints, j)
	}
	return joints
}

// others are the indexes that are not taken.
type others struct {
	taken []int // ascending
	n     int   // how many of them are below the index that was asked for last
}

// at is the k-th index that is not taken; k must not become less.
func (o *others) at(k int) int {
	for o.n < len(o.taken) && o.taken[o.n] <= k+o.n {
		o.n++
	}
	return k + o.n
}
