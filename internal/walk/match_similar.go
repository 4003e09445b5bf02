package walk

import (
	"strings"

	"github.com/propalg/propalg/internal/align"
	"github.com/propalg/propalg/value"
)

// resemble pairs elements without a partner that are alike, so that what changed in them
// is found: between the same neighbours or, in sets, at any index.
func (x *matcher) resemble() {
	s := x.script
	if x.how.By == ByContent {
		if x.pair(alones(s.ofOld), alones(s.ofNew), align.ResembleAny) {
			s.moved = align.Moved(s.ofNew)
		}
		return
	}

	var olds, news []int
	for i, j := 0, 0; i < len(s.ofOld) || j < len(s.ofNew); i, j = i+1, j+1 {
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
		x.pair(olds, news, align.Resemble)
	}
}

func alones(partners []int32) []int {
	var found []int
	for i, partner := range partners {
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

func (x *matcher) pair(olds, news []int, resemble resembler) bool {
	if len(olds) == 0 || len(news) == 0 {
		return false
	}

	similarity := func(i, j int) int { return x.similarity(olds[i], news[j]) }
	found := resemble(len(olds), len(news), similarity, fewTries*(len(olds)+len(news)))
	for _, p := range found {
		x.script.pair(olds[p.Old], news[p.New])
	}
	return len(found) > 0
}

// How alike two elements are that are not equal.
const (
	unlike    = 0
	samePlace = 1 // only the place suggests that one became the other
	alike     = 100
	nearly    = 10 * alike // they differ by one part that was added or removed
)

type part struct {
	value.Value
	print int
}

// similarity compares two elements without regard to marks.
func (x *matcher) similarity(i, j int) int {
	old := part{x.old.Elem(i), x.script.oldParts[i]}
	now := part{x.now.Elem(j), x.script.newParts[j]}
	sameKind := old.Kind() == now.Kind()
	switch {
	case x.oldSymbols[i].keyed || x.newSymbols[j].keyed:
		return unlike
	case old.IsUnknown() || now.IsUnknown():
		return samePlace
	case !old.Kind().IsContainer() && !now.Kind().IsContainer():
		return samePlace
	case !sameKind && x.prints.rules.SecretsDiffer(old.Value, now.Value):
		return samePlace // it must be hidden on both sides, if it is one thing
	case !sameKind:
		return unlike
	case old.Kind() == value.KindArray:
		return x.prints.similarElems(old, now)
	}

	return x.prints.similarMembers(old, now)
}

// similarElems counts the equal elements at the beginning of two arrays. If their lengths
// differ, one added or removed element among them is skipped.
func (p *prints) similarElems(old, now part) int {
	n, m := old.Len(), now.Len()
	a, b := p.within(old.print), p.within(now.print)
	same, skipped := 0, 0
	for same+skipped < min(n, m, fewParts) {
		switch {
		case p.all[a].bare == p.all[b].bare:
			a, b = p.beyond(a), p.beyond(b)
			same++
		case skipped > 0 || n == m:
			return samePlace + alike*same/max(n, m)
		case n > m:
			a = p.beyond(a)
			skipped++
		default:
			b = p.beyond(b)
			skipped++
		}
	}

	if max(n, m) == min(n, m)+1 {
		return nearly
	}
	return samePlace + alike*same/max(n, m, 1)
}

// similarMembers looks at the first members of two objects: those with equal
// values count in full, those with the same key a little.
func (p *prints) similarMembers(old, now part) int {
	before, after := old.Children(), now.Children()
	oldPart, newPart := p.within(old.print), p.within(now.print)
	equal, keys, single, seen := 0, 0, 0, 0
	for i, j := 0, 0; seen < fewParts && (i < before.Len() || j < after.Len()); seen++ {
		order := compareChildren(before, i, after, j)
		switch {
		case order != 0:
			single++
		case p.all[oldPart].bare == p.all[newPart].bare:
			equal++
		default:
			keys++
		}
		if order <= 0 {
			i, oldPart = i+1, p.beyond(oldPart)
		}
		if order >= 0 {
			j, newPart = j+1, p.beyond(newPart)
		}
	}

	const aKey = 4 // a key alone says a quarter of what a member says
	switch {
	case single == 1 && keys == 0:
		return nearly
	case seen == 0:
		return samePlace // both are empty, so their marks differ
	case equal+keys > 0:
		return samePlace + alike*(aKey*equal+keys)/(aKey*seen)
	case p.rules.SecretsDiffer(old.Value, now.Value):
		return samePlace
	}

	return unlike
}

// compareChildren compares the keys of two children, either of which may be missing.
func compareChildren(old value.Children, i int, now value.Children, j int) int {
	switch {
	case i == old.Len():
		return +1
	case j == now.Len():
		return -1
	}

	oldKey, _ := old.At(i)
	newKey, _ := now.At(j)
	return strings.Compare(oldKey, newKey)
}
