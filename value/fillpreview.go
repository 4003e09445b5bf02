package value

import "slices"

// FillPreview returns state with an unknown for each of the given top-level properties that
// it does not have. Previews leave out outputs that are not known yet.
//
// Existing properties are kept, also nulls. A null state counts as an empty object; any
// other state that is not an object is returned as it is.
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
