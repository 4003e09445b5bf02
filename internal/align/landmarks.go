package align

import (
	"cmp"
	"math"
	"slices"
)

// minLandmarks is the share of the shorter side, as its reciprocal, that must be
// landmarks in order: fewer may be there by chance and would tear apart what
// belongs together.
const minLandmarks = 32

// landmarks cuts a problem at runs of symbols that occur exactly once on each side
// and in the same order, and solves what lies between. First runs of one symbol are
// tried, then runs so long that equal ones are unlikely by chance. It reports false
// where there are too few.
func (al *aligner) landmarks(a, b seq, pairs int64, depth int) (int, bool) {
	n, m := a.len(), b.len()

	olds, news := al.chainOf(al.uniqueRuns(a, b, 1))
	if len(olds)*minLandmarks < min(n, m) {
		olds, news = al.chainOf(al.uniqueRuns(a, b, runLength(n, m, pairs)))
	}

	if len(olds)*minLandmarks < min(n, m) {
		return 0, false
	}

	kept, i, j := 0, 0, 0

	for k := range olds {
		p, q := int(olds[k]), int(news[k])
		kept += al.solve(a.cut(i, p), b.cut(j, q), depth+1)

		al.partner[b.at[q]] = a.at[p]
		i, j = p+1, q+1
		kept++
	}

	return kept + al.solve(a.cut(i, n), b.cut(j, m), depth+1), true
}

// runLength is how long a run of symbols has to be to be no accident, given the
// number of pairs of equal elements among n·m: the chance that two symbols are
// equal, to the power of the length, is less than one in n·m.
func runLength(n, m int, pairs int64) int {
	all := math.Log(float64(n)) + math.Log(float64(m))

	alike := all - math.Log(float64(pairs))
	if alike <= 0 {
		return maxRun
	}

	return max(2, min(int(all/alike)+1, maxRun))
}

const maxRun = 64

// chainOf keeps the longest part of some pairs that is in order on both sides.
func (al *aligner) chainOf(olds, news []int32) (x, y []int32) {
	chain := increasing(olds, al.work)
	x, y = make([]int32, len(chain)), make([]int32, len(chain))

	for l, k := range chain {
		x[l], y[l] = olds[k], news[k]
	}

	return x, y
}

// uniqueRuns lists the pairs of runs of k symbols that occur once on each side, by
// new index.
func (al *aligner) uniqueRuns(a, b seq, k int) (olds, news []int32) {
	if a.len() < k || b.len() < k {
		return nil, nil
	}

	all := make([]run, 0, a.len()+b.len())
	all = appendRuns(all, a.sym, k, false)
	all = appendRuns(all, b.sym, k, true)
	slices.SortFunc(all, func(r, s run) int { return cmp.Compare(r.key, s.key) })

	al.work.Probed += len(all) * log2(len(all))
	al.work.Visited += len(all)

	partner := make([]int32, b.len())
	for j := range partner {
		partner[j] = none
	}

	for lo := 0; lo < len(all); {
		hi := lo + 1
		for hi < len(all) && all[hi].key == all[lo].key {
			hi++
		}

		if hi == lo+2 && all[lo].newer != all[lo+1].newer {
			x, y := all[lo], all[lo+1]
			if x.newer {
				x, y = y, x
			}

			if a.sym[x.at] == b.sym[y.at] { // keys of unequal runs may be equal
				partner[y.at] = x.at
			}
		}

		lo = hi
	}

	for j, i := range partner {
		if i != none {
			olds, news = append(olds, i), append(news, int32(j))
		}
	}

	return olds, news
}

// run is a run of symbols of either side.
type run struct {
	key   uint64 // the same for the same symbols
	at    int32  // where the run begins
	newer bool   // of the new side
}

// appendRuns appends each run of k symbols. Its key is a polynomial of its symbols
// over 2^64.
func appendRuns(runs []run, sym []int32, k int, newer bool) []run {
	const factor = 0x9e3779b97f4a7c15

	oldest := uint64(1) // factor^k
	for range k {
		oldest *= factor
	}

	key := uint64(0)

	for i, s := range sym {
		key = key*factor + spread(s)

		if i >= k {
			key -= oldest * spread(sym[i-k])
		}

		if i >= k-1 {
			runs = append(runs, run{key, int32(i - k + 1), newer})
		}
	}

	return runs
}

// spread turns a symbol into a number of 64 bits.
func spread(s int32) uint64 {
	x := (uint64(uint32(s)) + 1) * 0xbf58476d1ce4e5b9
	x ^= x >> 29
	x *= 0x94d049bb133111eb

	return x ^ x>>32
}
