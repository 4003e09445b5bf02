package diff

import (
	"slices"

	"github.com/propalg/propalg/internal/align"
	"github.com/propalg/propalg/internal/difftree"
)

// loose are the elements of an array that are out of the order that the others
// keep: those that moved, or may have, came or went. The others, with a node or
// without, are in order, the k-th old one is the k-th new one.
type loose struct {
	rules difftree.Rules
	olds  []*joint // moved or went, by index before
	news  []*joint // moved or came, by index after

	rebuilt bool // see composed
}

// add takes an element, if it is loose.
func (l *loose) add(j *joint) {
	first, second := j.nodes()
	j.moved = j.end == stays && (first != nil && first.Facts.Has(difftree.Moved) || second != nil && second.Facts.Has(difftree.Moved))
	l.take(j)
}

func (l *loose) take(j *joint) {
	if j.end == went || j.moved {
		l.olds = append(l.olds, j)
	}
	if j.end == came || j.moved {
		l.news = append(l.news, j)
	}
}

// jointsOf are the places of the nodes of an array.
func jointsOf(nodes []difftree.Node) []joint {
	joints := make([]joint, len(nodes))
	for i := range nodes {
		n, j := &nodes[i], &joints[i]
		*j = joint{oldAt: n.OldAt(), newAt: n.NewAt(), moved: n.Facts.Has(difftree.Moved), end: stays}
		switch {
		case n.Removed():
			j.end = went
		case n.Added():
			j.end = came
		}
	}
	return joints
}

// looseOf takes the loose ones of these.
func looseOf(joints []joint) loose {
	var l loose
	for i := range joints {
		l.take(&joints[i])
	}
	return l
}

// settle decides which elements moved, and finds the gaps of those that came or
// went.
func (l *loose) settle() {
	l.sort()
	l.rank()
	l.chain()
	l.rank()
	l.cancel()
	l.rank()
	l.gaps()
}

func (l *loose) sort() {
	slices.SortFunc(l.olds, func(j, k *joint) int { return j.oldAt - k.oldAt })
	slices.SortFunc(l.news, func(j, k *joint) int { return j.newAt - k.newAt })
}

// rank counts the elements in order before each one.
func (l *loose) rank() {
	for i, j := range l.olds {
		j.before = j.oldAt - i
	}
	for i, j := range l.news {
		j.after = j.newAt - i
	}
}

// chain takes out as many of the elements that may have moved as are in order.
// Those that neither diff moved stay in order, whatever it takes: of elements
// without a node nothing could be told.
func (l *loose) chain() {
	olds := make([]int32, len(l.news))
	for k, j := range l.news {
		olds[k] = align.None
		if j.moved && j.before == j.after {
			olds[k] = int32(j.oldAt - j.before) //nolint:gosec // an index of a slice
		}
	}
	for k, moved := range align.Moved(olds) {
		if olds[k] != align.None {
			l.news[k].moved = moved
		}
	}
	l.drop()
}

// drop takes out the elements that are settled.
func (l *loose) drop() {
	settled := func(j *joint) bool { return j.end == stays && !j.moved || j.end == never }
	l.olds, l.news = slices.DeleteFunc(l.olds, settled), slices.DeleteFunc(l.news, settled)
}

// cancel takes out what went and came back, equal and at its place: of what went
// and what came between the same neighbours the first ones, and the last ones.
func (l *loose) cancel() {
	var gone, back []*joint
	for i, k := 0, 0; i < len(l.olds) && k < len(l.news); {
		gap := max(l.olds[i].before, l.news[k].after)
		gone, back = gone[:0], back[:0]
		for ; i < len(l.olds) && l.olds[i].before <= gap; i++ {
			if l.olds[i].before == gap && l.olds[i].end == went {
				gone = append(gone, l.olds[i])
			}
		}
		for ; k < len(l.news) && l.news[k].after <= gap; k++ {
			if l.news[k].after == gap && l.news[k].end == came {
				back = append(back, l.news[k])
			}
		}
		for len(gone) > 0 && len(back) > 0 && l.cancels(gone[0], back[0]) {
			gone, back = gone[1:], back[1:]
		}
		for len(gone) > 0 && len(back) > 0 && l.cancels(gone[len(gone)-1], back[len(back)-1]) {
			gone, back = gone[:len(gone)-1], back[:len(back)-1]
		}
		if l.rebuilt {
			rebuild(gone, back)
		}
	}
	l.drop()
}

func (l *loose) cancels(gone, came *joint) bool {
	if !l.rules.Relation.Equal(gone.value, came.value) {
		return false
	}
	gone.end, came.end = never, never
	return true
}

// rebuild takes what the first diff took and the second one brought for the same
// elements.
func rebuild(gone, came []*joint) {
	taken := func(j *joint) bool { return j.second.In != nil }
	if gone = slices.DeleteFunc(gone, taken); len(gone) != len(came) {
		return
	}
	for i, j := range gone {
		j.second, j.newAt, j.end = came[i].second, came[i].newAt, stays
		came[i].end = never
	}
}

// gaps finds where the gap begins, on the other side, of what came or went.
func (l *loose) gaps() {
	olds, news := make([]int, len(l.olds)), make([]int, len(l.news))
	for i, j := range l.olds {
		olds[i] = j.oldAt
	}
	for k, j := range l.news {
		news[k] = j.newAt
	}
	before, after := others{taken: olds}, others{taken: news}
	for _, j := range l.olds {
		if j.end == went {
			j.newAt = after.behind(j.before)
		}
	}
	for _, j := range l.news {
		if j.end == came {
			j.oldAt = before.behind(j.after)
		}
	}
}

// behind is the index after that of the last of k indexes that are not taken.
func (o *others) behind(k int) int {
	if k == 0 {
		return 0
	}
	return o.at(k-1) + 1
}
