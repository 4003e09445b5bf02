package difftree

import (
	"slices"

	"github.com/propalg/propalg/value"
)

// Rules are the options under which a diff was made.
type Rules struct {
	Relation       value.Relation
	MaybeIsChanged bool // a difference that may turn out to be none counts as a change
}

// ResultOf returns the verdict that the rules give to the verdict of a comparison.
func (r Rules) ResultOf(v value.Verdict) value.Verdict {
	if v == value.Maybe && r.MaybeIsChanged {
		return value.Changed
	}
	return v
}

// Absent reports whether a member counts as missing: a null without marks, if the
// Relation treats it so. Below a secret its secret mark, inherited or its own, is
// ignored.
func (r Rules) Absent(v value.Value, below bool) bool {
	return v.IsNull() && r.Relation&value.NullAsMissing != 0 &&
		(below || !v.IsSecret() || r.Relation&value.IgnoreSecrets != 0) &&
		(!v.HasDependencies() || r.Relation&value.IgnoreDependencies != 0)
}

// SecretsDiffer reports whether the values differ in their secret marks.
func (r Rules) SecretsDiffer(v, w value.Value) bool {
	return v.IsSecret() != w.IsSecret() && r.Relation&value.IgnoreSecrets == 0
}

// DependenciesDiffer reports whether the values differ in their own dependencies.
func (r Rules) DependenciesDiffer(v, w value.Value) bool {
	return (v.HasDependencies() || w.HasDependencies()) &&
		r.Relation&value.IgnoreDependencies == 0 && !SameDependencies(v, w)
}

// SameDependencies reports whether two values have equal dependencies.
func SameDependencies(v, w value.Value) bool {
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

// ContentsDiffer reports whether two values differ in anything but secret marks and
// their own dependencies.
func (r Rules) ContentsDiffer(v, w value.Value) bool {
	return !(r.Relation | value.IgnoreSecrets).Equal(v.DropDependencies(), w.DropDependencies())
}

// Update returns the facts and the verdict of the change of one value into another, as a
// whole. The values differ.
func (r Rules) Update(old, now value.Value) (Facts, value.Verdict) {
	if Bare(old) && Bare(now) {
		return HasOld | HasNew | ValueChanged, value.Changed
	}

	f := HasOld | HasNew
	if r.SecretsDiffer(old, now) {
		f |= SecretChanged
	}
	if r.DependenciesDiffer(old, now) {
		f |= DependenciesChanged
	}
	if !f.Has(SecretChanged|DependenciesChanged) || r.ContentsDiffer(old, now) {
		f |= ValueChanged
	}
	return f, r.Relation.Compatible(old, now)
}

// Bare reports whether a value is a scalar without marks: another such one that is not
// equal to it has surely changed.
func Bare(v value.Value) bool {
	switch v.Kind() {
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString:
		return !v.IsSecret() && !v.HasDependencies()
	case value.KindArray, value.KindObject, value.KindAsset, value.KindArchive,
		value.KindResourceReference, value.KindUnknown, value.KindSealed:
	}
	return false
}

// NotInherited returns a child as it is put into a container, from there or from where a
// diff was made: into a secret one, without the mark that it inherited.
func NotInherited(child value.Value, secret bool) value.Value {
	if secret && !child.OwnSecret() {
		return child.DropSecret()
	}
	return child
}
