package protocol

import (
	"slices"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Nothing reports whether the protocol treats v as no value.
func Nothing(v value.Value) bool { return v.IsNull() && !v.IsSecret() && !v.HasDependencies() }

// Present returns a side, or the empty object if it is absent.
func Present(v value.Value) value.Value {
	if Nothing(v) {
		return value.Object()
	}
	return v
}

// Restrict returns an object with the members whose names keep accepts. Other kinds are
// returned unchanged.
func Restrict(v value.Value, keep func(name string) bool) value.Value {
	if v.Kind() != value.KindObject {
		return v
	}

	var kept []value.Member
	for name, x := range v.Members() {
		if keep(name) {
			kept = append(kept, value.Member{Key: name, Value: x})
		}
	}
	if len(kept) == v.Len() {
		return v
	}
	return value.Object(kept...).WithMarksOf(v)
}

// Union returns the texts that are in either of two lists, sorted.
func Union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// TopName returns the name of the top-level property on a path.
func TopName(p path.Path) (string, bool) {
	first, _, ok := p.Cut()
	if !ok {
		return "", false
	}
	return first.AsKey()
}
