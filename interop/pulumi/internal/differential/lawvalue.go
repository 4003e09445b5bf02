package differential

import (
	"errors"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	gen "github.com/pulumi/pulumi/sdk/v3/go/property/testing"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/value"
)

// sdkDepth is how deep values of the SDK's own generators are.
const sdkDepth = 4

// style draws what values look like.
func style(t *rapid.T) fuzz.Style {
	return rapid.SampledFrom([]fuzz.Style{fuzz.Mixed, fuzz.Hostile, fuzz.RealLike}).Draw(t, "style")
}

// anyValue draws a value of ours.
func anyValue(t *rapid.T, o fuzz.Options) value.Value {
	o.Style = style(t)
	return fuzz.Values(o).Draw(t, "value")
}

// toModel converts to the SDK's new model. What it has no room for says nothing.
func toModel(t *rapid.T, v value.Value) (property.Value, bool) {
	p, err := pulumi.ToValue(v, pulumi.DropHints)
	if err != nil {
		if !errors.Is(err, pulumi.ErrSource) && !errors.Is(err, pulumi.ErrSealed) {
			t.Fatalf("%v\n%v", err, fuzz.GoSource(v))
		}
		return p, false
	}

	return p, true
}

// fromModel converts from the SDK's new model.
func fromModel(t *rapid.T, p property.Value) value.Value {
	v, err := pulumi.FromValue(p)
	if err != nil {
		t.Fatalf("%v\n%#v", err, p)
	}
	return v
}

// toClassic converts to the SDK's classic model.
func toClassic(t *rapid.T, v value.Value) (resource.PropertyValue, bool) {
	p, err := pulumi.ToPropertyValue(v)
	if err != nil {
		if !errors.Is(err, pulumi.ErrSource) && !errors.Is(err, pulumi.ErrSealed) {
			t.Fatalf("%v\n%v", err, fuzz.GoSource(v))
		}
		return p, false
	}

	return p, true
}

func fromClassic(t *rapid.T, p resource.PropertyValue) value.Value {
	v, err := pulumi.FromPropertyValue(p)
	if err != nil {
		t.Fatalf("%v\n%#v", err, p)
	}
	return v
}

const noRoom = "the SDK has no room for it"

// valuesLaw: what the new model takes of ours comes back Identical; with hints
// dropped Identical but for them.
func valuesLaw(t *rapid.T, tally *Tally) {
	v := anyValue(t, fuzz.Options{})
	p, err := pulumi.ToValue(v, pulumi.RefuseHints)
	if err == nil {
		if back := fromModel(t, p); !back.Identical(v) {
			t.Fatalf("%v\nreturned as\n%v", fuzz.GoSource(v), fuzz.GoSource(back))
		}
		tally.Add(Same)
		return
	}

	p, took := toModel(t, v)
	switch {
	case errors.Is(err, pulumi.ErrHint) && took:
		if back := fromModel(t, p); !back.Identical(hintless(v)) || !back.Equal(v) {
			t.Fatalf("%v\nreturned as\n%v", fuzz.GoSource(v), fuzz.GoSource(back))
		}
		tally.Add("the same but for hints")
	case took:
		t.Fatalf("%v, but not with hints dropped\n%v", err, fuzz.GoSource(v))
	default:
		tally.Add(noRoom)
	}
}

// sdkValuesLaw: what the SDK's own generators make comes back as the same.
func sdkValuesLaw(t *rapid.T, tally *Tally) {
	p := gen.Value(sdkDepth).Draw(t, "value")
	v := fromModel(t, p)
	back, took := toModel(t, v)
	if !took {
		t.Fatalf("cannot be converted back: %#v", p)
	}
	if !back.Equals(p) && wild(v) != "not-a-number" {
		t.Fatalf("%#v\nreturned as\n%#v", p, back)
	}

	tally.Add(Same)
}

// modelsLaw: the SDK's conversions between its models and our adapters to both
// make one thing.
func modelsLaw(t *rapid.T, tally *Tally) {
	v := hintless(anyValue(t, fuzz.Options{NoSealed: true}))
	p, took := toModel(t, v)
	if !took {
		tally.Add(noRoom)
		return
	}
	if got := fromClassic(t, resource.ToResourcePropertyValue(p)); !got.Identical(v) {
		t.Fatalf("%v\nthe SDK makes classic\n%v", fuzz.GoSource(v), fuzz.GoSource(got))
	}
	classic, _ := toClassic(t, v)
	if got := fromModel(t, resource.FromResourcePropertyValue(classic)); !got.Identical(v) {
		t.Fatalf("%v\nthe SDK makes new\n%v", fuzz.GoSource(v), fuzz.GoSource(got))
	}

	tally.Add(Same)
}

// pair draws two values that have to do with each other.
func pair(t *rapid.T, o fuzz.Options) (old, now value.Value) {
	o.Style, o.NoSealed = style(t), true
	p := fuzz.Pairs(o).Draw(t, "pair")
	return p.Old, p.New
}

// equalLaw: both say the same of tame values, and of wild ones but for what is
// listed.
func equalLaw(t *rapid.T, tally *Tally) {
	v, w := pair(t, fuzz.Options{})
	isTame := rapid.Bool().Draw(t, "tame")
	if isTame {
		v, w = tame(v), tame(w)
	} else {
		v, w = unread(v), unread(w)
	}
	p, tookP := toModel(t, v)
	q, tookQ := toModel(t, w)
	if !tookP || !tookQ {
		tally.Add(noRoom)
		return
	}

	verdict(t, tally, v, w, isTame, p.Equals(q))
}

// equalClassicLaw is equalLaw of the classic model, whose equality is that of
// the engine.
func equalClassicLaw(t *rapid.T, tally *Tally) {
	v, w := pair(t, fuzz.Options{})
	v, w = tame(v), tame(w)
	p, tookP := toClassic(t, v)
	q, tookQ := toClassic(t, w)
	if !tookP || !tookQ {
		tally.Add(noRoom)
		return
	}
	if theirs, ours := p.DeepEquals(q), value.Engine.Equal(v, w); theirs != ours {
		t.Fatalf("equal: %v, the SDK says %v\n%v\n%v", ours, theirs, fuzz.GoSource(v), fuzz.GoSource(w))
	}

	tally.Add(Same)
}

func verdict(t *rapid.T, tally *Tally, v, w value.Value, isTame, theirs bool) {
	ours := v.Equal(w)
	if ours == theirs {
		tally.Add(Same)
		return
	}

	why := wild(v)
	if why == "" {
		why = wild(w)
	}
	if isTame || why == "" {
		t.Fatalf("equal: %v, the SDK says %v\n%v\n%v", ours, theirs, fuzz.GoSource(v), fuzz.GoSource(w))
	}
	tally.Add(why)
}
