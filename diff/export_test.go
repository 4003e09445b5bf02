package diff

import "github.com/propalg/propalg/value"

// BetweenCounting is Between, and how much work it was: pairs and elements
// visited, parts hashed, comparisons and probes.
func BetweenCounting(old, now value.Value, o Options) (Diff, int) {
	var done work
	d := between(old, now, o, &done)
	return d, done.Total() + done.hashed
}

// ScratchHolds reports whether the memory that a walk gave back still holds a
// value.
func ScratchHolds() bool {
	s := scratches.Get().(*scratch) //nolint:forcetypeassert // the pool holds nothing else
	defer scratches.Put(s)
	for i := range s.pending {
		if l := &s.pending[i]; !l.old.IsNull() || !l.now.IsNull() || l.count != 0 || l.unordered {
			return true
		}
	}
	return false
}
