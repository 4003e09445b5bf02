package diff

import (
	"math"
	"slices"

	"github.com/propalg/propalg/value"
)

// elements finds the places of an array at which either diff has a node, and
// where they are before and after. Time grows with the nodes, not with the
// length of the array.
func (c *composition) elements(f *composing, first, second *branch) *Error {
	f.guess = f.guess || c.guesses(first) || c.guesses(second)
	if first == nil || second == nil {
		f.onlyElements(first, second)
		return nil
	}
	mid, ok := f.lengths(first, second)
	if !ok {
		return c.misfit(&f.at, false)
	}
	if first.byIndex() && second.byIndex() && !first.unordered && !second.unordered {
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
		if n != nil && !n.gone() && n.newAt() >= mid || m != nil && !m.came() && m.oldAt() >= mid {
			return c.misfit(&f.at, false)
		}
		anyMoved = anyMoved || j.moved
	}
	// That elements moved is told of the array where that is known, else of them.
	f.unordered = (first.unordered || second.unordered) && (!anyMoved || f.old.ok && f.now.ok)
	return nil
}

// guesses reports whether which elements a diff compares is a guess.
func (c *composition) guesses(b *branch) bool {
	for i := range b.count() {
		if c.guessed(&b.nodes[i], value.KindArray) {
			return true
		}
	}
	return false
}

// onlyElements are the places where the elements of one array alone change.
func (f *composing) onlyElements(first, second *branch) {
	b := first
	if b == nil {
		b = second
	}
	if b == nil {
		return
	}
	f.oldLen, f.newLen, f.unordered = b.oldLen(), b.newLen(), b.unordered
	for i := range b.nodes {
		n := &b.nodes[i]
		j := joint{oldAt: n.oldAt(), newAt: n.newAt(), moved: n.facts.has(moved)}
		if first != nil {
			j.first = spot{b, i}
		} else {
			j.second = spot{b, i}
		}
		f.items = append(f.items, j)
	}
}

// lengths finds how long the array is before, between and after. A diff that
// leaves all elements where they are fits an array of any length.
func (f *composing) lengths(first, second *branch) (mid int, ok bool) {
	switch x, y := first.reshapes(), second.reshapes(); {
	case x && y:
		f.oldLen, mid, f.newLen = first.oldLen(), first.newLen(), second.newLen()
		return mid, first.newLen() == second.oldLen()
	case x:
		f.oldLen, mid, f.newLen = first.oldLen(), first.newLen(), first.newLen()
	case y:
		f.oldLen, mid, f.newLen = second.oldLen(), second.oldLen(), second.newLen()
	default:
		mid = max(first.oldLen(), second.oldLen())
		f.oldLen, f.newLen = mid, mid
	}
	return mid, true
}

// byIndex reports whether elements were compared index by index, or might have
// been.
func (b *branch) byIndex() bool {
	for i := range b.nodes {
		n := &b.nodes[i]
		if n.oldAt() != n.newAt() || n.facts.has(moved) || n.op == OpInsert || n.op == OpRemove {
			return false
		}
	}
	return true
}

// sameIndexes merges the nodes of two arrays compared index by index.
func sameIndexes(first, second *branch) []joint {
	var items []joint
	for i, k := 0, 0; i < len(first.nodes) || k < len(second.nodes); {
		side := -1
		switch {
		case i == len(first.nodes):
			side = 1
		case k < len(second.nodes):
			side = first.nodes[i].newAt() - second.nodes[k].oldAt()
		}
		var j joint
		if side <= 0 {
			j.first, j.oldAt = spot{first, i}, first.nodes[i].newAt()
			i++
		}
		if side >= 0 {
			j.second, j.oldAt = spot{second, k}, second.nodes[k].oldAt()
			k++
		}
		j.newAt = j.oldAt
		items = append(items, j)
	}
	return items
}

// follow follows the elements through two scripts.
func (c *composition) follow(f *composing, first, second *branch) *Error {
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
	return inOrder(
		node{oldIx: index(j.oldAt), newIx: index(j.newAt), op: j.op()},
		node{oldIx: index(k.oldAt), newIx: index(k.newAt), op: k.op()},
	)
}

func (j *joint) op() Op {
	if j.end == went {
		return OpRemove
	}
	return OpUpdate
}

// through lists the elements that either script has a node for. The array in
// between has some of them, by whose indexes there the nodes are merged; the
// others went by the first script or came by the second.
func through(first, second *branch) []joint {
	var (
		joints      []joint
		left, right []int // nodes of what is in between, by its index there
		ends        []int // indexes after the second script of what it has nodes for
	)
	for i := range first.nodes {
		if n := &first.nodes[i]; n.gone() {
			joints = append(joints, joint{first: spot{first, i}, oldAt: n.oldAt()})
		} else {
			left = append(left, i)
		}
	}
	for k := range second.nodes {
		n := &second.nodes[k]
		if n.came() {
			joints = append(joints, joint{second: spot{second, k}, newAt: n.newAt()})
		} else {
			right = append(right, k)
		}
		if !n.gone() {
			ends = append(ends, n.newAt())
		}
	}
	slices.SortFunc(right, func(i, k int) int { return second.nodes[i].oldAt() - second.nodes[k].oldAt() })
	before, after := others{taken: first.taken()}, others{taken: ends}
	for i, k := 0, 0; i < len(left) || k < len(right); {
		at := math.MaxInt
		if i < len(left) {
			at = first.nodes[left[i]].newAt()
		}
		if k < len(right) {
			at = min(at, second.nodes[right[k]].oldAt())
		}
		j, below, beside := joint{}, at-i, at-k
		if i < len(left) && first.nodes[left[i]].newAt() == at {
			j.first, j.oldAt = spot{first, left[i]}, first.nodes[left[i]].oldAt()
			i++
		} else {
			j.oldAt = before.at(below)
		}
		if k < len(right) && second.nodes[right[k]].oldAt() == at {
			j.second, j.newAt = spot{second, right[k]}, second.nodes[right[k]].newAt()
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
