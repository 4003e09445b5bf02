package value

// Lift calls f with arguments that are known and without marks, and marks the result.
//
// If an argument contains an unknown or a sealed secret, f is not called and the result
// is unknown. If one contains a secret, the result is secret. The result depends on
// everything that an argument, or a value in it, depends on. This is what computed
// outputs need: the URL made of a secret name is secret, that of an unknown name is not
// known yet. An error of f is returned as it is.
func Lift(f func(args ...Value) (Value, error), args ...Value) (Value, error) {
	var (
		bare         = make([]Value, 0, len(args))
		dependencies []string
		secret, open bool
	)

	for _, arg := range args {
		dependencies = arg.allDependencies(dependencies)
		secret = secret || arg.ContainsSecret()

		plain := withoutDependencies(Reveal(arg))
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

// Reveal returns v without any secret mark, at any depth: for the one call that sends
// it to where it is used. Dependencies stay. A sealed secret stays secret.
func Reveal(v Value) Value {
	v = v.DropSecret()
	if v.facts&deepSecret != 0 {
		v, _ = v.rebuilt(func(_ int, child Value) (Value, bool, error) { return Reveal(child), true, nil })
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

	switch v.kind {
	case KindArray:
		for _, child := range v.elems() {
			list = child.allDependencies(list)
		}
	case KindObject:
		for _, child := range v.members() {
			list = child.Value.allDependencies(list)
		}
	case KindNull, KindBool, KindNumber, KindString, KindAsset, KindArchive,
		KindResourceReference, KindUnknown, KindSealed:
	}

	return list
}
