// Package trees takes values apart and rebuilds them with constructors and accessors
// only. It is slow, plain and recursive, for values as generators make them, and so
// fit to judge the editing, walking and comparing of package value by.
package trees

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Own returns v without a secret mark that it inherited from a container.
func Own(v value.Value) value.Value {
	if v.OwnSecret() {
		// Dropping the mark and setting it again loses the inherited one.
		return value.Secret(v.DropSecret())
	}
	return v.DropSecret()
}

// Child is a child of a container, with its own marks only.
type Child struct {
	Step  path.Step
	Value value.Value
}

// Children returns the children of a container, and none of any other value.
func Children(v value.Value) []Child {
	var all []Child
	for i, e := range v.Elems() {
		all = append(all, Child{path.Index(i), Own(e)})
	}

	for k, m := range v.Members() {
		all = append(all, Child{path.Key(k), Own(m)})
	}
	return all
}

// Rebuild returns a container with the kind and the own marks of v and these
// children. If v is not a container, it returns v.
func Rebuild(v value.Value, children []Child) value.Value {
	switch v.Kind() {
	case value.KindArray:
		elems := make([]value.Value, 0, len(children))
		for _, c := range children {
			elems = append(elems, c.Value)
		}
		return WithMarks(value.Array(elems...), v)
	case value.KindObject:
		members := make([]value.Member, 0, len(children))
		for _, c := range children {
			key, _ := c.Step.AsKey()
			members = append(members, value.Member{Key: key, Value: c.Value})
		}
		return WithMarks(value.Object(members...), v)
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindAsset, value.KindArchive,
		value.KindResourceReference, value.KindUnknown, value.KindSealed:
	}

	return Own(v)
}

// WithMarks returns fresh, a value without own marks, with the own marks of model.
func WithMarks(fresh, model value.Value) value.Value {
	for d := range model.Dependencies() {
		fresh = fresh.WithDependencies(d)
	}

	if model.OwnSecret() {
		fresh = value.Secret(fresh)
	}
	return fresh
}

// Bare returns v without own marks.
func Bare(v value.Value) value.Value { return v.DropSecret().DropDependencies() }

// Copy returns a value Identical to v that shares no container with it, as if it
// had been decoded once more.
func Copy(v value.Value) value.Value {
	children := Children(v)
	for i := range children {
		children[i].Value = Copy(children[i].Value)
	}
	return Rebuild(v, children)
}

// Place is a value inside another.
type Place struct {
	At          path.Path
	Value       value.Value // with its own marks only
	BelowSecret bool        // an ancestor is secret
}

// Places returns v and everything below it, ancestors first.
func Places(v value.Value) []Place {
	all := []Place{{path.Path{}, Own(v), false}}

	for i := 0; i < len(all); i++ {
		for _, c := range Children(all[i].Value) {
			all = append(all, Place{all[i].At.Append(c.Step), c.Value, all[i].BelowSecret || all[i].Value.OwnSecret()})
		}
	}
	return all
}

// Paths returns the paths of v and of everything below it.
func Paths(v value.Value) []path.Path {
	all := Places(v)
	paths := make([]path.Path, 0, len(all))
	for _, p := range all {
		paths = append(paths, p.At)
	}
	return paths
}

// Replace returns v with the value x at p replaced by f(x). A path that v does not
// have changes nothing.
func Replace(v value.Value, p path.Path, f func(value.Value) value.Value) value.Value {
	first, _, ok := p.Cut()
	if !ok {
		return f(Own(v))
	}

	rest, _ := p.TrimPrefix(path.Of(first))
	children := Children(v)
	for i, c := range children {
		if c.Step == first {
			children[i].Value = Replace(c.Value, rest, f)
		}
	}
	return Rebuild(v, children)
}

// AsObject returns v if it is an object, otherwise an object with v as a member.
func AsObject(v value.Value) value.Value {
	if v.Kind() == value.KindObject {
		return v
	}
	return value.Object(value.Member{Key: "a", Value: v})
}
