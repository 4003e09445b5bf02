package value

import "slices"

// WithUnknowns returns v with an unknown for each of the given top-level properties that it
// does not have. A provider that answers a preview calls it with the names of its outputs,
// and so does whoever reads an answer: previews leave out what is not known yet.
//
// Existing properties are kept, also nulls. A null counts as an empty object; any other v
// that is not an object is returned as it is.
func (v Value) WithUnknowns(names ...string) Value {
	if v.kind != KindObject && v.kind != KindNull {
		return v
	}

	var had []Member
	if v.kind == KindObject {
		had = v.members()
	}
	var missing []Member
	for _, name := range names {
		if _, there := findMember(had, name); !there {
			missing = append(missing, Member{name, Unknown()})
		}
	}
	if len(missing) == 0 {
		return v
	}
	all := sortMembers(slices.Concat(had, missing))
	return makeObject(all).WithMarksOf(v)
}
