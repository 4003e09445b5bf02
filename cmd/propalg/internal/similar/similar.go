// Package similar finds what a misspelt word may mean.
package similar

import "strings"

// To returns the candidate that is most like a word, an empty text if none is: one that
// differs in case, begins with the word, or differs in a third of the letters
// at most, two neighbours that changed places counted once.
func To(word string, candidates []string) string {
	word = strings.ToLower(word)
	best, least := "", 1+len(word)/3
	if len(word) > longest {
		return ""
	}

	for _, c := range candidates {
		lower := strings.ToLower(c)
		n := distance(word, lower)
		if len(word) > 2 && strings.HasPrefix(lower, word) {
			n = min(n, 1)
		}
		if n < least || (n == 0 && best == "") {
			best, least = c, n
		}
	}
	return best
}

// Only the first longest bytes of words are compared.
const longest = 100

// distance returns the number of letters that are missing, added or changed, and of
// neighbours that changed places.
func distance(a, b string) int {
	before, last, row := []int(nil), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}

	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}

		before, last, row = last, row, make([]int, len(b)+1)
	}
	return last[len(b)]
}
