package path

import (
	"iter"

	"github.com/propalg/propalg/internal/refuse"
)

// PatternStep is one step of a pattern: a step that must be the same, or the
// wildcard. It is comparable with ==; the zero PatternStep is
// Exactly(Key("")).
type PatternStep struct{ cell Step }

// Any returns the wildcard, which matches any one key or index.
func Any() PatternStep { return PatternStep{Step{ref: wildMark}} }

// Exactly returns the step that matches s and no other.
func Exactly(s Step) PatternStep { return PatternStep{s} }

// Step returns the step that s matches, and false for the wildcard.
func (s PatternStep) Step() (Step, bool) {
	if s.IsWildcard() {
		return Step{}, false
	}
	return s.cell, true
}

// IsWildcard reports whether s matches every step.
func (s PatternStep) IsWildcard() bool { return s.cell.ref == wildMark }

// Matches reports whether s matches the step t.
func (s PatternStep) Matches(t Step) bool { return s.IsWildcard() || s.cell == t }

// Equal reports whether s == t. It is here for go-cmp.
func (s PatternStep) Equal(t PatternStep) bool { return s == t }

// Compare orders the wildcard first, then as Step.Compare does.
func (s PatternStep) Compare(t PatternStep) int { return s.cell.Compare(t.cell) }

// String returns the canonical text of a pattern of this one step.
func (s PatternStep) String() string { return string(appendStep(nil, s.cell, true)) }

// Pattern is a path in which some steps may be the wildcard `[*]`. It is
// immutable, comparable with == and usable as a map key; the zero Pattern is
// the root, which matches the root and covers everything.
type Pattern struct{ packed string }

// PatternOf returns the pattern of these steps.
func PatternOf(steps ...PatternStep) Pattern { return Pattern{}.Append(steps...) }

// Append returns p followed by these steps.
func (p Pattern) Append(steps ...PatternStep) Pattern {
	cells := make([]Step, len(steps))
	for i, s := range steps {
		cells[i] = s.cell
	}
	return Pattern{join(p.packed, cells)}
}

// Join returns p followed by the steps of q.
func (p Pattern) Join(q Pattern) Pattern { return Pattern{p.packed + q.packed} }

// Len returns the number of steps, in time proportional to it.
func (p Pattern) Len() int { return count(p.packed) }

// IsRoot reports whether p has no steps.
func (p Pattern) IsRoot() bool { return p.packed == "" }

// Cut returns the first step and the pattern below it, and false for the root.
func (p Pattern) Cut() (first PatternStep, below Pattern, ok bool) {
	if p.packed == "" {
		return PatternStep{}, Pattern{}, false
	}
	if h := uint(p.packed[0]); h&(0x80|tagMask) == tagKey { // as unpack has it, without the call
		return PatternStep{Step{name: p.packed[1 : h>>tagBits+1]}}, Pattern{p.packed[h>>tagBits+2:]}, true
	}
	s, n := unpackOther(p.packed)
	return PatternStep{s}, Pattern{p.packed[n:]}, true
}

// Steps iterates over the steps from the root down, without allocation.
func (p Pattern) Steps() iter.Seq[PatternStep] {
	return func(yield func(PatternStep) bool) {
		for rest := p.packed; rest != ""; {
			s, n := unpack(rest)
			if !yield(PatternStep{s}) {
				return
			}
			rest = rest[n:]
		}
	}
}

// Path returns p as a path, and false if it has a wildcard.
func (p Pattern) Path() (Path, bool) {
	for rest := p.packed; rest != ""; {
		if h := uint(rest[0]); h&(0x80|tagMask) == tagKey { // as unpack has it, without the call
			rest = rest[h>>tagBits+2:]
			continue
		}
		s, n := unpackOther(rest)
		if s.ref == wildMark {
			return Path{}, false
		}
		rest = rest[n:]
	}
	return Path(p), true
}

// Equal reports whether p == q. `a[*]` and `a[0]` are different patterns.
func (p Pattern) Equal(q Pattern) bool { return p == q }

// Compare orders patterns step by step, the wildcard before indexes before
// keys. A pattern sorts before everything below it.
func (p Pattern) Compare(q Pattern) int { return comparePacked(p.packed, q.packed) }

// Matches reports whether q has as many steps as p and p matches each of them.
func (p Pattern) Matches(q Path) bool {
	below, above := p.run(q)
	return below == "" && above == ""
}

// Covers reports whether p matches q or an ancestor of q.
func (p Pattern) Covers(q Path) bool {
	below, _ := p.run(q)
	return below == ""
}

// Touches reports whether p may match q or a descendant of q: q matches p, or the first
// steps of p.
func (p Pattern) Touches(q Path) bool {
	_, above := p.run(q)
	return above == ""
}

// run matches step by step until one side ends or the steps differ, and
// returns what is left of both. An empty pattern end means that p matched.
func (p Pattern) run(q Path) (pattern, path string) {
	pattern, path = p.packed, q.packed
	for pattern != "" && path != "" {
		s, n := unpack(pattern)
		t, m := unpack(path)
		if s.ref != wildMark && s != t {
			break
		}
		pattern, path = pattern[n:], path[m:]
	}
	return pattern, path
}

// UnmarshalJSON returns an error that names path.ParsePattern.
func (*PatternStep) UnmarshalJSON([]byte) error {
	return refuse.JSON("path.PatternStep", "path.ParsePattern")
}
