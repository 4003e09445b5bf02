package value

import (
	"iter"
	"slices"
	"sort"

	"github.com/propalg/propalg/path"
)

// Secret returns v marked as secret. A value that is marked already is returned as it is.
func Secret(v Value) Value {
	v.facts |= ownSecret | deepSecret
	if v.isBits() {
		return v.veiled()
	}
	return v
}

// IsSecret reports whether the value is secret, itself or because it was taken from a
// secret container.
func (v Value) IsSecret() bool { return v.facts&secretness != 0 } // handOut marks what is taken out

// OwnSecret reports whether the value itself has the secret mark, which is what codecs
// write. Before showing a value, use [Value.IsSecret].
func (v Value) OwnSecret() bool { return v.facts&ownSecret != 0 }

// DropSecret returns v without the secret mark, its own or inherited. Marks
// inside v stay. A sealed secret stays secret.
func (v Value) DropSecret() Value {
	if v.kind == KindSealed {
		return v
	}
	v.facts &^= secretness | deepSecret
	v.facts |= v.below() & deepSecret
	return v.unveiled()
}

// Sealed is a secret that was not decrypted: its ciphertext and its secrets provider.
// As a value it is always secret, and it equals only the same ciphertext of the same
// provider.
type Sealed struct {
	Ciphertext string
	Provider   string // as the state file names it; empty: not given
}

// Value returns the sealed secret as a property value.
func (s Sealed) Value() Value { return makeSealed(&s) }

// WithMarksOf returns v with the marks of w in addition to its own. The result is secret
// if v or w is, and depends on every resource that v or w depends on. A secret mark that w
// has inherited is inherited by the result too, which loses it when it is put back below a
// secret.
func (v Value) WithMarksOf(w Value) Value {
	deps := w.deps()
	switch {
	case len(deps) == 0:
	case v.facts&boxed == 0:
		v = v.withDeps(deps)
	default:
		v = v.WithDependencies(deps...)
	}
	v.facts |= w.facts & secretness

	if v.facts&ownSecret != 0 {
		v.facts |= deepSecret
	}
	if v.facts&secretness != 0 {
		return v.veiled()
	}
	return v
}

// AsPartOf returns v as if it had been taken from container: secret if the container is.
// That mark is inherited: v loses it when it is put back into a secret container.
func (v Value) AsPartOf(container Value) Value {
	if !container.IsSecret() {
		return v
	}
	v.facts |= inherited
	return v.veiled()
}

// Dependencies iterates over the URNs that the value itself depends on, as they were
// sent, sorted and without duplicates.
func (v Value) Dependencies() iter.Seq[string] { return slices.Values(v.deps()) }

// HasDependencies reports whether the value itself has dependencies.
func (v Value) HasDependencies() bool { return v.facts&boxed != 0 }

// WithDependencies returns v with the given URNs as additional dependencies. The hint
// of an unknown becomes string, since the wire cannot hold both. The texts are not
// checked; urn.Parse does that.
func (v Value) WithDependencies(urns ...string) Value {
	if len(urns) == 0 {
		return v
	}
	deps := slices.Concat(v.deps(), urns)
	sort.Strings(deps)
	return v.withDeps(slices.Compact(deps))
}

// DropDependencies returns v without its own dependencies. Values inside v keep theirs; the
// example drops these too.
//
// A component calls it for an input that it passes on to a resource, if the resource need
// not wait for what the input depends on. A provider of other resources does not need it:
// Pulumi's engine sends dependencies only with Construct and Call, to providers that accept
// outputs, and methods such as [Value.AsString] overlook marks.
func (v Value) DropDependencies() Value {
	if v.facts&boxed == 0 {
		return v
	}
	return v.withDeps(nil)
}

// dependingOn returns v with the strings of an array as additional dependencies. It
// returns false if list is not an array, has marks, or has elements other than strings.
func (v Value) dependingOn(list Value) (Value, bool) {
	if list.kind != KindArray || list.facts&(secretness|boxed) != 0 {
		return Value{}, false
	}
	elems := list.elems()
	for i := range elems {
		if elems[i].kind != KindString || elems[i].facts&(secretness|boxed) != 0 {
			return Value{}, false
		}
	}

	if len(elems) == 0 {
		return v, true
	}
	had := v.deps()
	own := makeBox(len(had) + len(elems))
	own.deps = append(own.deps, had...)
	for i := range elems {
		own.deps = append(own.deps, elems[i].str())
	}
	if !slices.IsSorted(own.deps) {
		slices.Sort(own.deps)
	}
	own.deps = slices.Compact(own.deps)
	return v.inBox(own), true
}

