package value_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

var errPlanned = errors.New("planned")

// A Transformer does what the slow one does, at the same places in the same order.
func checkPlan(t rapid.TB, p script, v value.Value) {
	t.Helper()

	var want []string

	slow, kept, failed := p.slow(modelOf(v), path.Path{}, -1, &want)
	got, seen, err := p.run(v)

	if !slices.Equal(seen, want) {
		t.Fatalf("seed %d: places\n%q\nwant\n%q", p.seed, seen, want)
	}

	refused := new(value.Error)

	switch {
	case failed != nil:
		if !errors.As(err, &refused) || !errors.Is(err, errPlanned) || refused.At.RevealPath() != *failed {
			t.Fatalf("seed %d: error %v, want one at %v", p.seed, err, *failed)
		}
	case !kept:
		if !errors.Is(err, value.ErrRoot) {
			t.Fatalf("seed %d: error %v for a root that is removed", p.seed, err)
		}
	case err != nil || !sameMarked(got, slow.value(false)) || flaw(got) != nil:
		t.Fatalf("seed %d: %v, error %v, flaw %v", p.seed, got.GoString(), err, flaw(got))
	}
}

// sameMarked compares with a secret root that is marked itself.
func sameMarked(got, want value.Value) bool {
	if got.IsSecret() {
		got = value.Secret(got)
	}

	return got.Identical(want)
}

func TestTransformerAgainstTrees(t *testing.T) {
	for i, v := range hosts(t) {
		for round := range 20 {
			checkPlan(t, script{seed: uint64(100*i + round), guests: guests()}, v) //nolint:gosec // neither is negative
		}
	}
}

func TestTransformerLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.Custom(func(t *rapid.T) value.Value { return draw.Value(t, 3) })
		v := values.Draw(t, "v")
		checkPlan(t, script{rapid.Uint64().Draw(t, "seed"), []value.Value{values.Draw(t, "guest"), value.Secret(values.Draw(t, "secret"))}}, v)
		checkUnchanged(t, v)
		checkRebuilt(t, v)
		checkPlaces(t, v, drawSet(t, slices.Collect(allPaths(v))), values.Draw(t, "x"))
		checkRevealed(t, v)
	})
}

// drawSet draws patterns that match some of the paths, or nothing.
func drawSet(t *rapid.T, paths []path.Path) *path.Set {
	var patterns []path.Pattern
	for _, p := range rapid.SliceOfN(rapid.SampledFrom(paths), 0, 6).Draw(t, "paths") {
		steps := slices.Collect(p.Steps())
		for i := range steps {
			if rapid.IntRange(0, 3).Draw(t, "wildcard") == 3 {
				steps[i] = path.Any()
			}
		}

		if rapid.IntRange(0, 5).Draw(t, "below") == 5 {
			steps = append(steps, path.Key("a"))
		}

		patterns = append(patterns, path.PatternOf(steps...))
	}

	return path.NewSet(patterns...)
}

func allPaths(v value.Value) func(yield func(path.Path) bool) {
	return func(yield func(path.Path) bool) {
		for c := range v.Walk() {
			if !yield(c.Path()) {
				return
			}
		}
	}
}

func keep(c *value.Cursor) (value.Value, error) { return c.Value(), nil }

// An identity transform returns the same memory.
func checkUnchanged(t rapid.TB, v value.Value) {
	t.Helper()

	for _, by := range []value.Transformer{{}, {Before: keep}, {After: keep}, {Before: keep, After: keep, Archives: true}} {
		if got, err := by.Apply(v); err != nil || !value.Internal.SharesMemory(got, v) || !got.Identical(v) || inherited(got) != inherited(v) {
			t.Fatalf("%v became %v, %v", v, got, err)
		}
	}
}

