// Package marks copies the marks of values: the one body of what diff and
// diff/ignore do with them.
package marks

import (
	"slices"

	"github.com/propalg/propalg/value"
)

// WithDependenciesOf returns v with the dependencies of owner, if it has any.
func WithDependenciesOf(owner, v value.Value) value.Value {
	if !owner.HasDependencies() {
		return v
	}

	return v.WithDependencies(slices.Collect(owner.Dependencies())...)
}

// KeepInherited returns made with the secret mark that v inherited from the
// container it was taken out of.
func KeepInherited(v, made value.Value) value.Value {
	if made.IsSecret() {
		return made
	}

	return made.AsPartOf(v)
}
