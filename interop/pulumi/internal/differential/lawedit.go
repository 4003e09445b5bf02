package differential

import (
	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// place draws a path into a value: one of its own, one below or beside it, or
// any.
func place(t *rapid.T, v value.Value) path.Path {
	switch rapid.IntRange(0, 5).Draw(t, "kind of path") {
	case 0:
		return fuzz.Paths().Draw(t, "path")
	case 1:
		return rapid.SampledFrom(fuzz.Internal.PathsOf(v)).Draw(t, "above").Member(rapid.SampledFrom([]string{"a", "", "*", "new"}).Draw(t, "key"))
	case 2:
		at := rapid.SampledFrom(fuzz.Internal.PathsOf(v)).Draw(t, "above")
		above, _ := v.At(at)
		return at.Elem(above.Len() + rapid.IntRange(0, 1).Draw(t, "beyond"))
	}

	return rapid.SampledFrom(fuzz.Internal.PathsOf(v)).Draw(t, "path")
}

// above is what is known of the containers above a place.
type above struct {
	marked  bool // one of them is secret or has dependencies
	unknown bool // one of them is unknown
	last    value.Value
}

func lookAbove(v value.Value, p path.Path) (a above) {
	a.last = v
	for s := range p.Steps() {
		a.marked = a.marked || v.OwnSecret() || v.HasDependencies()
		a.unknown = a.unknown || v.IsUnknown()
		a.last = v
		v, _ = v.At(path.Of(s))
	}

	return a
}

// unmarkedAbove drops the marks of all containers above a place.
func unmarkedAbove(t *rapid.T, v value.Value, p path.Path) value.Value {
	first, _, isBelow := p.Cut()
	if !isBelow {
		return v
	}

	rest, _ := p.TrimPrefix(path.Of(first))
	part, _ := v.At(path.Of(first))
	if !part.OwnSecret() {
		part = part.DropSecret()
	}
	bare := v.DropSecret().DropDependencies()
	out, err := bare.With(path.Of(first), unmarkedAbove(t, part, rest))
	if err != nil {
		t.Fatalf("%v: %v at %v", err, fuzz.GoSource(bare), first)
	}
	return out
}

// getLaw: both find the same at a path, but for what is below an unknown.
func getLaw(t *rapid.T, tally *Tally) {
	v := anyValue(t, fuzz.Options{NoSealed: true})
	p := place(t, v)
	model, took := toModel(t, v)
	way, err := pulumi.ToPath(p)
	if !took || err != nil {
		tally.Add(noRoom)
		return
	}

	theirs, theirErr := way.Get(model)
	ours, isThere := v.At(p)
	switch {
	case theirErr == nil:
		compareAt(t, v, p, fromModel(t, theirs))
		tally.Add(Same)
		if _, own := v.At(p); own && ours.IsSecret() && !ours.OwnSecret() {
			tally.Add("part-of-a-secret")
		}
	case !isThere:
		tally.Add("nothing there")
	case lookAbove(v, p).unknown:
		tally.Add("step-into-an-unknown")
	default:
		t.Fatalf("at %v: %v, the SDK says %v\n%v", p, fuzz.GoSource(ours), theirErr, fuzz.GoSource(v))
	}
}

// newcomer draws what is put somewhere: a value without marks.
func newcomer(t *rapid.T) value.Value {
	return rapid.SampledFrom([]value.Value{value.String("new"), value.Null(), value.Object(), value.Array(value.Number(1)), value.Unknown()}).Draw(t, "new")
}

// setLaw: both put the same at a path, but that the SDK drops the marks of all
// that is above.
func setLaw(t *rapid.T, tally *Tally) {
	v := hintless(anyValue(t, fuzz.Options{NoSealed: true}))
	p, x := place(t, v), newcomer(t)
	model, took := toModel(t, v)
	what, _ := toModel(t, x)
	way, err := pulumi.ToPath(p)
	if !took || err != nil {
		tally.Add(noRoom)
		return
	}

	theirs, theirErr := way.Set(model, what)
	ours, ourErr := v.With(p, x)
	a := lookAbove(v, p)
	last, _ := p.Last()
	i, isIndex := last.AsIndex()
	switch {
	case theirErr != nil && ourErr != nil:
		tally.Add("refused by both")
	case theirErr == nil && ourErr == nil:
		want := ours
		if a.marked {
			want = unmarkedAbove(t, ours, p)
		}
		if got := fromModel(t, theirs); !got.Identical(want) {
			t.Fatalf("%v at %v of\n%v\nours %v\nSDK  %v", x, p, fuzz.GoSource(v), fuzz.GoSource(want), fuzz.GoSource(got))
		}

		if a.marked {
			tally.Add("set-below-a-mark")
		} else {
			tally.Add(Same)
		}
	case ourErr == nil && isIndex && i == a.last.Len():
		tally.Add("append-by-index")
	default:
		t.Fatalf("at %v of\n%v\nwe say %v, the SDK %v", p, fuzz.GoSource(v), ourErr, theirErr)
	}
}

// getClassicLaw: both find the same at a path, but for what is below marks and
// unknowns.
func getClassicLaw(t *rapid.T, tally *Tally) {
	v := anyValue(t, fuzz.Options{NoSealed: true})
	p := place(t, v)
	model, took := toClassic(t, v)
	if !took {
		tally.Add(noRoom)
		return
	}

	theirs, found := pulumi.ToPropertyPath(p).Get(model)
	ours, isThere := v.At(p)
	a := lookAbove(v, p)
	switch {
	case found:
		compareAt(t, v, p, fromClassic(t, theirs))
		tally.Add(Same)
	case !isThere:
		tally.Add("nothing there")
	case a.marked:
		tally.Add("editing-below-a-secret")
	case a.unknown:
		tally.Add("step-into-an-unknown")
	default:
		t.Fatalf("at %v: %v, the SDK finds nothing\n%v", p, fuzz.GoSource(ours), fuzz.GoSource(v))
	}
}

// setClassicLaw: both put the same at a path, but below marks.
func setClassicLaw(t *rapid.T, tally *Tally) {
	v := anyValue(t, fuzz.Options{NoSealed: true})
	p, x := place(t, v), newcomer(t)
	model, took := toClassic(t, v)
	what, _ := toClassic(t, x)

	if !took {
		tally.Add(noRoom)
		return
	}

	a := lookAbove(v, p)
	did := pulumi.ToPropertyPath(p).Set(model, what)
	ours, ourErr := v.With(p, x)
	last, _ := p.Last()
	i, isIndex := last.AsIndex()
	switch {
	case !did && ourErr != nil:
		tally.Add("refused by both")
	case did && ourErr == nil:
		if got := fromClassic(t, model); !got.Identical(ours) {
			t.Fatalf("%v at %v of\n%v\nours %v\nSDK  %v", x, p, fuzz.GoSource(v), fuzz.GoSource(ours), fuzz.GoSource(got))
		}
		tally.Add(Same)
	case did:
		t.Fatalf("at %v of\n%v\nwe say %v, the SDK sets", p, fuzz.GoSource(v), ourErr)
	case a.marked:
		tally.Add("editing-below-a-secret")
	case p.IsRoot():
		tally.Add("root")
	case isIndex && i == a.last.Len():
		tally.Add("append-by-index")
	default:
		t.Fatalf("at %v of\n%v\nthe SDK does not set", p, fuzz.GoSource(v))
	}
}

// deleteClassicLaw: both remove the same member; of an element the SDK makes a
// null.
func deleteClassicLaw(t *rapid.T, tally *Tally) {
	v := anyValue(t, fuzz.Options{NoSealed: true})
	p := place(t, v)
	model, took := toClassic(t, v)
	if !took {
		tally.Add(noRoom)
		return
	}

	a := lookAbove(v, p)
	did := pulumi.ToPropertyPath(p).Delete(model)
	ours, ourErr := v.Without(p)
	last, _ := p.Last()
	_, isIndex := last.AsIndex()
	if did && isIndex {
		ours, ourErr = v.With(p, value.Null())
	}
	switch {
	case did && ourErr == nil:
		if got := fromClassic(t, model); !got.Identical(ours) {
			t.Fatalf("%v of\n%v\nours %v\nSDK  %v", p, fuzz.GoSource(v), fuzz.GoSource(ours), fuzz.GoSource(got))
		}

		if isIndex {
			tally.Add("deleting-an-element")
		} else {
			tally.Add(Same)
		}
	case !did && (ourErr != nil || !v.Has(p)):
		tally.Add("nothing there")
	case !did && a.marked:
		tally.Add("editing-below-a-secret")
	default:
		t.Fatalf("%v of\n%v\nwe say %v, the SDK deletes: %v", p, fuzz.GoSource(v), ourErr, did)
	}
}

// addClassicLaw: both put the same at a path, making what is missing, but below
// marks, behind an array, and where the SDK fills arrays up with nulls.
func addClassicLaw(t *rapid.T, tally *Tally) {
	v := anyValue(t, fuzz.Options{NoSealed: true})
	p, x := place(t, v), newcomer(t)
	for s := range p.Steps() {
		if i, isIndex := s.AsIndex(); isIndex && i > 1000 {
			tally.Add("adding-behind-an-array") // it would make an array that long
			return
		}
	}

	model, took := toClassic(t, v)
	what, _ := toClassic(t, x)
	if !took {
		tally.Add(noRoom)
		return
	}

	marked, behind := hurdles(v, p)
	theirs, did := pulumi.ToPropertyPath(p).Add(model, what)
	ours, ourErr := v.Put(p, x)
	switch {
	case marked:
		tally.Add("editing-below-a-secret")
	case p.IsRoot():
		tally.Add("root")
	case behind:
		tally.Add("adding-behind-an-array")
	case did != (ourErr == nil):
		t.Fatalf("%v of\n%v\nwe say %v, the SDK adds: %v", p, fuzz.GoSource(v), ourErr, did)
	case did:
		if got := fromClassic(t, theirs); !got.Identical(ours) {
			t.Fatalf("%v of\n%v\nours %v\nSDK  %v", p, fuzz.GoSource(v), fuzz.GoSource(ours), fuzz.GoSource(got))
		}
		tally.Add(Same)
	default:
		tally.Add("refused by both")
	}
}

// hurdles reports whether something with marks is above a place, and whether an
// index leads behind what is there.
func hurdles(v value.Value, p path.Path) (marked, behind bool) {
	for s := range p.Steps() {
		marked = marked || v.OwnSecret() || v.HasDependencies()

		if i, isIndex := s.AsIndex(); isIndex && ((v.Kind() == value.KindArray && i >= v.Len()) || (v.IsNull() && i > 0)) {
			behind = true
		}
		v, _ = v.At(path.Of(s))
	}
	return marked, behind
}
