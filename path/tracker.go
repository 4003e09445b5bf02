package path

import "iter"

// Tracker counts what the patterns of a Set matched, to tell afterwards which
// matched nothing. It belongs to one caller: it must not be used by two
// goroutines at once.
type Tracker struct {
	set    *Set
	counts []int
}

// Track is a new Tracker of s, with all counts at 0.
func (s *Set) Track() *Tracker { return &Tracker{set: s, counts: make([]int, s.Len())} }

// Mark counts a match for the patterns that end exactly at st. A State of
// another Set marks nothing.
func (t *Tracker) Mark(st State) {
	if st.set != t.set {
		return
	}
	for _, at := range st.live() {
		t.markEnds(at)
	}
}

// MarkPath counts a match for the patterns that cover p.
func (t *Tracker) MarkPath(p Path) {
	var one, two [scratchPlaces]position
	live, spare, rest := t.set.start(one[:0]), two[:0], p.packed
	for ok := true; ok; live, spare, rest, ok = t.set.down(live, spare, rest) {
		for _, at := range live {
			t.markEnds(at)
		}
	}
}

func (t *Tracker) markEnds(at position) {
	for _, i := range t.set.trie.ends(at) {
		t.counts[i]++
	}
}

// Count is how often the pattern of this number was marked, 0 when there is
// none.
func (t *Tracker) Count(i int) int {
	if i < 0 || i >= len(t.counts) {
		return 0
	}
	return t.counts[i]
}

// Unmatched iterates over the patterns that were never marked, by number.
func (t *Tracker) Unmatched() iter.Seq2[int, Pattern] {
	return func(yield func(int, Pattern) bool) {
		for i, n := range t.counts {
			if n == 0 && !yield(i, t.set.patterns[i]) {
				return
			}
		}
	}
}
