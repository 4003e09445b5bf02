package value

import (
	"iter"

	"github.com/propalg/propalg/path"
)

// SecretPaths iterates over the paths of the outermost secrets in v, in the
// order of [Value.Walk]: none of them is below another. It looks only where
// secrets are. A path is built for each, in time that grows with its depth; there
// is no bound on all of them, since none may be missed.
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

// MarkSecret returns v with the secret mark on every value that a pattern
// matches, those below a secret included. As a step into an unknown gives that
// unknown, a pattern that goes on below an unknown marks the unknown. Where
// nothing is, and where nothing has such parts, a pattern matches nothing. What
// does not change shares memory with v; marking again changes nothing.
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
