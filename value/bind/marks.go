package bind

import (
	"slices"

	"github.com/propalg/propalg/value"
)

// markedAs returns v with the marks of the model, place by place, and whether both have the
// same content.
//
// An array has no names for its elements. If two of them changed, and one of these held a
// secret, the secret may be anywhere in it now, so the whole array becomes secret; so does
// one of another length.
func markedAs(v, model value.Value) (marked value.Value, same bool) {
	if !model.ContainsSecret() && !model.ContainsDependencies() {
		return v, contents.Equal(v, model)
	}

	switch {
	case v.Kind() == value.KindObject && model.Kind() == value.KindObject:
		marked, same = markedMembers(v, model)
	case v.Kind() == value.KindArray && model.Kind() == value.KindArray && v.Len() == model.Len():
		var found bool
		if marked, same, found = markedElems(v, model); !found {
			marked = markedWhole(v, model)
		}
	default:
		marked, same = markedWhole(v, model), contents.Equal(v, model)
	}
	return marked.WithMarksOf(model), same
}

// contents compares values without their marks.
const contents = value.IgnoreSecrets | value.IgnoreDependencies

func markedMembers(v, model value.Value) (marked value.Value, same bool) {
	members := make([]value.Member, 0, v.Len())
	same = v.Len() == model.Len()
	for key, member := range v.DropSecret().Members() {
		like, there := model.Lookup(key)
		equal := false
		if there {
			member, equal = markedBelow(member, like, model)
		}
		members, same = append(members, value.Field(key, member)), same && equal
	}

	return value.Object(members...).WithMarksOf(v), same
}

// markedElems also returns whether it is known which elements were secret.
func markedElems(v, model value.Value) (marked value.Value, same, found bool) {
	elems := make([]value.Value, v.Len())
	changed, secrets := 0, 0
	for i, elem := range v.DropSecret().Elems() {
		like := model.Elem(i)
		if elems[i], same = markedBelow(elem, like, model); same {
			continue
		}
		if changed++; like.DropSecret().ContainsSecret() || like.OwnSecret() {
			secrets++
		}
	}

	return value.Array(elems...).WithMarksOf(v), changed == 0, changed < 2 || secrets == 0
}

// markedWhole returns v with all marks in the model.
func markedWhole(v, model value.Value) value.Value {
	if model.ContainsSecret() {
		v = value.Secret(v)
	}

	var all []string
	for c := range model.Walk() {
		all = slices.AppendSeq(all, c.Value().Dependencies())
		if !c.Value().ContainsDependencies() {
			c.SkipBelow()
		}
	}
	return v.WithDependencies(all...)
}

// markedBelow is markedAs of a child. In a container that was secret, and will be, it
// needs no mark that it did not have.
func markedBelow(v, model, container value.Value) (marked value.Value, same bool) {
	marked, same = markedAs(v, model)
	if container.IsSecret() && !model.OwnSecret() {
		return marked.DropSecret(), same
	}
	return marked, same
}
