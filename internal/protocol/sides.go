package protocol

import (
	"slices"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Nothing reports whether the protocol takes a value for none.
func Nothing(v value.Value) bool { return v.IsNull() && !v.IsSecret() && !v.HasDependencies() }

// Present is a side, of which no more than that is known when it is absent.
func Present(v value.Value) value.Value {
	if Nothing(v) {
		return value.Object()
	}
	return v
}

// Restrict leaves an object the members whose names are to be kept; what is no
// object it leaves alone.
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
	return Mark(value.Object(kept...), v)
}

// Mark gives v the marks of another.
func Mark(v, like value.Value) value.Value {
	if like.HasDependencies() {
		v = v.WithDependencies(slices.Collect(like.Dependencies())...)
	}
	if like.IsSecret() {
		v = value.Secret(v)
	}
	return v
}

// Union is what is in either of two lists, sorted.
func Union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// TopName is the name of the top-level property that a path leads to or through.
func TopName(p path.Path) (string, bool) {
	first, ok := p.First()
	if !ok {
		return "", false
	}
	return first.Key()
}