// A transform that makes every container and every text again changes nothing.
func checkRebuilt(t rapid.TB, v value.Value) {
	t.Helper()

	again := func(c *value.Cursor) (value.Value, error) {
		v := c.Value().DropSecret() // the mark is put back; without it children have their own only
		text, isText := v.AsString()

		switch {
		case isText:
			return value.String(strings.Clone(text)), nil
		case v.Kind() == value.KindArray:
			var elems []value.Value
			for _, child := range v.Elems() {
				elems = append(elems, child)
			}

			return value.Array(elems...), nil
		case v.Kind() == value.KindObject:
			return value.ObjectFromMap(maps.Collect(v.Members())), nil
		}

		return c.Value(), nil
	}

	for _, by := range []value.Transformer{{Before: again}, {After: again}, {Before: again, After: again}} {
		if got, err := by.Apply(v); err != nil || !got.Identical(v) || inherited(got) != inherited(v) || flaw(got) != nil {
			t.Fatalf("%v became %v, %v", v.GoString(), got.GoString(), err)
		}
	}
}

// Find finds what a set matches, and Update is an edit at each of these places.
func checkPlaces(t rapid.TB, v value.Value, set *path.Set, x value.Value) {
	t.Helper()

	var want, got []path.Path

	edited := v

	for c := range v.Walk() {
		if set.At(c.Path()).Matches() {
			want = append(want, c.Path())
		}
	}

	for _, at := range slices.Backward(want) { // what is below first
		old, _ := edited.At(at)
		edited, _ = edited.With(at, x.WithMarksOf(old))
	}

	for c := range v.Find(set) {
		if there, ok := v.At(c.Path()); !ok || !there.Identical(c.Value()) {
			t.Fatalf("not what is at %v", c.Path())
		}

		got = append(got, c.Path())
	}

	if !slices.Equal(got, want) {
		t.Fatalf("found %v, want %v", got, want)
	}

	updated, err := v.Update(set, func(*value.Cursor) (value.Value, error) { return x, nil })
	if err != nil || !sameMarked(updated, sameRoot(edited)) || flaw(updated) != nil {
		t.Fatalf("update: %v, %v, want %v", updated.GoString(), err, edited.GoString())
	}
}

// sameRoot is v as a root that is marked itself.
func sameRoot(v value.Value) value.Value {
	if v.IsSecret() {
		return value.Secret(v)
	}

	return v
}

// What is revealed is equal but for secret marks, of which only sealed ones are left.
func checkRevealed(t rapid.TB, v value.Value) {
	t.Helper()

	got := v.Reveal()

	for c := range got.Walk() {
		if c.Value().IsSecret() && c.Value().Kind() != value.KindSealed && !above(got, c.Path(), value.Value.IsSecret) {
			t.Fatalf("a secret at %v", c.Path())
		}
	}

	if !value.IgnoreSecrets.Equal(got, v) || flaw(got) != nil {
		t.Fatalf("%v became %v", v.GoString(), got.GoString())
	}
}

// One leaf that changes leaves everything that is not above it in its memory.
func TestTransformShares(t *testing.T) {
	v := object(member("a", value.Array(str("x"))), member("b", value.Array(str("y"))), member("c", value.Array()))

	got, err := v.Transform(func(c *value.Cursor) (value.Value, error) {
		if text, _ := c.Value().AsString(); text == "y" {
			return str("z"), nil
		}

		return c.Value(), nil
	})
	if want := object(member("a", value.Array(str("x"))), member("b", value.Array(str("z"))), member("c", value.Array())); err != nil || !got.Identical(want) {
		t.Fatal(got, err)
	}

	for _, key := range []string{"a", "c"} {
		if !value.Internal.SharesMemory(got.Field(key), v.Field(key)) {
			t.Errorf("%s was copied", key)
		}
	}
}

func TestTransformAllocations(t *testing.T) {
	v := value.Array(sample(), value.Secret(sample()), archive(t, member("a", value.FileAsset("f"))))
	s, set := &sink{}, path.MustSet("nothing")
	deep := wrap(num(1), 20, inArray)
	leaf := func(c *value.Cursor) (value.Value, error) {
		if c.Value().Len() == 0 {
			return num(2), nil
		}

		return c.Value(), nil
	}

	measure(t, []allocation{
		{"identity", 0, func() { s.v, _ = v.Transform(keep) }},
		{"identity, all", 0, func() { s.v, _ = value.Transformer{Before: keep, After: keep, Archives: true}.Apply(v) }},
		{"a leaf, one container a level", 20, func() { s.v, _ = deep.Transform(leaf) }},
		{"update of nothing", 4, func() { s.v, _ = v.Update(set, leaf) }},
		{"Reveal of no secret", 0, func() { s.v = deep.Reveal() }},
	})
}

