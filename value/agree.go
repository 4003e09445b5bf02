package value

// Agree returns the first children of two arrays or two objects that differ under r.
//
// It starts at child i of v and j of w, as [Value.Elem] and [Value.MemberAt] count, and
// skips equal elements, equal members, and members that count as missing where the other
// side does not have the key. Marks of v and w themselves are not compared; below a
// secret on either side, secret marks are redundant. For scalars, for values of different
// kinds, and for indexes out of range it returns i and j unchanged.
//
// It is for walks that compare two values side by side. It allocates nothing.
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
