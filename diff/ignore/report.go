package ignore

import (
	"slices"
	"strconv"

	"github.com/propalg/propalg/internal/refuse"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Result is what [Changes] returns.
type Result struct {
	Value    value.Value     // new, with what was to be ignored set back
	Patterns []PatternResult // one for each that was given, in that order
}

// PatternResult is what came of one pattern. Nothing matched and no mismatches:
// neither side has anything that the pattern names, which most often means that it
// is typed wrong.
type PatternResult struct {
	Pattern path.Pattern
	// Matched is how many properties are now as old has them: copied, whether
	// they differed or not, or removed.
	Matched int
	// Mismatches are the places that have no common shape on both sides, in the
	// order in which they were met: a container's children come in order, then
	// what is wrong with itself. In the engine's mode there is one at most, and
	// it ended the pattern.
	Mismatches []Mismatch
}

// mismatchesShown is how many mismatches a text lists.
const mismatchesShown = 8

// String returns what came of the pattern on one line, such as
// "rules[*].port: matched 2, mismatch at rules (length)", with places cut at the
// outermost secret.
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

// Mismatch is a place where something should have been set back and could not be.
// The zero Mismatch is one at the root, for something missing.
type Mismatch struct {
	at        veil.Pointer[link] // nil: the root
	outermost int
	why       Reason
}

// At returns the place, cut at the outermost secret of either side: a container,
// when it has no counterpart of its kind or length; or the member or element that
// one side lacks.
func (m Mismatch) At() path.Shown {
	if m.at.Open() == nil {
		return path.Show(path.Root(), -1)
	}
	return path.Show(m.at.Open().path(), m.outermost)
}

// Why returns the reason.
func (m Mismatch) Why() Reason { return m.why }

// String returns place and reason, such as "rules[2]: length".
func (m Mismatch) String() string {
	at := m.At().String()
	if at == "" {
		at = "the root"
	}
	return scan.Line(at) + " (" + m.why.String() + ")"
}

// UnmarshalJSON returns an error that names ignore.Changes.
func (*Mismatch) UnmarshalJSON([]byte) error {
	return refuse.JSON("ignore.Mismatch", "ignore.Changes")
}

// Reason says why a pattern could not be applied at a place.
type Reason uint8

// The reasons.
const (
	MissingSide   Reason = iota // one side has nothing there, or null
	KindDiffers                 // the sides are no two objects and no two arrays
	LengthDiffers               // arrays of different lengths, or one too short
	UnknownSide                 // a side is not known yet, or a sealed secret
)

// String returns "missing", "kind", "length" or "unknown".
func (r Reason) String() string {
	switch r {
	case MissingSide:
		return "missing"
	case KindDiffers:
		return "kind"
	case LengthDiffers:
		return "length"
	case UnknownSide:
		return "unknown"
	}
	return "invalid reason"
}

// MarshalText is String; it has no error.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// link is a step of a path. Mismatches share the links of the steps that their paths
// have in common, and a path is built only when it is asked for.
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
