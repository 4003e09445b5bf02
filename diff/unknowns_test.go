package diff_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/value"
)

// filling replaces what is not known, keeping marks.
type filling struct {
	content func(unknown value.Value) value.Value
	id      func(ref value.ResourceReference) value.ID
}

func (f filling) of(v value.Value) value.Value {
	made := v
	if v.IsUnknown() {
		made = f.content(v)
	}
	if ref, ok := v.AsResourceReference(); ok && ref.ID.IsUnknown() {
		ref.ID = f.id(ref)
		made = ref.Value()
	}
	if v.Kind() == value.KindArray {
		var elems []value.Value
		for _, e := range v.Elems() {
			elems = append(elems, f.of(e))
		}
		made = value.Array(elems...)
	}
	if v.Kind() == value.KindObject {
		var members []value.Member
		for k, e := range v.Members() {
			members = append(members, value.Member{Key: k, Value: f.of(e)})
		}
		made = value.Object(members...)
	}
	return marked(made, v)
}

// marked gives a value the marks of another.
func marked(v, like value.Value) value.Value {
	for d := range like.Dependencies() {
		v = v.WithDependencies(d)
	}
	if like.IsSecret() {
		v = value.Secret(v)
	}
	return v
}

// randomly fills from pools so small that fillings are often alike.
func randomly(t *rapid.T) filling {
	pool := []value.Value{
		{}, value.Bool(true), num(0), num(1), str(""), str("x"), arr(), arr(num(1)), obj(), obj("a", num(1)), obj("a", value.Null()),
	}
	return filling{
		content: func(value.Value) value.Value { return rapid.SampledFrom(pool).Draw(t, "filled in") },
		id: func(value.ResourceReference) value.ID {
			return rapid.SampledFrom([]value.ID{value.KnownID("i"), value.KnownID("j")}).Draw(t, "filled in")
		},
	}
}

// Law 19: no filling that keeps marks contradicts a verdict.
func TestLaw19NoFillingContradicts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, now := draw.Pair(t)
		filled, anew := randomly(t).of(old), randomly(t).of(now)
		for _, rel := range kit.Relations() {
			d := diff.Between(old, now, diff.Options{Relation: rel})
			after := diff.Between(filled, anew, diff.Options{Relation: rel})
			if (d.Verdict() == value.Changed && after.Empty()) ||
				(d.Verdict() == value.Same && d.Certain() && !after.Empty()) {
				t.Fatalf("%v: %v\nold  %s\nnew  %s\nfilled in:\nold  %s\nnew  %s",
					rel, d.Verdict(), kit.Dump(old), kit.Dump(now), kit.Dump(filled), kit.Dump(anew))
			}
			for c := range d.Changes() {
				x, inOld := filled.At(c.OldPath())
				y, inNew := anew.At(c.NewPath())
				if c.Verdict() == value.Changed && inOld && inNew && c.Op() == diff.OpUpdate && rel.Equal(x, y) {
					t.Fatalf("%v: %v surely changed, but is %s", rel, c, kit.Dump(x))
				}
			}
		}
	})
}

// Law 19: the verdict is maybe only where two fillings disagree. (What a missing hash
// or an unread ciphertext may turn out to be is not a filling of a value.)
func TestLaw19MaybeIsOpen(t *testing.T) {
	open := 0
	rapid.Check(t, func(t *rapid.T) {
		old, now := draw.Pair(t)
		if rapid.Bool().Draw(t, "one more unknown") {
			old = value.Array(old, value.Unknown())
			now = value.Array(now, draw.Value(t, 2).DropSecret().DropDependencies())
		}
		for _, rel := range kit.Relations() {
			for c := range diff.Between(old, now, diff.Options{Relation: rel}).Changes() {
				x, _ := c.Old()
				y, _ := c.New()
				if c.Verdict() != value.Maybe || (!x.ContainsUnknown() && !y.ContainsUnknown()) ||
					x.Kind() == value.KindSealed || y.Kind() == value.KindSealed {
					continue
				}
				open++
				rel := rel
				if c.Shown().Redacted() {
					rel |= value.IgnoreSecrets // a mark below a secret is redundant
				}
				if !rel.Equal(alike(x, y)) {
					t.Fatalf("%v: is never the same: %s", rel, line(c))
				}
				if rel.Equal(unlike(1).of(x), unlike(2).of(y)) {
					t.Fatalf("%v: is always the same: %s", rel, line(c))
				}
			}
		}
	})
	if open == 0 {
		t.Error("no maybe was seen")
	}
}

// alike fills the side that is not known itself with what the other side has,
// whose own unknowns are filled somehow; nothing there is a null.
func alike(x, y value.Value) (value.Value, value.Value) {
	ref, isRef := x.AsResourceReference()
	if !x.IsUnknown() && (y.IsUnknown() || !isRef || !ref.ID.IsUnknown()) {
		y, x = alike(y, x)
		return x, y
	}
	y = unlike(0).of(y)
	return filling{
		content: func(value.Value) value.Value { return marked(y.DropSecret().DropDependencies(), value.Null()) },
		id: func(value.ResourceReference) value.ID {
			other, _ := y.AsResourceReference()
			return other.ID
		},
	}.of(x), y
}

func unlike(n float64) filling {
	return filling{
		content: func(value.Value) value.Value { return arr(str("unlike anything else"), num(n)) },
		id:      func(value.ResourceReference) value.ID { return value.KnownID("unlike any other") },
	}
}

func TestMaybeIsChanged(t *testing.T) {
	maybe, sure := diff.Between(obj("a", value.Unknown()), obj("a", num(1)), diff.Options{}), diff.Between(obj("a", num(1)), obj("a", num(3)), diff.Options{MaybeIsChanged: true})
	if both, err := maybe.Then(sure); err != nil || both.Verdict() != value.Changed {
		t.Fatalf("with the option in one of two: %v, %v", both.Verdict(), err)
	}
	rapid.Check(t, func(t *rapid.T) {
		old, now := draw.Pair(t)
		for _, rel := range kit.Relations() {
			d := diff.Between(old, now, diff.Options{Relation: rel})
			strict := diff.Between(old, now, diff.Options{Relation: rel, MaybeIsChanged: true})
			if strict.Len() != d.Len() || strict.Certain() != d.Certain() {
				t.Fatalf("%v: %v\nbecame\n%v", rel, d, strict)
			}
			for c := range strict.Leaves() {
				if c.Verdict() != value.Changed {
					t.Fatalf("%v: %v is %v", rel, c, c.Verdict())
				}
			}
			if !d.Empty() && strict.Verdict() != value.Changed {
				t.Fatalf("%v: %v", rel, strict.Verdict())
			}
		}
	})
}
