package ignore

import (
	"slices"
	"strconv"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Result is what [Changes] returns.
type Result struct {
	Value    value.Value     // the new value, with the ignored properties set back
	Patterns []PatternResult // the patterns that had an effect, in the order given
}

// PatternResult reports the effect of one pattern. A pattern without a result matched
// nothing and has no mismatches: neither side has anything that it names. Most often
// there is a mistake in its spelling.
type PatternResult struct {
	Pattern path.Pattern
	Index   int // of the pattern in the list given
	// Matched is the number of properties that have been copied from old, whether
	// they differed or not, or removed.
	Matched int
	// Mismatches are the places where the two sides have no common shape: those
	// inside a container in the order of its children, then the container itself.
	// In the engine's mode there is at most one, and it ended the pattern.
	Mismatches []Mismatch
}

func (p PatternResult) isEmpty() bool { return p.Matched == 0 && len(p.Mismatches) == 0 }

const mismatchesShown = 8

// String returns the report as one line, with places redacted below the outermost secret.
//
// An example is "rules[*].port: matched 2, mismatch at rules (length)".
func (p PatternResult) String() string {
	text := scan.Line(p.Pattern.String()) + ": matched "
	if p.Matched == 0 {
		text += "nothing"
	} else {
		text += strconv.Itoa(p.Matched)
	}
	for i, m := range p.Mismatches {
		if i == mismatchesShown {
			return text + ", … " + strconv.Itoa(len(p.Mismatches)-i) + " more mismatches"
		}

		text += ", mismatch at " + m.String()
	}
	return text
}

// Mismatch is a place that a pattern leads to and that could not be set back. The zero
// Mismatch is at the root, where a side is missing.
type Mismatch struct {
	at        veil.Pointer[link] // nil: the root
	outermost int
	why       reason
}

// At returns the place, redacted below the outermost secret of either side. It is a
// container that differs in kind or length, or the member or element that one side
// lacks.
func (m Mismatch) At() path.Shown {
	if m.at.Open() == nil {
		return path.Show(path.Path{}, -1)
	}
	return path.Show(m.at.Open().path(), m.outermost)
}

// Why returns the reason: "missing" if one side has nothing at the place, or null;
// "kind" if the sides are neither two objects nor two arrays, or if a pattern of the mode
// [AsEngine] is the root; "length" if the arrays differ in length, or one is too short;
// "unknown" if one side is an unknown or a sealed secret.
func (m Mismatch) Why() string { return m.why.String() }

// String returns place and reason, such as "rules[2] (length)".
func (m Mismatch) String() string {
	at := m.At().String()
	if at == "" {
		at = "the root"
	}
	return scan.Line(at) + " (" + m.why.String() + ")"
}

// reason is why a pattern could not be applied at a place; see [Mismatch.Why].
type reason uint8

const (
	missingSide reason = iota
	kindDiffers
	lengthDiffers
	unknownSide
)

func (r reason) String() string {
	return [...]string{missingSide: "missing", kindDiffers: "kind", lengthDiffers: "length", unknownSide: "unknown"}[r]
}

// link is a step of a path. Mismatches share the links of the steps that their paths have in
// common, and a path is built only when it is asked for.
type link struct {
	up   *link
	step path.Step
}

func (l *link) path() path.Path {
	var steps []path.Step
	for ; l != nil; l = l.up {
		steps = append(steps, l.step)
	}
	slices.Reverse(steps)
	return path.Of(steps...)
}
