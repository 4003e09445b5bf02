package align_test

import (
	"math/bits"
	"strings"
	"testing"
)

// lcsOfMany is the length of a longest common subsequence, 64 columns at a time.
func lcsOfMany(a, b []int32) int {
	width := (len(a) + 63) / 64
	masks := map[int32][]uint64{}

	for i, s := range a {
		if masks[s] == nil {
			masks[s] = make([]uint64, width)
		}

		masks[s][i/64] |= 1 << (i % 64)
	}

	row := make([]uint64, width)
	for w := range row {
		row[w] = ^uint64(0)
	}

	for _, s := range b {
		mask, carry := masks[s], uint64(0)
		if mask == nil {
			continue
		}

		for w, v := range row {
			var sum uint64

			sum, carry = bits.Add64(v, v&mask[w], carry)
			row[w] = sum | v&^mask[w]
		}
	}

	length := 0
	for i := range a {
		length += int(^row[i/64] >> (i % 64) & 1)
	}

	return length
}

// TestQuality checks how far weights are above the least where they need not be exact:
// most are within 7 %, and those between sequences of two symbols within three
// hundredths of the number of elements. What moved as a block of 1,250 elements, among
// few symbols, is past the search for few edits: no more than that is known of it.
func TestQuality(t *testing.T) {
	t.Parallel()

	all := append(families(), family{"independent, 1000 symbols", func(n int) (a, b []int32) {
		return randomly(source(1), n, 1000), randomly(source(2), n, 1000)
	}})

	for _, f := range all {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()

			a, b := f.make(5000)
			s := aligned(a, b)
			check(t, a, b, s)

			pairs := both(a, b)
			least := len(a) + len(b) - pairs - lcsOfMany(a, b)
			got := weight(s, len(a), len(b))
			t.Logf("%s: weight %d, least %d, %.2f %% above",
				f.name, got, least, 100*float64(got-least)/float64(max(least, 1)))

			most := least + least*7/100 + (len(a)+len(b))/32
			if strings.HasPrefix(f.name, "rotated, ") {
				most = len(a)
			}

			if got > most {
				t.Errorf("weight %d, least %d, want at most %d", got, least, most)
			}
		})
	}
}
