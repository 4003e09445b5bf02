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
		if n := distance(name, key, least); n < least {
			nearest, least = name, n
		}
	}
	return nearest
}

// distance returns how many bytes have to be inserted, removed or replaced to make one
// text of the other; a capital letter counts as the small one. If these are the limit or
// more, it returns the limit: cells so far from the diagonal are not computed.
func distance(s, t string, limit int) int {
	s, t = strings.ToLower(s), strings.ToLower(t)
	if max(len(s)-len(t), len(t)-len(s)) >= limit {
		return limit
	}

	var few [96]int
	row := few[:0]
	for j := range len(t) + 1 {
		row = append(row, min(j, limit))
	}
	for i := range len(s) {
		from, to := max(0, i-limit), min(len(t), i+limit)
		corner := row[from]
		row[from] = min(row[from]+1, limit)
		for j := from; j < to; j++ {
			other := corner
			if s[i] != t[j] {
				other = min(corner, row[j], row[j+1]) + 1
			}
			corner, row[j+1] = row[j+1], min(other, limit)
		}
	}

	return row[len(t)]
}
