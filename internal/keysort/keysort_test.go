package keysort_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/keysort"
)

// order is the way that callers go.
func order[K string | []byte](keys []K) (places []int, double int) {
	words := make([]uint64, len(keys))
	low := keysort.Low(len(keys))
	for i, key := range keys {
		words[i] = keysort.Word(key, i, low)
	}
	keysort.Sort(words)
	double = keysort.Ties(words, low, func(i int) K { return keys[i] })
	for _, w := range words {
		places = append(places, int(w&low)) //nolint:gosec // a place
	}
	return places, double
}

// Sorted by words is sorted, for keys that begin alike in every length, end in
// zeros, or stand there twice.
func TestSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	parts := []string{"", "a", "b", "\x00", "\xff", "abcdef", "abcdefg", "abcdefgh", "abcdefg\x00", "subnet", "\x00\x00\x00\x00\x00\x00\x00"}
	for round := range 3000 {
		n := rng.IntN(40)
		if round%100 == 0 {
			n = 1 + rng.IntN(3000)
		}
		keys := make([]string, n)
		for i := range keys {
			for range rng.IntN(4) {
				keys[i] += parts[rng.IntN(len(parts))]
			}
		}
		want := make([]int, n)
		for i := range want {
			want[i] = i
		}
		slices.SortStableFunc(want, func(p, q int) int { return strings.Compare(keys[p], keys[q]) })
		wantDouble := -1
		for i := 1; i < n && wantDouble < 0; i++ {
			if keys[want[i-1]] == keys[want[i]] {
				wantDouble = i
			}
		}
		got, double := order(keys)
		if !slices.Equal(got, want) || double != wantDouble {
			t.Fatalf("%q: order %v, want %v; double at %d, want %d", keys, got, want, double, wantDouble)
		}
		bytes := make([][]byte, n)
		for i := range keys {
			bytes[i] = []byte(keys[i])
		}
		if again, twice := order(bytes); !slices.Equal(got, again) || twice != double {
			t.Fatalf("%q: order %v as bytes, %v as strings", keys, again, got)
		}
	}
}
