package diff

import (
	"slices"

	"github.com/propalg/propalg/value"
)

// rules are what a diff was made under, and what its parts are judged by later.
type rules struct {
	relation value.Relation
	unknowns Unknowns
}

// verdict is what the options make of the verdict of a comparison.
func (r rules) verdict(v value.Verdict) value.Verdict {
	if v == value.Maybe && r.unknowns == UnknownsChanged {
		return value.Changed
	}
	return v
}

// absent reports whether a member counts as missing: a null without marks, where
// the Relation has it so. Below a secret its secret mark, inherited or its own,
// is redundant.
func (r rules) absent(v value.Value, below bool) bool {
	return v.IsNull() && r.relation&value.NullAsMissing != 0 &&
		(below || !v.IsSecret() || r.relation&value.IgnoreSecrets != 0) &&
		(!v.HasDependencies() || r.relation&value.IgnoreDependencies != 0)
}

// secretness reports whether the values differ in their secret marks.
func (r rules) secretness(v, w value.Value) bool {
	return v.IsSecret() != w.IsSecret() && r.relation&value.IgnoreSecrets == 0
}

// dependencies reports whether the values differ in their own dependencies.
func (r rules) dependencies(v, w value.Value) bool {
	return (v.HasDependencies() || w.HasDependencies()) &&
		r.relation&value.IgnoreDependencies == 0 && !sameDependencies(v, w)
}

func sameDependencies(v, w value.Value) bool {
	if !v.HasDependencies() || !w.HasDependencies() {
		return v.HasDependencies() == w.HasDependencies()
	}
	var few, too [8]string // on the stack, where nearly all lists of dependencies fit
	x, y := few[:0], too[:0]
	for d := range v.Dependencies() {
		x = append(x, d)
	}
	for d := range w.Dependencies() {
		y = append(y, d)
	}
	return slices.Equal(x, y)
}

// contents reports whether two values differ in anything but secret marks and
// their own dependencies.
func (r rules) contents(v, w value.Value) bool {
	return !(r.relation | value.IgnoreSecrets).Equal(v.DropDependencies(), w.DropDependencies())
}
