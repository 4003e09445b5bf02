package diff

import (
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
)

// Matches reports whether the change affects a place that a pattern in s names.
//
// It does if a pattern covers its path, or if it adds, removes or updates as a whole a
// subtree that contains a match on either side. An unknown counts as containing every
// place below it, so a pattern that goes on below an unknown matches a change that adds,
// removes or updates the unknown.
func (c Change) Matches(s *path.Set) bool {
	if c.at.In.Open() == nil || s.Len() == 0 {
		return false
	}
	st := c.at.State(s)
	return st.MatchesAbove() || c.at.Place().Holds(st, true)
}

// Which returns the numbers of the patterns in s that the change matches, ascending. They
// are the numbers of [path.Set.Patterns]; [Change.Matches] says what a match is.
func (c Change) Which(s *path.Set) []int {
	if c.at.In.Open() == nil || s.Len() == 0 {
		return nil
	}
	f := difftree.Finder{Rules: c.at.In.Open().Rules, Hits: make([]bool, s.Len())}
	st := s.Matcher()
	f.Hit(st)

	var few [difftree.InlineSteps]path.Step
	above := c.at.Place().Steps(few[:0], c.at.Place().Node().Removed())
	for _, step := range above {
		st = st.Next(step)
		f.Hit(st)
	}
	if n := c.at.Place().Node(); n.Whole() && st.MayMatchBelow() {
		// Which patterns go on below an unknown is not for the Matcher to say.
		f.Set, f.Above = s, c.Path()
		f.Search(n.Old, st)
		f.Search(n.New, st)
	}

	var found []int
	for i, hit := range f.Hits {
		if hit {
			found = append(found, i)
		}
	}
	return found
}