// makeBox returns a box with room for n dependencies. Up to 16 take one allocation.
func makeBox(n int) *box {
	switch {
	case n <= 1:
		b := new(roomy[[1]string])
		b.deps = b.room[:0]
		return &b.box
	case n <= 2:
		b := new(roomy[[2]string])
		b.deps = b.room[:0]
		return &b.box
	case n <= 4:
		b := new(roomy[[4]string])
		b.deps = b.room[:0]
		return &b.box
	case n <= 8:
		b := new(roomy[[8]string])
		b.deps = b.room[:0]
		return &b.box
	case n <= 16:
		b := new(roomy[[16]string])
		b.deps = b.room[:0]
		return &b.box
	}

	return &box{deps: make([]string, 0, n)}
}

// roomy is a box with room for its dependencies.
type roomy[A any] struct {
	box
	room A
}

// SecretPaths iterates over the paths of the outermost secrets in v, in the order of
// [Value.Walk].
//
// It visits only containers with secrets in them. A path is built for each secret, in
// time proportional to its depth; the number of paths is not limited.
func (v Value) SecretPaths() iter.Seq[path.Path] {
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
func (v Value) MarkSecret(patterns *path.Set) Value { return markSecret(v, patterns.Matcher()) }

func markSecret(v Value, at path.Matcher) Value {
	if !at.MayMatchBelow() {
		return v
	}

	v, _ = v.rebuilt(func(i int, child Value) (Value, bool, error) {
		return markSecret(child, at.Next(v.step(i))), true, nil
	})
	if at.Matches() || v.kind == KindUnknown {
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

// Lift calls f with arguments that are known and without marks, and marks the result.
//
// If an argument contains an unknown or a sealed secret, f is not called and the result
// is unknown. If one contains a secret, the result is secret. The result depends on
// everything that an argument, or a value in it, depends on. This is what computed
// outputs need: the URL made of a secret name is secret, that of an unknown name is not
// known yet. An error of f is returned as it is. Lift panics if f is nil.
func Lift(f func(args ...Value) (Value, error), args ...Value) (Value, error) {
	if f == nil {
		panic("value: Lift of a nil function")
	}

	var (
		bare         = make([]Value, 0, len(args))
		dependencies []string
		secret, open bool
	)
	for _, arg := range args {
		dependencies = arg.allDependencies(dependencies)
		secret = secret || arg.ContainsSecret()
		plain := withoutDependencies(arg.Reveal())
		open = open || plain.ContainsUnknown() || plain.ContainsSecret()
		bare = append(bare, plain)
	}

	made := Unknown()
	if !open {
		var err error
		made, err = f(bare...)
		if err != nil {
			return Value{}, err
		}
	}
	if secret {
		made = Secret(made)
	}
	return made.WithDependencies(dependencies...), nil
}

// Reveal returns v without any secret mark, at any depth. Call it where v is passed to
// what needs it in clear, and nowhere else. Dependencies stay. A sealed secret stays secret.
func (v Value) Reveal() Value {
	v = v.DropSecret()
	if v.facts&deepSecret != 0 {
		v, _ = v.rebuilt(func(_ int, child Value) (Value, bool, error) { return child.Reveal(), true, nil })
	}
	return v
}

// withoutDependencies returns v without dependencies, at any depth.
func withoutDependencies(v Value) Value {
	v = v.DropDependencies()
	if v.facts&deepDeps != 0 {
		v, _ = v.rebuilt(func(_ int, child Value) (Value, bool, error) { return withoutDependencies(child), true, nil })
	}
	return v
}

// allDependencies appends the dependencies of v and of everything in it, as often as
// they occur.
func (v Value) allDependencies(list []string) []string {
	if v.facts&deepDeps == 0 {
		return list
	}

	list = append(list, v.deps()...)
	children := v.Children()
	for i := range children.n {
		_, child := children.At(i)
		list = child.allDependencies(list)
	}
	return list
}

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

// settle returns v as it is stored in a container that is not secret: an inherited
// secret mark becomes its own.
func (v Value) settle() Value {
	if v.facts&inherited != 0 {
		return v.settled()
	}
	return v
}

func (v Value) settled() Value {
	v.facts = v.facts&^inherited | ownSecret | deepSecret
	return v.unveiled().veiled() // in memory of its own: v's may be that of a large container
}

// settleBelow returns v as it is stored in a container, below a secret or not. Below a
// secret it loses the inherited mark, so that putting back a child changes nothing.
func (v Value) settleBelow(secret bool) Value {
	if secret {
		v.facts &^= inherited
		if v.facts&ownSecret == 0 {
			return v.unveiled()
		}
		return v
	}

	return v.settle()
}

// handOut returns a copy of a child for callers, with an inherited mark if its container
// is secret. v must be in the memory of the container, which never changes.
func (v *Value) handOut(secret bool) Value {
	if secret {
		return v.veiledIn()
	}
	return *v
}
