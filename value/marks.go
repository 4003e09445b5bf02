package value

import (
	"iter"
	"slices"
	"sort"

	"github.com/propalg/propalg/urn"
)

// Secret returns v with the secret mark. Marking twice is marking once.
func Secret(v Value) Value {
	v.facts |= ownSecret | deepSecret
	if v.isBits() {
		return v.veiled()
	}
	return v
}

// IsSecret reports whether the value is secret, itself or because it was taken from a
// secret container.
func (v Value) IsSecret() bool { return v.facts&secretness != 0 }

// OwnSecret reports whether the value itself has the secret mark, which is what codecs
// write. Before showing a value, use [Value.IsSecret].
func (v Value) OwnSecret() bool { return v.facts&ownSecret != 0 }

// DropSecret returns v without the secret mark, its own or inherited. Marks
// inside v stay. A sealed secret stays secret.
func (v Value) DropSecret() Value {
	if v.kind == KindSealed {
		return v
	}
	v.facts &^= secretness | deepSecret
	v.facts |= v.below() & deepSecret
	return v.unveiled()
}

// WithMarksOf returns v with the marks of w in addition to its own: secret if w is, and
// depending also on what w depends on. If w is secret because of a container above it,
// so is the result: put back there, it gets no mark of its own.
func (v Value) WithMarksOf(w Value) Value {
	switch deps := w.deps(); {
	case len(deps) == 0:
	case v.facts&boxed == 0:
		v = v.withDeps(deps)
	default:
		v = v.WithDependencies(deps...)
	}
	v.facts |= w.facts & secretness
	if v.facts&ownSecret != 0 {
		v.facts |= deepSecret
	}
	if v.facts&secretness != 0 {
		return v.veiled()
	}
	return v
}

// AsPartOf returns v as a child of container: secret if the container is. If it is put
// back below a secret, it gets no mark of its own.
func (v Value) AsPartOf(container Value) Value {
	if !container.IsSecret() {
		return v
	}
	v.facts |= inherited
	return v.veiled()
}

// Dependencies iterates over the URNs that the value itself depends on, as they were
// sent, sorted and without duplicates.
func (v Value) Dependencies() iter.Seq[string] { return slices.Values(v.deps()) }

// HasDependencies reports whether the value itself has dependencies.
func (v Value) HasDependencies() bool { return v.facts&boxed != 0 }

// DependencyURNs returns the parsed dependencies. If one is not a URN, the error wraps
// [urn.ErrSyntax].
func (v Value) DependencyURNs() ([]urn.URN, error) {
	urns := make([]urn.URN, 0, len(v.deps()))
	for _, text := range v.deps() {
		u, err := parseURN(text)
		if err != nil {
			return nil, err
		}
		urns = append(urns, u)
	}
	return urns, nil
}

// WithDependencies returns v with the given URNs as additional dependencies. The hint
// of an unknown becomes string, since the wire cannot hold both.
func (v Value) WithDependencies(urns ...string) Value {
	if len(urns) == 0 {
		return v
	}
	deps := slices.Concat(v.deps(), urns)
	sort.Strings(deps)
	return v.withDeps(slices.Compact(deps))
}

// DropDependencies returns v without its dependencies. Those inside v stay.
func (v Value) DropDependencies() Value {
	if v.facts&boxed == 0 {
		return v
	}
	return v.withDeps(nil)
}
