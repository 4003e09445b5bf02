package laws

import (
	"errors"
	"slices"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Law01RoundTrip is the law that Apply(a, Between(a, b)) equals b and Apply(b, Invert(d)) equals a,
// under the diff's Relation, marks included; under Strict it is Identical at every
// place that the diff touches, and always what it was at every place that it does
// not touch, so that there and back again is Identical. Inverting twice changes nothing; the inverse of Between(a, b) is
// Between(b, a).
func Law01RoundTrip(t *rapid.T) {
	pair := drawPair(t, fuzz.Pairs(fuzz.Options{}))
	r := Relations().Draw(t, "relation")
	o := diff.Options{Relation: r, MaybeIsChanged: rapid.Bool().Draw(t, "maybe is changed")}
	d := diff.Between(pair.Old, pair.New, o)
	there := checkThereAndBack(t, d, pair)
	checkTouched(t, d, pair.Old, pair.New, there)
	reverse := diff.Between(pair.New, pair.Old, o)
	if !d.Invert().Equal(reverse) {
		t.Fatalf("%v: the inverse is wrong", r)
	}
}

// checkThereAndBack applies a diff of two values to the old one, and its inverse to the new
// one and to what was made of the old one, which it returns.
func checkThereAndBack(t *rapid.T, d diff.Diff, pair fuzz.Pair) (there value.Value) {
	r := d.Relation()
	there, err := d.Apply(pair.Old)
	if err != nil || !r.Equal(there, pair.New) {
		t.Fatalf("%v: applied to old: %s, %v", r, fuzz.GoSource(there), err)
	}

	back, err := d.Invert().Apply(pair.New)
	if err != nil || !r.Equal(back, pair.Old) {
		t.Fatalf("%v: the inverse applied to new: %s, %v", r, fuzz.GoSource(back), err)
	}
	if again, err := d.Invert().Apply(there); err != nil || !again.Identical(pair.Old) {
		t.Fatalf("%v: there and back: %s, %v", r, fuzz.GoSource(again), err)
	}
	if !d.Invert().Invert().Equal(d) {
		t.Fatalf("%v: inverting twice is something", r)
	}
	return there
}

// checkTouched compares the result of Apply place by place: what the diff names
// is as in now, all else as in old.
func checkTouched(t *rapid.T, d diff.Diff, old, now, got value.Value) {
	touched := map[path.Path]bool{} // places that were replaced as a whole
	for c := range d.Changes() {
		p := c.NewPath()
		at, there := got.At(p)
		want, wanted := now.At(p)
		switch {
		case marksOnly(c):
			if !slices.Equal(slices.Collect(at.Dependencies()), slices.Collect(want.Dependencies())) {
				t.Fatalf("at %v the dependencies are those of %s", p, fuzz.GoSource(at))
			}
			continue
		case there != wanted && !at.IsNull() && !want.IsNull():
			t.Fatalf("at %v there is %v, should be %v", p, there, wanted)
		case there && wanted && d.Relation() == value.Strict && !sameBelow(at, want):
			t.Fatalf("at %v is %s, want %s", p, fuzz.GoSource(at), fuzz.GoSource(want))
		}

		touched[p] = true
	}

	for _, p := range trees.Places(old) {
		if p.Value.Kind().IsContainer() || underAny(touched, p.At) {
			continue
		}
		if at, ok := got.At(p.At); !ok || !trees.Own(at).Identical(p.Value) {
			t.Fatalf("the diff does not touch %v, where is now %s", p.At, fuzz.GoSource(at))
		}
	}
}

// sameBelow is Identical but for the redundant marks at the top: a place below a
// secret may have one or not.
func sameBelow(a, b value.Value) bool {
	if a.IsSecret() != b.IsSecret() {
		return false
	}
	return a.DropSecret().Identical(b.DropSecret())
}

func underAny(set map[path.Path]bool, p path.Path) bool {
	for {
		if set[p] {
			return true
		}
		up, ok := p.Parent()
		if !ok {
			return false
		}

		p = up
	}
}

// marksOnly reports whether a change is one of a container's dependencies alone,
// with changes of its own for what is inside.
func marksOnly(c diff.Change) bool {
	old, was := c.Old()
	now, is := c.New()
	return was && is && old.Kind().IsContainer() && old.Kind() == now.Kind() && c.DependenciesChanged() && !c.SecretChanged()
}

// Law01Misfit is the law that on any value at all a diff fits, and then does what it says where
// it says and can be taken back, or it is an error that says so, and nothing is
// changed. It fits every value that equals the old one.
func Law01Misfit(t *rapid.T) {
	pair := drawPair(t, fuzz.Pairs(fuzz.Options{}))
	r := Relations().Draw(t, "relation")
	d := diff.Between(pair.Old, pair.New, diff.Options{Relation: r})
	other := rapid.SampledFrom([]value.Value{pair.Old, pair.New}).Draw(t, "other")
	for range rapid.IntRange(0, 3).Draw(t, "edits") {
		other = fuzz.Internal.EditOnce(t, other, fuzz.Options{})
	}
	log(t, "other", other)
	got, err := d.Apply(other)
	if err != nil {
		var e *diff.Error
		switch {
		case !errors.Is(err, diff.ErrFit) || !errors.As(err, &e):
			t.Fatalf("%v: the error is %T: %v", r, err, err)
		case !got.Identical(other):
			t.Fatalf("%v: failed, and changed the value to %s", r, fuzz.GoSource(got))
		case r.Equal(other, pair.Old):
			t.Fatalf("%v: does not fit a value that equals the old one: %v", r, err)
		}

		return
	}

	if r.Equal(other, pair.Old) && !r.Equal(got, pair.New) {
		t.Fatalf("%v: applied to what equals old: %s", r, fuzz.GoSource(got))
	}

	alike := true
	for c := range d.Changes() {
		alike = alike && secretAbove(other, c.OldPath()) == secretAbove(pair.Old, c.OldPath())
	}
	// Below a container that is secret in one and not in the other, what fitted
	// one way need not fit the other.
	if back, err := d.Invert().Apply(got); alike && (err != nil || !r.Equal(back, other)) {
		t.Fatalf("%v: fits, but cannot be taken back: %s, %v", r, fuzz.GoSource(back), err)
	}
	for c := range d.Changes() {
		checkFitting(t, r, c, other, got)
	}
}

func secretAbove(v value.Value, p path.Path) bool {
	up, ok := p.Parent()
	if !ok {
		return false
	}
	above, _ := v.At(up)
	return above.IsSecret()
}

// checkFitting: at the place of a change there was what the change says.
func checkFitting(t *rapid.T, r value.Relation, c diff.Change, before, after value.Value) {
	if marksOnly(c) {
		return
	}

	for _, side := range []struct {
		v    value.Value
		p    path.Path
		give func() (value.Value, bool)
	}{{before, c.OldPath(), c.Old}, {after, c.NewPath(), c.New}} {
		at, there := side.v.At(side.p)
		want, wanted := side.give()
		absent := func(v value.Value, ok bool) bool { return !ok || value.Internal.Alone(r, v) == value.Same }
		if absent(at, there) && absent(want, wanted) {
			continue
		}

		secret := at.IsSecret() && want.IsSecret()
		at, want = trees.Bare(at), trees.Bare(want)
		if secret {
			at, want = value.Secret(at), value.Secret(want) // marks inside are redundant
		}
		if there != wanted || !r.Equal(at, want) {
			t.Fatalf("%v: at %v was %s, and the diff fitted, which says %s", r, side.p, fuzz.GoSource(at), fuzz.GoSource(want))
		}
	}
}
