package value

import "slices"

// FillPreview returns state with the top-level properties that a preview left out
// set to unknown: each of names that state has not. A property that is there stays
// as it is, also a null. A state that is null counts as an empty object; anything
// else that is no object has no properties and comes back as it is.
func FillPreview(state Value, names []string) Value {
	if state.kind != KindObject && state.kind != KindNull {
		return state
	}
	var had []Member
	if state.kind == KindObject {
		had = state.members()
	}
	var missing []Member
	for _, name := range names {
		if _, there := findMember(had, name); !there {
			missing = append(missing, Member{name, Unknown()})
		}
	}
	if len(missing) == 0 {
		return state
	}
	all := sortMembers(slices.Concat(had, missing))
	return makeObject(all).WithMarksOf(state)
}
