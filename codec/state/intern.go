package state

import "strings"

// texts are copies of short texts of a stream, many of which recur: types, providers,
// parents, dependencies. It keeps some of the latest, which are not copied again.
type texts [256]string // by a hash

// Texts longer than longestKept are not kept for others.
const longestKept = 512

func (t *texts) keep(text string) string {
	n := len(text)
	if n == 0 || n > longestKept {
		return strings.Clone(text)
	}

	// Names differ at their ends, types in the middle.
	at := uint(n)*31 + uint(text[n-1])*7 + uint(text[n/2])*131 + uint(text[n*3/4])*17 + uint(text[max(0, n-3)])*61
	slot := &t[at%uint(len(t))]
	if *slot != text {
		*slot = strings.Clone(text)
	}
	return *slot
}
