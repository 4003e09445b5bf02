package value

// NOTE: Marks are copied from another value here, part by part; WithMarksOf (marks.go) copies
// those of the whole. Restore (restore.go) is about assets.

// WithSecretsOf returns v with a secret mark wherever model has one.
//
// Where the two differ in shape and model contains a secret, that part of v is marked as
// a whole. Engines do this to responses of providers without support for secrets, with
// the inputs as model.
//
// Shapes differ where kinds do, and where two arrays differ in length. A member that only
// v has is not marked. Marks of v are kept; dependencies are ignored. Unchanged parts
// share memory with v.
//
// As in engines, elements are paired by index. If v has them in another order than model,
// a secret may be left unmarked, and another element marked: sort both first.
func (v Value) WithSecretsOf(model Value) Value {
	sameShape := v.kind == model.kind && v.kind.IsContainer() && (v.kind == KindObject || v.Len() == model.Len())
	switch {
	case !model.ContainsSecret():
		return v
	case sameShape:
		v, _ = v.rebuilt(func(i int, child Value) (Value, bool, error) {
			if counterpart := model.child(v.step(i)); counterpart != nil {
				child = child.WithSecretsOf(*counterpart)
			}
			return child, true, nil
		})
		if !model.IsSecret() {
			return v
		}
	}

	return Secret(v)
}
