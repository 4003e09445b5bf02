package path

import "slices"

// combination is what a Set is made of that is no list of patterns.
//
// Either side matches all that is at and below a place, none of it, or some. Where one of them
// decides alone, a Matcher is that of the other side, or the zero one; so only where both may
// match in part are there two.
type combination struct {
	left, right *Set
	isUnion     bool // else left without right
}

// more is what a Matcher holds that has many live places, or is one of two sets.
type more struct {
	live  []position // of one set; of two one that stands for theirs
	sides [2]Matcher
}

// Union returns the set that matches where s or t does. Its patterns are those of s, then
// those of t.
func (s *Set) Union(t *Set) *Set {
	switch {
	case t.Len() == 0:
		return s
	case s.Len() == 0:
		return t
	}

	patterns := slices.Concat(s.patterns, t.patterns)
	if s.of == nil && t.of == nil {
		return NewSet(patterns...)
	}
	return &Set{patterns: patterns, of: &combination{s, t, true}}
}

// Except returns the set of what s matches and other does not. No list of patterns could say
// it, so it is decided while matching. The patterns of the result are those of s, then those of
// other, which never match.
//
// A pattern of s matches a place unless other covers it. A place is covered, as by a pattern
// that matches it or an ancestor, if s covers it and nothing at or below it is excepted: with
// tags except tags.owner, tags.env is covered, and tags itself is not.
func (s *Set) Except(other *Set) *Set {
	if s.Len() == 0 || other.Len() == 0 {
		return s
	}
	return &Set{patterns: slices.Concat(s.patterns, other.patterns), of: &combination{left: s, right: other}}
}

// combined returns the Matcher of a place from those of both sides.
func (s *Set) combined(left, right Matcher) Matcher {
	switch {
	case !s.of.isUnion && (right.covered || left.isDead()):
		return Matcher{}
	case right.isDead():
		return left
	case s.of.isUnion && !left.MayMatchBelow() && !right.MayMatchBelow():
		return Matcher{covered: true}
	}
	covered := s.of.isUnion && (left.covered || right.covered)
	return Matcher{set: s, covered: covered, more: &more{live: []position{{}}, sides: [2]Matcher{left, right}}}
}

// isDead reports whether nothing at or below a place matches.
func (m *Matcher) isDead() bool { return !m.covered && !m.MayMatchBelow() }

func (m *Matcher) combinedMatched() []int {
	ends := m.more.sides[0].matched()
	if !m.set.of.isUnion {
		return ends
	}
	ends = slices.Clone(ends)
	for _, i := range m.more.sides[1].matched() {
		ends = append(ends, m.set.of.left.Len()+i)
	}
	return ends
}
