package fuzz

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// What follows takes values apart and puts them together again with constructors
// and accessors only. It is slow, plain and recursive (generated values are
// shallow), and so fit to judge the editing, walking and comparing of package
// value by.

// own is v without a mark that it only inherited when it was handed out.
func own(v value.Value) value.Value {
	if v.OwnSecret() {
		// Taking the mark off and putting it on again loses the inherited one.
		return value.Secret(v.DropSecret())
	}

	return v.DropSecret()
}

// kid is a child of a container with its own marks only.
type kid struct {
	step path.Step
	v    value.Value
}

func kids(v value.Value) []kid {
	var all []kid

	for i, e := range v.Elems() {
		all = append(all, kid{path.Index(i), own(e)})
	}

	for k, m := range v.Members() {
		all = append(all, kid{path.Key(k), own(m)})
	}

	return all
}

// rebuilt is a container with the kind and the own marks of v and these
// children. For any other v it is v.
func rebuilt(v value.Value, children []kid) value.Value {
	switch v.Kind() {
	case value.KindArray:
		elems := make([]value.Value, 0, len(children))
		for _, c := range children {
			elems = append(elems, c.v)
		}

		return remarked(value.Array(elems...), v)
	case value.KindObject:
		members := make([]value.Member, 0, len(children))

		for _, c := range children {
			key, _ := c.step.Key()
			members = append(members, value.Member{Key: key, Value: c.v})
		}

		return remarked(value.Object(members...), v)
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindAsset, value.KindArchive,
		value.KindResourceReference, value.KindUnknown, value.KindSealed:
	}

	return own(v)
}

// remarked puts the own marks of model on a value without marks of its own.
func remarked(fresh, model value.Value) value.Value {
	for d := range model.Dependencies() {
		fresh = fresh.WithDependencies(d)
	}

	if model.OwnSecret() {
		fresh = value.Secret(fresh)
	}

	return fresh
}

// bare is v without marks of its own.
func bare(v value.Value) value.Value { return v.DropSecret().DropDependencies() }

// Copy returns a value Identical to v that shares no container with it, as if it
// had been decoded once more. It is for values as generators make them: it
// recurses.
func Copy(v value.Value) value.Value {
	children := kids(v)
	for i := range children {
		children[i].v = Copy(children[i].v)
	}

	return rebuilt(v, children)
}

// place is a value inside another.
type place struct {
	at    path.Path
	v     value.Value // with its own marks only
	above bool        // a container above it is secret
}

// places lists v and all that is below it, containers first.
func places(v value.Value) []place {
	all := []place{{path.Root(), own(v), false}}

	for i := 0; i < len(all); i++ {
		for _, c := range kids(all[i].v) {
			all = append(all, place{all[i].at.Append(c.step), c.v, all[i].above || all[i].v.OwnSecret()})
		}
	}

	return all
}

// PathsOf lists the paths of v and of all that is below it.
func PathsOf(v value.Value) []path.Path {
	all := places(v)
	paths := make([]path.Path, 0, len(all))

	for _, p := range all {
		paths = append(paths, p.at)
	}

	return paths
}

// changedAt is v with what is at p replaced by f of it. A p that is not there
// changes nothing.
func changedAt(v value.Value, p path.Path, f func(value.Value) value.Value) value.Value {
	first, ok := p.First()
	if !ok {
		return f(own(v))
	}

	rest, _ := p.TrimPrefix(path.Of(first))
	children := kids(v)

	for i, c := range children {
		if c.step == first {
			children[i].v = changedAt(c.v, rest, f)
		}
	}

	return rebuilt(v, children)
}
