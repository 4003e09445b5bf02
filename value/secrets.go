package value

import (
	"iter"

	"github.com/propalg/propalg/path"
)

// SecretPaths iterates over the paths of the outermost secrets in v, in the order of
// [Value.Walk].
//
// It visits only containers with secrets in them. A path is built for each secret, in
// time proportional to its depth; the number of paths is not limited.
func SecretPaths(v Value) iter.Seq[path.Path] {
	return func(yield func(path.Path) bool) {
		for c := range v.Walk() {
			switch {
			case c.value.IsSecret():
				if !yield(c.Path()) {
					return
				}
				c.SkipBelow()
			case !c.value.ContainsSecret():
				c.SkipBelow()
			}
		}
	}
}

// MarkSecret returns v with the secret mark on every value that a pattern matches.
//
// Values below a secret are marked too. A pattern that continues below an unknown marks
// the unknown. Unchanged parts share memory with v; marking twice is marking once.
func MarkSecret(v Value, patterns *path.Set) Value { return markSecret(v, patterns.Start()) }

func markSecret(v Value, at path.State) Value {
	if !at.Touches() {
		return v
	}

	v, _ = v.rebuilt(func(i int, child Value) (Value, bool, error) {
		return markSecret(child, at.Step(v.step(i))), true, nil
	})

	if at.Ends() || v.kind == KindUnknown {
		v = Secret(v)
	}

	return v
}

// step returns the step to child i of a container.
func (v *Value) step(i int) path.Step {
	if v.kind == KindArray {
		return path.Index(i)
	}

	return path.Key(v.members()[i].Key)
}

// MarksFrom returns v with a secret mark wherever model has one.
//
// Where the two differ in shape and model contains a secret, that part of v is marked as
// a whole. Engines do this to responses of providers without support for secrets, with
// the inputs as model.
//
// Shapes differ where kinds do, and where two arrays differ in length. A member that only
// v has is not marked. Marks of v are kept; dependencies are ignored. Unchanged parts
// share memory with v.
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
