// Package keysort sorts things by their keys, for callers to whom the things are
// large to move and the keys slow to reach: what is sorted is words that hold the
// beginning of a key, and in their low bits where its thing is.
//
//	low := keysort.Low(n)
//	words[i] = keysort.Word(key, i, low)   for each i below n
//	keysort.Sort(words)
//	keysort.Ties(words, low, key)          those whose keys begin alike
//	words[i] & low                         is now the place of the thing that comes i-th
package keysort

import (
	"math/bits"
	"slices"
)

// Low is the mask of the bits of a word that hold the place of one of n things.
func Low(n int) uint64 { return 1<<bits.Len(uint(max(n-1, 0))) - 1 } //nolint:gosec // not negative

// Word is the word of the thing at i. What all keys begin with is best left out.
func Word[K string | []byte](key K, i int, low uint64) uint64 {
	return Prefix(key)&^low | uint64(i) //nolint:gosec // not negative
}

// Prefix returns the first bytes of a key so that they compare as the key does,
// but that keys which differ may have one prefix.
func Prefix[K string | []byte](key K) (p uint64) {
	if len(key) >= 8 {
		return uint64(key[0])<<56 | uint64(key[1])<<48 | uint64(key[2])<<40 | uint64(key[3])<<32 |
			uint64(key[4])<<24 | uint64(key[5])<<16 | uint64(key[6])<<8 | uint64(key[7])
	}
	if n := len(key); n >= 4 { // the last bytes of which some stood in the first ones move out
		last := uint32(key[n-4])<<24 | uint32(key[n-3])<<16 | uint32(key[n-2])<<8 | uint32(key[n-1])
		return uint64(key[0])<<56 | uint64(key[1])<<48 | uint64(key[2])<<40 | uint64(key[3])<<32 | uint64(last<<(8*(8-n)))
	}

	for i := range len(key) {
		p |= uint64(key[i]) << (56 - 8*i)
	}
	return p
}

// few is up to how many things insertion is the fastest way.
const few = 24

// Sort sorts words, all of which differ.
func Sort(words []uint64) {
	if len(words) > few {
		slices.Sort(words)
		return
	}

	for i, w := range words { // without a branch that depends on the words
		for j, x := range words[:i] {
			words[j], w = min(x, w), max(x, w)
		}
		words[i] = w
	}
}

// Ties sorts among themselves, by what comes later in their keys and then by place,
// sorted words of which nothing but the place differs. The keys are those that Word
// was given. It returns at which word a key stands for the second time, or -1.
func Ties[K string | []byte](words []uint64, low uint64, key func(i int) K) (double int) {
	double = -1
	skip := (64 - bits.Len64(low)) / 8 // bytes that words hold whole
	for from, to := alike(words, 0, low); from < to; from, to = alike(words, to, low) {
		run := words[from:to]
		for j, w := range run {
			k := key(int(w & low))                                //nolint:gosec // a place
			run[j] = Word(k[min(skip, len(k)):], int(w&low), low) //nolint:gosec // a place
		}

		Sort(run)
		if d := tied(run, low, key); d >= 0 && double < 0 {
			double = from + d
		}
	}
	return double
}

// alike finds the next words, from i on, of which nothing but the place differs:
// those from one index to another, which are the same where there are none.
func alike(words []uint64, i int, low uint64) (from, to int) {
	for i++; i < len(words); i++ {
		if (words[i-1]^words[i])&^low != 0 {
			continue
		}
		from = i - 1
		for i++; i < len(words) && (words[from]^words[i])&^low == 0; {
			i++
		}
		return from, i
	}

	return 0, 0
}

// tied is Ties of words that hold the next bytes of their keys, which begin alike:
// those that are still equal are compared as a whole.
func tied[K string | []byte](words []uint64, low uint64, key func(i int) K) (double int) {
	double = -1
	for from, to := alike(words, 0, low); from < to; from, to = alike(words, to, low) {
		run := words[from:to]
		slices.SortFunc(run, func(p, q uint64) int {
			k, l := key(int(p&low)), key(int(q&low)) //nolint:gosec // places
			switch {
			case string(k) < string(l): // which copies neither
				return -1
			case string(k) > string(l):
				return 1
			}
			return int(p&low) - int(q&low) //nolint:gosec // places
		})

		for j := 1; j < len(run) && double < 0; j++ {
			if string(key(int(run[j-1]&low))) == string(key(int(run[j]&low))) { //nolint:gosec // places
				double = from + j
			}
		}
	}
	return double
}
