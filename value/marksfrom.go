package value

// MarksFrom returns v with a secret mark wherever model has one; where the two
// differ in shape, so that there is no telling which part is meant, and model's
// part holds a secret, v's part is marked as a whole. This is what engines do to
// the answers of providers that know no secrets, with the inputs for a model.
//
// Shapes differ where the kinds do, and where two arrays differ in length. Members
// that only one side has make no difference: what only v has is not marked. Marks
// that v has stay; dependencies are not looked at. What does not change shares
// memory with v.
func MarksFrom(v, model Value) Value {
	sameShape := v.kind == model.kind && v.kind.IsContainer() && (v.kind == KindObject || v.Len() == model.Len())

	switch {
	case !model.ContainsSecret():
		return v
	case sameShape:
		v, _ = v.rebuilt(func(i int, child Value) (Value, bool, error) {
			if counterpart := model.child(v.step(i)); counterpart != nil {
				child = MarksFrom(child, *counterpart)
			}

			return child, true, nil
		})

		if !model.IsSecret() {
			return v
		}
	}

	return Secret(v)
}
