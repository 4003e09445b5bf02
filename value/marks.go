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

// IsSecret reports whether the value is secret: marked itself, or handed out of
// a secret container.
func (v Value) IsSecret() bool { return v.facts&secretness != 0 }

// OwnSecret reports whether the value carries the mark itself, which is what
// codecs write; [Value.IsSecret] is the question to ask before showing it.
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

// AsPartOf returns v as it comes out of a container: secret if the container is. Put
// back below a secret, v gets no mark of its own.
func (v Value) AsPartOf(container Value) Value {
	if !container.IsSecret() {
		return v
	}
	v.facts |= inherited
	return v.veiled()
}

// Dependencies iterates over the URN texts that the value itself depends on,
// sorted and without doubles, as they were sent.
func (v Value) Dependencies() iter.Seq[string] { return slices.Values(v.deps()) }

// HasDependencies reports whether the value itself has dependencies.
func (v Value) HasDependencies() bool { return v.facts&boxed != 0 }

// DependencyURNs parses the dependencies; when one is not a URN the error wraps
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

// WithDependencies returns v depending also on the given URNs: the union of
// what it had and these. An unknown's hint becomes string, since the wire has
// no room for both.
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
