package diff_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// checkTouched compares the result of Apply with what it should be, at every
// place that the diff changes.
func checkTouched(t *rapid.T, d diff.Diff, got, want value.Value) {
	for c := range d.Changes() {
		if c.Op() == diff.OpRemove {
			continue // another element may stand there now
		}
		x, inX := got.At(c.NewPath())
		y, inY := want.At(c.NewPath())
		deps := slices.Equal(slices.Collect(x.Dependencies()), slices.Collect(y.Dependencies()))
		switch {
		case inX != inY,
			c.ValueChanged() && !ofItself(c) && d.Relation() == value.Strict && !x.Identical(y),
			c.SecretChanged() && x.IsSecret() != y.IsSecret(),
			c.DependenciesChanged() && !deps:
			t.Fatalf("%v: at %v, %v\nwant %#v\ngot  %#v\nof %v\n%s", d.Relation(), c.Path(), c.Op(), y, x, d, kit.Dump(got))
		}
	}
}

// ofItself reports whether a change is one of an array itself, that it is longer
// or shorter, and those of its elements are others.
func ofItself(c diff.Change) bool {
	old, was := c.Old()
	now, is := c.New()
	return was && is && old.Kind() == value.KindArray && now.Kind() == value.KindArray && !c.SecretChanged()
}

// Law 1: on a value that is not the old one a diff fits, and does then what its
// changes say one after the other, or is an error, and nothing changed.
func TestLaw1OtherValues(t *testing.T) {
	fitted := 0
	rapid.Check(t, func(t *rapid.T) {
		old := draw.Value(t, 4)
		now, other := draw.Edited(t, old), draw.HandedOut(t, draw.Edited(t, old))
		if rapid.Bool().Draw(t, "differing elsewhere") {
			old, now, other = obj("a", old, "z", num(1)), obj("a", now, "z", num(1)), obj("a", old, "z", draw.Value(t, 1))
		}
		for _, rel := range kit.Relations() {
			d := diff.Between(old, now, diff.Options{Relation: rel})
			got, err := d.Apply(other)
			want, fits := applySlowly(other, d)
			if fits != (err == nil) {
				t.Fatalf("%v: fits: %v, error: %v\n%v\nold  %s\nnew  %s\nto   %s", rel, fits, err, d, kit.Dump(old), kit.Dump(now), kit.Dump(other))
			}
			if err != nil && (!errors.Is(err, diff.ErrFit) || !value.Internal.SharesMemory(got, other)) {
				t.Fatalf("%v: an error must be an ErrFit and leave the value: %v", rel, err)
			}
			if !got.Identical(want) || got.IsSecret() != want.IsSecret() {
				t.Fatalf("%v:\n%v\nold  %s\nnew  %s\nto   %s\nwant %s\ngot  %s", rel, d, kit.Dump(old), kit.Dump(now), kit.Dump(other), kit.Dump(want), kit.Dump(got))
			}
			if err == nil && !rel.Equal(other, old) {
				fitted++
			}
		}
	})
	if fitted == 0 {
		t.Errorf("no diff fitted another value than its old one")
	}
}

// applySlowly makes one change after the other by editing at its path.
func applySlowly(v value.Value, d diff.Diff) (value.Value, bool) {
	changes := slices.Collect(d.Changes())
	slices.Reverse(changes) // array tails from their end; additions below
	result := v
	for _, c := range changes {
		if !fitsSlowly(v, c, changes, d.Relation()) {
			return v, false
		}
	}
	for _, c := range changes {
		next, hasNew := c.New()
		switch {
		case !c.ValueChanged() && !c.SecretChanged() && next.Kind().IsContainer(): // its dependencies alone
			at, _ := result.At(c.Path())
			next = at.DropDependencies().WithDependencies(slices.Collect(next.Dependencies())...)
			result, _ = result.With(c.Path(), next)
		case !hasNew:
			result, _ = result.Without(c.Path())
		case c.Op() != diff.OpAdd:
			result, _ = result.With(c.Path(), next)
		}
	}
	slices.Reverse(changes)
	for _, c := range changes {
		if next, _ := c.New(); c.Op() == diff.OpAdd {
			result, _ = result.With(c.Path(), next)
		}
	}
	return result, true
}

