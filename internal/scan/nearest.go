package scan

import (
	"iter"
	"strings"
)

// Nearest returns the name that key may be a mistake for: one that differs in at most two
// bytes, of a key of at most 64. If there is none it returns "".
func Nearest(names iter.Seq[string], key string) (nearest string) {
	const most, longest = 2, 64

	if len(key) > longest {
		return ""
	}

	least := min(most, len(key)/2) + 1

	for name := range names {
		if len(name) > longest {
			continue
		}

		if n := distance(name, key); n < least {
			nearest, least = name, n
		}
	}

	return nearest
}

// distance returns how many bytes have to be inserted, removed or replaced to make one
// text of the other; a capital letter counts as the small one.
func distance(s, t string) int {
	s, t = strings.ToLower(s), strings.ToLower(t)
	row := make([]int, len(t)+1)

	for j := range row {
		row[j] = j
	}

	for i := range len(s) {
		corner := row[0]
		row[0] = i + 1

		for j := range len(t) {
			other := corner
			if s[i] != t[j] {
				other = min(corner, row[j], row[j+1]) + 1
			}

			corner, row[j+1] = row[j+1], other
		}
	}

	return row[len(t)]
}
