package diff

import "github.com/propalg/propalg/value"

// BetweenCounting is Between, and how much work it was: pairs and elements
// visited, parts hashed, comparisons and probes.
func BetweenCounting(old, now value.Value, o Options) (Diff, int) {
	var done work
	d := between(old, now, o, &done)
	return d, done.Total() + done.hashed
}
