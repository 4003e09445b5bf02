package walk

import (
	"strings"

	"github.com/propalg/propalg/internal/align"
	"github.com/propalg/propalg/value"
)

// resemble pairs elements that no equal one or key was found for with others that
// are like them, so that what changed in them can be told: between the same
// neighbours or, in sets, wherever they stand.
func (x *matcher) resemble() {
	var olds, news []int
	s := x.script
	if x.how.By == ByContent {
		olds, news = alones(s.ofOld), alones(s.ofNew)
		if x.resembling(olds, news, align.ResembleAny) {
			x.chain()
		}
		return
	}
	i, j := 0, 0
	for i < len(s.ofOld) || j < len(s.ofNew) {
		olds, news = olds[:0], news[:0]
		for ; i < len(s.ofOld) && !s.inOrder(i); i++ {
			if s.ofOld[i] == alone {
				olds = append(olds, i)
			}
		}
		for ; j < len(s.ofNew) && (s.ofNew[j] == alone || s.moved[j]); j++ {
			if s.ofNew[j] == alone {
				news = append(news, j)
			}
		}
		x.resembling(olds, news, align.Resemble)
		i, j = i+1, j+1 // two that are in order
	}
}

// alones are the elements that have no partner.
func alones(of []int32) []int {
	var found []int
	for i, partner := range of {
		if partner == alone {
			found = append(found, i)
		}
	}
	return found
}

type resembler func(n, m int, similarity func(i, j int) int, budget int) []align.Pair

// fewTries is how many comparisons each element may take, of which each looks at
// no more than fewParts parts: enough to try all pairs between two neighbours in
// most arrays, and linear in any.
const (
	fewTries = 16
	fewParts = 64
)

// resembling pairs elements that are alike, and reports whether there were any.
func (x *matcher) resembling(olds, news []int, pairs resembler) bool {
	if len(olds) == 0 || len(news) == 0 {
		return false
	}
	found := pairs(len(olds), len(news), func(i, j int) int {
		return x.similarity(olds[i], news[j])
	}, fewTries*(len(olds)+len(news)))
	for _, p := range found {
		x.script.pair(olds[p.Old], news[p.New], false)
	}
	return len(found) > 0
}

// chain says anew of all pairs which of them moved, since pairs were made that
// cross others.
func (x *matcher) chain() {
	s := x.script
	pairs := make([]align.Pair, 0, len(s.ofNew))
	for j, i := range s.ofNew {
		if i != alone {
			pairs = append(pairs, align.Pair{Old: i, New: int32(j)}) //nolint:gosec // an index
		}
	}
	align.Chain(pairs)
	for _, p := range pairs {
		s.moved[p.New] = p.Moved
	}
}

// How alike two elements are, that are not equal.
const (
	unlike    = 0
	samePlace = 1 // nothing but the place says that one became the other
	alike     = 100
	nearly    = 10 * alike // they differ by one part that came or went
)

// similarity sees through marks.
func (x *matcher) similarity(i, j int) int {
	if x.oldSymbols[i].keyed || x.newSymbols[j].keyed {
		return unlike
	}
	old, now := x.old.Elem(i), x.now.Elem(j)
	switch {
	case old.IsUnknown() || now.IsUnknown():
		return samePlace
	case !old.Kind().IsContainer() && !now.Kind().IsContainer():
		return samePlace
	case old.Kind() != now.Kind() && x.prints.rules.SecretsDiffer(old, now):
		return samePlace // it must be hidden on both sides, if it is one thing
	case old.Kind() != now.Kind():
		return unlike
	case old.Kind() == value.KindArray:
		return x.similarElems(i, j)
	}
	return x.similarMembers(i, j)
}

// similarElems looks at what two arrays have in common at their beginning.
func (x *matcher) similarElems(i, j int) int {
	n, m := x.old.Elem(i).Len(), x.now.Elem(j).Len()
	p, q := x.prints.within(x.script.oldParts[i]), x.prints.within(x.script.newParts[j])
	same, skipped := 0, 0
	for same+skipped < min(n, m, fewParts) {
		if x.prints.all[p].bare != x.prints.all[q].bare {
			// One that came or went shifts what follows by one.
			if skipped > 0 || n == m {
				break
			}
			skipped = 1
			if n > m {
				p = x.prints.beyond(p)
			} else {
				q = x.prints.beyond(q)
			}
			continue
		}
		same++
		p, q = x.prints.beyond(p), x.prints.beyond(q)
	}
	if max(n, m) == min(n, m)+1 && same >= min(n, m, fewParts)-skipped {
		return nearly
	}
	return samePlace + alike*same/max(n, m, 1)
}

// similarMembers looks at the first members of two objects: those with equal
// values count in full, those with the same key a little.
func (x *matcher) similarMembers(i, j int) int {
	old, now := x.old.Elem(i), x.now.Elem(j)
	p, q := x.prints.within(x.script.oldParts[i]), x.prints.within(x.script.newParts[j])
	equal, keys, single, seen := 0, 0, 0, 0
	for a, b := 0, 0; seen < fewParts; seen++ {
		oldKey, _, inOld := old.MemberAt(a)
		newKey, _, inNew := now.MemberAt(b)
		if !inOld && !inNew {
			break
		}
		side := strings.Compare(oldKey, newKey)
		inOld, inNew = inOld && (!inNew || side <= 0), inNew && (!inOld || side >= 0)
		switch {
		case !inOld || !inNew:
			single++
		case x.prints.all[p].bare == x.prints.all[q].bare:
			equal++
		default:
			keys++
		}
		if inOld {
			a, p = a+1, x.prints.beyond(p)
		}
		if inNew {
			b, q = b+1, x.prints.beyond(q)
		}
	}
	const aKey = 4 // a key alone says a quarter of what a member says
	switch {
	case single == 1 && keys == 0:
		return nearly
	case seen == 0:
		return samePlace // both are empty, so their marks differ
	case equal+keys == 0 && x.prints.rules.SecretsDiffer(old, now):
		return samePlace
	case equal+keys == 0:
		return unlike
	}
	return samePlace + alike*(aKey*equal+keys)/(aKey*seen)
}
