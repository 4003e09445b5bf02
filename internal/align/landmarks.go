package align

import (
	"math"
	"math/bits"
)

// minLandmarks is the share of the shorter side, as its reciprocal, that must be
// landmarks in order: fewer may be there by chance and would tear apart what
// belongs together.
const minLandmarks = 32

// landmarks cuts a problem at runs of symbols that stand exactly once on each
// side and in the same order, and solves what lies between. First runs of one
// symbol are tried, then runs so long that equal ones are hardly there by chance.
func (al *aligner) landmarks(a, b seq, have alike, depth int) (int, bool) {
	n, m := a.len(), b.len()

	var olds, news []int32
	if have.singles*minLandmarks >= min(n, m) {
		olds, news = al.chainOf(al.unique(a, b))
	}

	if len(olds)*minLandmarks < min(n, m) {
		olds, news = al.chainOf(al.uniqueRuns(a, b, runLength(n, m, have.pairs)))
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

// unique lists the pairs of symbols that stand once on each side, by new index.
func (al *aligner) unique(a, b seq) (olds, news []int32) {
	for _, s := range a.sym {
		al.count[s]++
	}

	for _, s := range b.sym {
		al.seen[s]++
	}

	place := make([]int32, 0, b.len())

	for j, s := range b.sym {
		if al.count[s] == 1 && al.seen[s] == 1 {
			place = append(place, int32(j))
		}
	}

	olds = make([]int32, len(place))
	for k, j := range place {
		al.seen[b.sym[j]] = -1 - int32(k) // where the one of a finds it
	}

	for i, s := range a.sym {
		if k := al.seen[s]; k < 0 {
			olds[-1-k] = int32(i)
		}
	}

	for _, s := range a.sym {
		al.count[s] = 0
	}

	for _, s := range b.sym {
		al.seen[s] = 0
	}

	al.work.Probed += 3*a.len() + 3*b.len() + 2*len(place)

	return olds, place
}

// run is an entry of a table of runs: by what it is known, and one more than
// where it stands on each side; below zero when it stands there more than once.
type run struct {
	key      uint64
	old, new int32
}

// uniqueRuns lists the pairs of runs of k symbols that stand once on each side,
// by new index.
func (al *aligner) uniqueRuns(a, b seq, k int) (olds, news []int32) {
	if a.len() < k || b.len() < k {
		return nil, nil
	}

	size := bits.Len(uint(a.len() + b.len()))
	table := make([]run, 2<<size)

	al.eachRun(a.sym, k, func(i int, key uint64) {
		e := al.entry(table, size, key)

		switch {
		case e == none:
		case table[e].old == 0:
			table[e].old = int32(i + 1)
		default:
			table[e].old = -1
		}
	})

	var places []int32 // in the table, of the runs of b that may be landmarks

	al.eachRun(b.sym, k, func(j int, key uint64) {
		e := al.entry(table, size, key)

		switch {
		case e == none:
		case table[e].new != 0:
			table[e].new = -1
		default:
			table[e].new = int32(j + 1)

			if table[e].old > 0 {
				places = append(places, e)
			}
		}
	})

	for _, e := range places { // by new index, since each is there once
		if i, j := table[e].old-1, table[e].new-1; j >= 0 && a.sym[i] == b.sym[j] {
			olds, news = append(olds, i), append(news, j)
		}
	}

	al.work.Probed += len(places)

	return olds, news
}

// eachRun calls for each run of k symbols with where it starts and a number made
// of its symbols, the same for the same symbols: a polynomial over 2^64.
func (al *aligner) eachRun(sym []int32, k int, call func(i int, key uint64)) {
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
			call(i-k+1, key)
		}
	}

	al.work.Visited += len(sym)
}

// spread makes a symbol a number of 64 bits.
func spread(s int32) uint64 {
	x := (uint64(uint32(s)) + 1) * 0xbf58476d1ce4e5b9
	x ^= x >> 29
	x *= 0x94d049bb133111eb

	return x ^ x>>32
}

// maxProbes bounds the search for an entry: somebody who knows the numbers above
// could make keys that crowd in one corner of the table.
const maxProbes = 32

// entry finds the entry of a key, or makes a free one it, by linear probing. It is
// none where none near the place of the key is free. Entries never go away, so a
// key that has one keeps it, and one that was refused is refused again.
func (al *aligner) entry(table []run, size int, key uint64) int32 {
	mask := uint64(len(table) - 1)
	from := (key * 0xff51afd7ed558ccd) >> (63 - size)

	for at := from; at < from+maxProbes; at++ {
		al.work.Probed++

		e := &table[at&mask]
		if e.old == 0 && e.new == 0 {
			e.key = key
		}

		if e.key == key {
			return int32(at & mask)
		}
	}

	return none
}
