package laws

import (
	"errors"
	"slices"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Law07Edits is the law that With, Put and Without at any path do what the specification says,
// or fail with what it says and change nothing; containers above the place keep
// their marks, their other children and nothing else. A slow oracle that rebuilds
// the whole value agrees.
func Law07Edits(t *rapid.T) {
	v := drawValue(t, fuzz.Values(fuzz.Options{}), "v")
	p := placesIn(v).Draw(t, "path")
	x := drawValue(t, fuzz.Values(fuzz.Options{Nodes: 3, Depth: 2}), "x")
	if rapid.Bool().Draw(t, "handed out") {
		// x with an inherited mark, as a secret returns it.
		x = value.Secret(value.Array(x)).Elem(0)
	}

	steps := slices.Collect(p.Steps())
	for _, makes := range []bool{false, true} {
		got, err := v.With(p, x)
		if makes {
			got, err = v.Put(p, x)
		}
		want, cause := slowWrite(v, steps, x, makes, false)
		checkEdit(t, v, p, got, err, want, cause)
	}

	got, err := v.Without(p)
	want, cause := slowWithout(v, steps)
	checkEdit(t, v, p, got, err, want, cause)
}

// placesIn generates paths that are in v, or near what is in v.
func placesIn(v value.Value) *rapid.Generator[path.Path] {
	return rapid.Custom(func(t *rapid.T) path.Path {
		p := rapid.SampledFrom(trees.Paths(v)).Draw(t, "place")
		switch rapid.IntRange(0, 4).Draw(t, "off") {
		case 1:
			p, _ = p.Parent()
			return p.Append(fuzz.Internal.Steps().Draw(t, "sibling"))
		case 2:
			return p.Append(fuzz.Internal.Steps().Draw(t, "child"))
		case 3:
			return p.Append(rapid.SliceOfN(fuzz.Internal.Steps(), 2, 3).Draw(t, "below")...)
		case 4:
			at, _ := v.At(p)
			return p.Elem(at.Len())
		}

		return p
	})
}

func checkEdit(t *rapid.T, v value.Value, p path.Path, got value.Value, err error, want value.Value, cause error) {
	if cause == nil {
		if err != nil || !got.Identical(want) {
			t.Fatalf("at %v: got %s, %v, want %s", p, fuzz.GoSource(got), err, fuzz.GoSource(want))
		}
		return
	}

	var e *value.Error
	switch {
	case !errors.Is(err, cause):
		t.Fatalf("at %v: the error is %v, want %v", p, err, cause)
	case !got.Identical(v):
		t.Fatalf("at %v: failed, and changed the value to %s", p, fuzz.GoSource(got))
	case !errors.As(err, &e):
		t.Fatalf("at %v: the error is a %T, not a *value.Error", p, err)
	case !p.HasPrefix(e.At.RevealPath()):
		t.Fatalf("at %v: the error names %v", p, e.At.RevealPath())
	}

	for up := e.At.Path(); ; {
		parent, ok := up.Parent()
		if !ok {
			break
		}
		if above, there := v.At(parent); there && above.IsSecret() && !above.IsUnknown() {
			t.Fatalf("at %v: the error shows %v, below a secret", p, e.At)
		}
		up = parent
	}
}

// settled is x as it stands in a container: a mark that it inherited is its own,
// but below a secret, where it takes it off.
func settled(x value.Value, secret bool) value.Value {
	if x.IsSecret() && !x.OwnSecret() && !secret {
		return value.Secret(x.DropSecret())
	}
	return trees.Own(x)
}

// slowWrite is With or Put, by rebuilding all. Where is whether a container above
// is secret.
func slowWrite(v value.Value, steps []path.Step, x value.Value, makes, secret bool) (value.Value, error) {
	if len(steps) == 0 {
		if secret || x.OwnSecret() {
			return settled(x, secret), nil
		}
		return x, nil
	}

	step, rest := steps[0], steps[1:]
	switch {
	case v.IsUnknown():
		return v, value.ErrUnknown
	case v.IsNull() && makes:
		v = emptyFor(step, v)
	case step.IsKey() != (v.Kind() == value.KindObject) || !v.Kind().IsContainer():
		return v, value.ErrKind
	}
	children := trees.Children(v)
	at := slices.IndexFunc(children, func(c trees.Child) bool { return c.Step == step })
	below := secret || v.OwnSecret()
	if at < 0 {
		if i, ok := step.AsIndex(); ok && i > len(children) {
			return v, value.ErrRange
		}
		if len(rest) > 0 && !makes {
			return v, value.ErrMissing
		}
		children, at = append(children, trees.Child{Step: step}), len(children)
	}
	child, err := slowWrite(children[at].Value, rest, x, makes, below)
	if err != nil {
		return v, err
	}

	children[at].Value = settled(child, below)
	return trees.Rebuild(v, children), nil
}

func emptyFor(step path.Step, null value.Value) value.Value {
	if step.IsKey() {
		return trees.WithMarks(value.Object(), null)
	}
	return trees.WithMarks(value.Array(), null)
}

// slowWithout is Without, by rebuilding all.
func slowWithout(v value.Value, steps []path.Step) (value.Value, error) {
	if len(steps) == 0 {
		return v, value.ErrRoot
	}

	switch {
	case v.IsUnknown():
		return v, value.ErrUnknown
	case v.Kind() == value.KindSealed:
		return v, value.ErrKind
	}

	children := trees.Children(v)
	at := slices.IndexFunc(children, func(c trees.Child) bool { return c.Step == steps[0] })
	if at < 0 {
		return v, nil
	}
	if len(steps) == 1 {
		return trees.Rebuild(v, append(children[:at:at], children[at+1:]...)), nil
	}
	child, err := slowWithout(children[at].Value, steps[1:])
	children[at].Value = child
	return trees.Rebuild(v, children), err
}