func TestTransformArchives(t *testing.T) {
	inner := archive(t, member("x", value.TextAsset("1")), member("y", value.FileAsset("f")))
	outer := archive(t, member("in", inner), member("z", value.FileAsset("z"))).WithHash("aa")
	v := object(member("code", value.Secret(outer).WithDependencies(urnA)))

	var seen []string

	got, err := value.Transformer{Archives: true, After: func(c *value.Cursor) (value.Value, error) {
		seen = append(seen, c.Shown().String()+" "+c.Value().Kind().String())

		if !c.Value().IsSecret() && c.Depth() > 0 {
			return value.Value{}, errPlanned
		}

		asset, _ := c.Value().AsAsset()
		if name, ok := asset.Path(); ok && name == "z" {
			c.Remove()
		} else if ok {
			return value.FileAsset("g"), nil
		}

		return c.Value(), nil
	}}.Apply(v)

	inner = archive(t, member("x", value.TextAsset("1")), member("y", value.FileAsset("g")))
	want := object(member("code", value.Secret(archive(t, member("in", inner)).WithHash("aa")).WithDependencies(urnA)))

	if err != nil || !got.Identical(want) || flaw(got) != nil {
		t.Errorf("%v, %v", got, err)
	}

	if text := fmt.Sprint(seen); text != "[code asset code asset code archive code asset code archive  object]" {
		t.Error(text)
	}

	for _, row := range []struct {
		with value.Value
		want string
	}{
		{num(1), "value: transform: code: wrong kind: expected asset or archive, found number"},
		{value.FileAsset("f").WithDependencies(urnA), "value: transform: code: no marks allowed here"},
		{value.Secret(value.FileAsset("f")), "value: transform: code: no marks allowed here"},
	} {
		_, err := value.Transformer{Archives: true, After: func(c *value.Cursor) (value.Value, error) {
			if c.Value().Kind() == value.KindAsset {
				return row.with, nil
			}

			return c.Value(), nil
		}}.Apply(object(member("code", outer)))
		if fmt.Sprint(err) != row.want {
			t.Errorf("got  %v\nwant %s", err, row.want)
		}
	}

	none, err := value.Transformer{Before: keep, After: func(c *value.Cursor) (value.Value, error) {
		if c.Value().Kind() == value.KindAsset {
			return value.Value{}, errPlanned
		}

		return c.Value(), nil
	}}.Apply(v)
	if err != nil || !none.Identical(v) {
		t.Error("entries are visited although nobody asked:", err)
	}
}

// An error names the place, and nothing below a secret.
func TestTransformErrors(t *testing.T) {
	fails := func(c *value.Cursor) (value.Value, error) {
		if c.Value().Kind() == value.KindNumber {
			return value.Value{}, errPlanned
		}

		return c.Value(), nil
	}
	for _, row := range []struct {
		v    value.Value
		want string
	}{
		{num(1), "value: transform: planned"},
		{object(member("a", value.Array(value.Null(), num(1)))), "value: transform: a[1]: planned"},
		{object(member("a", value.Secret(object(member("key", num(1)))))), "value: transform: a[secret]: planned"},
		{object(member("a", value.Secret(num(1)))), "value: transform: a: planned"},
	} {
		if _, err := row.v.Transform(fails); fmt.Sprint(err) != row.want || !errors.Is(err, errPlanned) {
			t.Errorf("got  %v\nwant %s", err, row.want)
		}
	}

	_, err := num(1).Transform(func(c *value.Cursor) (value.Value, error) { c.Remove(); return c.Value(), nil })
	if !errors.Is(err, value.ErrRoot) {
		t.Error(err)
	}

	// One inside another, and a panic, do not disturb the next.
	func() {
		defer func() { _ = recover() }()
		_, _ = sample().Transform(func(*value.Cursor) (value.Value, error) { panic("planned") })
	}()

	nested, err := sample().Transform(func(c *value.Cursor) (value.Value, error) { return c.Value().Transform(keep) })
	if err != nil || !nested.Identical(sample()) {
		t.Error(nested, err)
	}
}
