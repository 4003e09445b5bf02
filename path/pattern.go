package path

import "iter"

// Pattern is a path in which some steps may be wildcards: `[*]`, which is any one step, and
// `[**]`, which is any number of them. It is immutable, comparable with == and usable as a
// map key; the zero Pattern is the root, which matches the root and covers everything.
//
// A pattern with `[**]` is compiled by each call of Matches, Covers and Touches. To ask
// often, make a [Set] of it.
type Pattern struct{ packed string }

// PatternOf returns the pattern of these steps.
func PatternOf(steps ...Step) Pattern { return Pattern{join("", steps)} }

// Append returns p followed by these steps.
func (p Pattern) Append(steps ...Step) Pattern { return Pattern{join(p.packed, steps)} }

// IsRoot reports whether p has no steps.
func (p Pattern) IsRoot() bool { return p.packed == "" }

// Cut returns the first step and the pattern below it, and false for the root.
func (p Pattern) Cut() (first Step, below Pattern, ok bool) {
	first, rest, ok := Path(p).Cut()
	return first, Pattern(rest), ok
}

// Steps iterates over the steps from the root down, without allocation.
func (p Pattern) Steps() iter.Seq[Step] { return Path(p).Steps() }

// Path returns p as a path, and false if it has a wildcard.
func (p Pattern) Path() (Path, bool) {
	for s := range p.Steps() {
		if s.isWild() {
			return Path{}, false
		}
	}
	return Path(p), true
}

// Equal reports whether p == q. `a[*]` and `a[0]` are different patterns.
func (p Pattern) Equal(q Pattern) bool { return p == q }

// Matches reports whether p matches all steps of q. Without `[**]` it has as many steps.
func (p Pattern) Matches(q Path) bool {
	_, _, matches := p.run(q)
	return matches
}

// Covers reports whether p matches q or an ancestor of q.
func (p Pattern) Covers(q Path) bool {
	covers, _, _ := p.run(q)
	return covers
}

// Touches reports whether p matches q or may match a descendant of q: whether all steps of
// p, or the first of them, match q.
func (p Pattern) Touches(q Path) bool {
	_, touches, _ := p.run(q)
	return touches
}

// run matches step by step until one side ends or the steps differ. A pattern with the
// wildcard of any depth takes a Set.
func (p Pattern) run(q Path) (covers, touches, matches bool) {
	pattern, path := p.packed, q.packed
	for pattern != "" && path != "" {
		s, n := unpack(pattern)
		t, m := unpack(path)
		if s.ref != wildMark && s != t {
			break
		}

		pattern, path = pattern[n:], path[m:]
	}
	if pattern != "" && pattern[0] == tagDeep {
		at := NewSet(p).At(q)
		return at.MatchesAbove(), at.MayMatchBelow(), at.Matches()
	}
	return pattern == "", path == "", pattern == "" && path == ""
}