func fitsSlowly(v value.Value, c diff.Change, all []diff.Change, rel value.Relation) bool {
	// What is above must be containers of the right kind.
	at, below, left := v, false, c.Path().Len()
	for step := range c.Path().Steps() {
		if (step.IsKey() && at.Kind() != value.KindObject) || (!step.IsKey() && at.Kind() != value.KindArray) {
			return false
		}
		below = at.IsSecret()
		parent := at
		at, _ = at.At(path.Of(step))
		left--
		if i, ok := step.AsIndex(); ok && i >= parent.Len() && (c.Op() != diff.OpAdd || left > 0) {
			return false
		}
	}
	old, _ := c.Old()
	last, _ := c.Path().Last()
	at, there := v.At(c.Path())
	if last.IsKey() && at.IsNull() && rel&value.NullAsMissing != 0 &&
		(below || !at.IsSecret() || rel&value.IgnoreSecrets != 0) &&
		(!at.HasDependencies() || rel&value.IgnoreDependencies != 0) && !c.Path().IsRoot() {
		there = false
	}
	if c.DependenciesChanged() && !c.ValueChanged() && !c.SecretChanged() && old.Kind().IsContainer() {
		return there && at.Kind() == old.Kind() &&
			slices.Equal(slices.Collect(at.Dependencies()), slices.Collect(old.Dependencies()))
	}
	if !last.IsKey() && c.Op() != diff.OpUpdate && !c.Path().IsRoot() {
		// The array is as long as it was: its changes of length are all there.
		above, _ := c.Path().Parent()
		array, _ := v.At(above)
		first, last := -1, -1
		for _, o := range all {
			up, _ := o.Path().Parent()
			if s, ok := o.Path().Last(); ok && up == above && o.Op() != diff.OpUpdate {
				i, _ := s.AsIndex()
				last = max(last, i)
				if first < 0 || i < first {
					first = i
				}
			}
		}
		if (c.Op() == diff.OpAdd && array.Len() != first) || (c.Op() == diff.OpDelete && array.Len() != last+1) {
			return false
		}
	}
	if c.Op() == diff.OpAdd {
		return !there
	}
	return there && rel.Equal(at, old)
}

// What is said to have changed at a path is what differs there, and nothing else.
func TestChangedAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, now := draw.Pair(t)
		places := []path.Path{path.MustParse("a.b.c"), path.MustParse("b[0]"), path.MustParse("a[7].x")}
		for _, side := range []value.Value{old, now} {
			for at := range side.Walk() {
				places = append(places, at.Path(), at.Path().Member(""), at.Path().Elem(0), at.Path().Elem(1))
			}
		}
		for _, rel := range kit.Relations() {
			d := diff.Between(old, now, diff.Options{Relation: rel})
			for _, p := range places {
				x, inOld := presentAt(old, p, rel)
				y, inNew := presentAt(now, p, rel)
				want := inOld != inNew || (inOld && !rel.Equal(x, y))
				if got := d.Changed(p); got != want {
					t.Fatalf("%v: changed at %v: %v\nold  %s\nnew  %s", rel, p, got, kit.Dump(old), kit.Dump(now))
				}
			}
		}
	})
}

func presentAt(v value.Value, p path.Path, rel value.Relation) (value.Value, bool) {
	at, ok := v.At(p)
	if last, below := p.Last(); ok && below && last.IsKey() {
		above, _ := p.Parent()
		container, _ := v.At(above)
		alone := obj("k", at)
		if container.IsSecret() {
			alone = sec(alone)
		}
		if none, _ := alone.Without(path.MustParse("k")); !at.IsUnknown() && rel.Equal(alone, none) {
			return value.Value{}, false
		}
	}
	return at, ok
}
