package value

// Agree passes over what two arrays, or two objects, have in common: it starts at
// element or member i of v and j of w, counted as [Value.Elem] and
// [Value.MemberAt] do, and returns where it stopped, at the end of both or at the
// first that are not equal under r: two elements, two members of one key, or a
// member that the other side has not. Members that count as missing are passed
// over, but not where the other side has the key. Marks of v and w themselves are
// not compared; below a secret on either side, secret marks are redundant. Of
// other kinds, of two kinds, and from a place on that is none, nothing is passed
// over.
//
// It is for those who go down two values side by side to where they differ. Like
// [Relation.Equal] it allocates nothing, but for values nested very deep.
func (r Relation) Agree(v, w Value, i, j int) (int, int) {
	r &= known
	if v.kind != w.kind || i < 0 || j < 0 || i > v.Len() || j > w.Len() {
		return i, j
	}
	below := (v.facts|w.facts)&secretness != 0
	switch v.kind {
	case KindArray:
		n := r.sameElems(v.elems()[i:], w.elems()[j:], below)
		return i + n, j + n
	case KindObject:
		x, y := v.members()[i:], w.members()[j:]
		if r&NullAsMissing == 0 {
			n := r.sameMembers(x, y, below)
			return i + n, j + n
		}
		n, m := r.present(x, y, below)
		return i + n, j + m
	case KindNull, KindBool, KindNumber, KindString, KindAsset, KindArchive,
		KindResourceReference, KindUnknown, KindSealed:
	}
	return i, j
}
