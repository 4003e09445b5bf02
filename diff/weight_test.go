package diff_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

// The weight of a script is what it carries: 1 for each element or member that
// was added or removed, 2 for what was replaced as a whole, 1 for each move, and what
// pairs weigh inside; of a pair with changes inside never more than the 2 of
// replacing it.

// pairWeight is that of comparing two values.
func pairWeight(x, y value.Value) int {
	switch {
	case x.Equal(y):
		return 0
	case x.Kind() != y.Kind() || !x.Kind().IsContainer():
		return 2
	case x.Kind() == value.KindArray:
		return min(2, arrayWeight(elemsOf(x), elemsOf(y)))
	}
	weight := 0
	for k, a := range x.Members() {
		if b, ok := y.Lookup(k); ok {
			weight += pairWeight(a, b)
		} else {
			weight++
		}
	}
	for k := range y.Members() {
		if _, ok := x.Lookup(k); !ok {
			weight++
		}
	}
	return min(2, weight)
}

func elemsOf(v value.Value) []value.Value {
	var elems []value.Value
	for _, e := range v.Elems() {
		elems = append(elems, e)
	}
	return elems
}

// arrayWeight is the least weight that the plain quadratic way finds: with pairs
// that are told from inside but nothing moved, or with moves of equal elements.
func arrayWeight(x, y []value.Value) int {
	common := make([][]int, len(x)+1)
	cost := make([][]int, len(x)+1)
	for i := range cost {
		common[i], cost[i] = make([]int, len(y)+1), make([]int, len(y)+1)
	}
	for i := len(x); i >= 0; i-- {
		for j := len(y); j >= 0; j-- {
			switch {
			case i == len(x) || j == len(y):
				cost[i][j] = len(x) - i + len(y) - j
			default:
				pair := pairWeight(x[i], y[j])
				cost[i][j] = min(pair+cost[i+1][j+1], 1+cost[i+1][j], 1+cost[i][j+1])
				common[i][j] = max(common[i+1][j], common[i][j+1])
				if pair == 0 {
					common[i][j] = max(common[i][j], 1+common[i+1][j+1])
				}
			}
		}
	}
	equal, left := 0, slices.Clone(y)
	for _, a := range x {
		if j := slices.IndexFunc(left, a.Equal); j >= 0 {
			left = slices.Delete(left, j, j+1)
			equal++
		}
	}
	return min(cost[0][0], len(x)+len(y)-equal-common[0][0])
}

// scriptWeight is that of the script of a diff between arrays.
func scriptWeight(old, now value.Value, d diff.Diff) int {
	total := 0
	seen := map[[2]int]bool{}
	for c := range d.Changes() {
		from, _, _ := c.OldPath().Cut()
		to, _, _ := c.NewPath().Cut()
		i, _ := from.AsIndex()
		j, _ := to.AsIndex()
		switch {
		case c.OldPath().Len() > 1 && seen[[2]int{i, j}]:
		case c.OldPath().Len() > 1:
			seen[[2]int{i, j}] = true
			total += pairWeight(old.Elem(i), now.Elem(j))
		case c.Op() == diff.OpUpdate:
			total += 2
		default:
			total++
		}
	}
	return total
}

func checkWeight(t *testing.T, name string, old, now []value.Value, slack float64) {
	t.Helper()
	x, y := arr(old...), arr(now...)
	d := diff.Between(x, y, diff.Options{Arrays: diff.Aligned()})
	got, least := scriptWeight(x, y, d), arrayWeight(old, now)
	if float64(got) > float64(least)*(1+slack) {
		t.Errorf("%s: %d and %d elements: the script weighs %d, the lightest %d", name, len(old), len(now), got, least)
	}
}

// lists of words and of objects, some with duplicates.
func listOf(n, words int, objects bool, r *rand.Rand) []value.Value {
	list := make([]value.Value, n)
	for i := range list {
		w := r.IntN(words)
		list[i] = str(strconv.Itoa(w))
		if objects {
			list[i] = obj("id", num(float64(w/2)), "zone", str("z"+strconv.Itoa(w%3)))
			if w%2 == 1 { // nearly the one before
				list[i] = obj("id", num(float64(w/2)), "zone", str("z"+strconv.Itoa((w-1)%3)), "on", value.Bool(true))
			}
		}
	}
	return list
}

// Law 3: single edits are told with the least weight.
func TestLaw3SingleEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	lengths := []int{1, 2, 3, 7, 20, 61}
	if !race.Enabled {
		lengths = append(lengths, 200)
	}
	for _, n := range lengths {
		for _, words := range []int{1, 2, 5, 10 * n} {
			for _, objects := range []bool{false, true} {
				list := listOf(n, words, objects, r)
				other := listOf(1, words+1, objects, r)[0]
				places := n
				if n > 61 {
					places = 5
				}
				for range places {
					i, j := r.IntN(n), r.IntN(n)
					checkWeight(t, "insertion", list, slices.Insert(slices.Clone(list), i, other), 0)
					checkWeight(t, "removal", list, slices.Delete(slices.Clone(list), i, i+1), 0)
					replaced := slices.Clone(list)
					replaced[i] = other
					checkWeight(t, "replacement", list, replaced, 0)
					moved := slices.Insert(slices.Delete(slices.Clone(list), i, i+1), j, list[i])
					checkWeight(t, "move", list, moved, 0)
				}
			}
		}
	}
}

// Law 3: random pairs are told with at most a twentieth more than the least.
func TestLaw3RandomPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	sizes := []int{5, 30, 120}
	if !race.Enabled {
		sizes = append(sizes, 500)
	}
	for _, n := range sizes {
		for _, words := range []int{2, 4, 20, n, 10 * n} {
			for _, objects := range []bool{false, true} {
				if objects && n > 120 {
					continue
				}
				x, y := listOf(n, words, objects, r), listOf(n+r.IntN(n), words, objects, r)
				checkWeight(t, "random", x, y, 0.05)
				edited := slices.Clone(x)
				for range n / 4 {
					edited[r.IntN(n)] = y[r.IntN(n)]
					edited = slices.Insert(edited, r.IntN(n), y[r.IntN(n)])
				}
				checkWeight(t, "edited", x, edited, 0.05)
			}
		}
	}
}
