package laws

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// promise is an update and what its preview promised.
type promise struct {
	old, now, promised value.Value
	o                  diff.Options
}

// Law21Within is the law that the breaches of a promise are those that the definition has,
// place by place, however elements are matched; that what a promise leaves open, filled in, is
// no breach; that an update that did nothing breaks a promise only by what did not come; and
// that a promise that says less is broken nowhere else.
func Law21Within(t *rapid.T) {
	p := drawPromise(t)
	p.isDefined(t, "drawn")
	promise{p.old, p.old, p.promised, p.o}.only(t, "an update that did nothing", diff.BreachMissing)
	promise{p.old, p.now, p.old, p.o}.only(t, "a promise of nothing", diff.BreachExtra, diff.BreachMark)

	kept := trees.Own(keep(t, p.promised))
	log(t, "kept", kept)
	promise{p.old, kept, p.promised, p.o}.only(t, "what was left open, filled in,")
	p.plant(t, kept)
	p.saysLess(t)
}

// drawPromise draws an old value, edits of it that were promised, some of whose places are
// unknown, and what came of it, with more edits.
func drawPromise(t *rapid.T) promise {
	options := fuzz.Options{Nodes: 12}
	pair := rapid.OneOf(fuzz.ListPairs(options), fuzz.Pairs(options)).Draw(t, "pair")
	p := promise{
		old: pair.Old, promised: pair.New,
		o: diff.Options{Relation: Relations().Draw(t, "relation"), Arrays: Matches().Draw(t, "match"), MaybeIsChanged: rapid.Bool().Draw(t, "maybe is changed")},
	}
	for range rapid.IntRange(0, 2).Draw(t, "unknowns") {
		at := rapid.SampledFrom(trees.Paths(p.promised)).Draw(t, "unknown")
		p.promised = trees.Replace(p.promised, at, unknownLike)
	}
	if rapid.Bool().Draw(t, "marked") {
		at := rapid.SampledFrom(trees.Paths(p.promised)).Draw(t, "marked at")
		p.promised = trees.Replace(p.promised, at, value.Secret)
	}
	p.now = rapid.SampledFrom([]value.Value{p.old, pair.New, p.promised}).Draw(t, "from")
	if rapid.Bool().Draw(t, "filled") {
		p.now = keep(t, p.now)
	}
	for range rapid.IntRange(0, 2).Draw(t, "more edits") {
		p.now = fuzz.Internal.EditOnce(t, p.now, options)
	}
	if rapid.Bool().Draw(t, "unmarked") {
		at := rapid.SampledFrom(trees.Paths(p.now)).Draw(t, "unmarked at")
		p.now = trees.Replace(p.now, at, trees.Bare)
	}
	p.old, p.now, p.promised = trees.Own(p.old), trees.Own(p.now), trees.Own(p.promised)
	log(t, "old", p.old)
	log(t, "now", p.now)
	log(t, "promised", p.promised)
	return p
}

// unknownLike returns an unknown with the marks of v.
func unknownLike(v value.Value) value.Value { return trees.WithMarks(value.Unknown(), v) }

// keep returns what keeps a promise: unknowns are filled in, unknown members perhaps left
// out, and marks perhaps added.
func keep(t *rapid.T, promised value.Value) value.Value {
	gain := func(v value.Value) value.Value {
		if rapid.IntRange(0, 9).Draw(t, "gained") == 0 {
			return value.Secret(v)
		}
		return v
	}
	if promised.IsUnknown() {
		filling := fuzz.Values(fuzz.Options{Nodes: 3, Depth: 1, Style: fuzz.Plain}).Draw(t, "filling")
		return gain(trees.WithMarks(trees.Bare(filling), promised))
	}
	if r, ok := promised.AsResourceReference(); ok && r.ID.IsUnknown() {
		r.ID = value.KnownID("filled")
		return gain(trees.WithMarks(r.Value(), promised))
	}

	var children []trees.Child
	for _, c := range trees.Children(promised) {
		if !c.Step.IsKey() || !c.Value.IsUnknown() || rapid.Bool().Draw(t, "came") {
			children = append(children, trees.Child{Step: c.Step, Value: keep(t, c.Value)})
		}
	}
	return gain(trees.Rebuild(promised, children))
}

func (p promise) fail(t *rapid.T, what string, got, want any) {
	t.Fatalf("%v, %v, %v: %s:\n%v\nwant\n%v\nold := %s\nnow := %s\npromised := %s", p.o.Relation, p.o.Arrays, p.o.MaybeIsChanged,
		what, got, want, fuzz.GoSource(p.old), fuzz.GoSource(p.now), fuzz.GoSource(p.promised))
}

func (p promise) breaches() []diff.Breach { return diff.Within(p.old, p.now, p.promised, p.o) }

// only: there are breaches of these kinds only.
func (p promise) only(t *rapid.T, what string, kinds ...diff.BreachKind) {
	p.isDefined(t, what)
	for _, b := range p.breaches() {
		if !slices.Contains(kinds, b.Kind()) {
			p.fail(t, what, b, kinds)
		}
	}
}

// isDefined compares what is found with the definition.
func (p promise) isDefined(t *rapid.T, what string) {
	var got, want []string
	for _, b := range p.breaches() {
		got = append(got, fmt.Sprint(b.Path(), " ", b.Kind()))
	}
	for _, at := range p.places() {
		if kind, ok := p.marks(at); ok {
			want = append(want, fmt.Sprint(at, " ", kind))
		}
		if kind, ok := p.content(at); ok {
			want = append(want, fmt.Sprint(at, " ", kind))
		}
	}
	if !slices.Equal(got, want) {
		p.fail(t, what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// places are the paths that now or the promise has, and whose containers are on both sides
// of one kind, in order.
func (p promise) places() []path.Path {
	all := append(trees.Paths(p.now), trees.Paths(p.promised)...)
	slices.SortFunc(all, path.Path.Compare)
	return slices.DeleteFunc(slices.Compact(all), func(at path.Path) bool {
		for !at.IsRoot() {
			at, _ = at.Parent()
			now, _ := p.at(p.now, at)
			promised, _ := p.at(p.promised, at)
			if now.Kind() != promised.Kind() || !now.Kind().IsContainer() {
				return true
			}
		}
		return false
	})
}

// at returns the value at a path, unless it is missing or counts so.
func (p promise) at(v value.Value, at path.Path) (value.Value, bool) {
	for step := range at.Steps() {
		below, ok := v.At(path.Of(step))
		if !ok || !v.Kind().IsContainer() || (step.IsKey() && below.IsNull() && p.o.Relation&value.NullAsMissing != 0) {
			return value.Value{}, false
		}
		v = below
	}
	return v, true
}

// content says how the contents at a place differ from the promise.
func (p promise) content(at path.Path) (diff.BreachKind, bool) {
	now, came := p.at(p.now, at)
	promised, was := p.at(p.promised, at)
	old, had := p.at(p.old, at)
	switch {
	case was && promised.IsUnknown(), !came && !was:
		return 0, false
	case came && was && now.Kind() == promised.Kind() && now.Kind().IsContainer():
		return 0, false
	case came && was && p.fits(now, promised):
		return 0, false
	case came == had && (!came || p.alike(now, old)):
		return diff.BreachMissing, true
	case was == had && (!was || p.alike(promised, old)):
		return diff.BreachExtra, true
	}
	return diff.BreachOther, true
}

// fits reports whether a value may be what was promised, as far as can be told.
func (p promise) fits(now, promised value.Value) bool {
	if p.alike(now, promised) {
		return true
	}
	r := p.o.Relation | value.IgnoreSecrets
	open := !p.o.MaybeIsChanged || promised.ContainsUnknown() // such as the ID of a reference
	return open && !now.ContainsUnknown() && r.Compatible(trees.Bare(promised), trees.Bare(now)) == value.Maybe
}

// alike reports whether two values are equal but for secret marks and their own dependencies.
func (p promise) alike(v, w value.Value) bool {
	r := p.o.Relation | value.IgnoreSecrets
	return formOf(r, trees.Bare(v)) == formOf(r, trees.Bare(w))
}

// marks says how marks at a place were not kept. A mark below a secret that was promised
// says nothing.
func (p promise) marks(at path.Path) (diff.BreachKind, bool) {
	now, came := p.at(p.now, at)
	promised, was := p.at(p.promised, at)
	old, had := p.at(p.old, at)
	if !came || !was {
		return 0, false
	}
	secret := p.o.Relation&value.IgnoreSecrets == 0 && promised.OwnSecret() && !now.IsSecret() && !secretAbove(p.promised, at)
	lost := false
	for d := range promised.Dependencies() {
		if p.o.Relation&value.IgnoreDependencies == 0 && !slices.Contains(slices.Collect(now.Dependencies()), d) {
			lost = true
		}
	}

	asOld := func() bool { return had && !old.IsSecret() && p.alike(now, old) }
	linkedAsOld := func() bool {
		return had && slices.Equal(slices.Collect(now.Dependencies()), slices.Collect(old.Dependencies()))
	}
	switch {
	case !secret && !lost:
		return 0, false
	case (!secret || asOld()) && (!lost || linkedAsOld()):
		return diff.BreachMissing, true
	}
	return diff.BreachMark, true
}

// plant changes a leaf of what keeps the promise, which is then the one breach.
func (p promise) plant(t *rapid.T, kept value.Value) {
	at := rapid.SampledFrom(trees.Paths(p.promised)).Draw(t, "planted")
	promised, _ := p.promised.At(at)
	now, came := kept.At(at)
	if !came || promised.Kind() == value.KindSealed || promised.ContainsUnknown() || promised.Kind().IsContainer() || !now.Equal(promised) {
		return
	}
	if step, ok := at.Last(); ok && step.IsKey() {
		if _, counts := p.at(p.promised, at); !counts {
			return
		}
	}

	p.now = trees.Replace(kept, at, func(v value.Value) value.Value { return trees.WithMarks(value.String("planted"), v) })
	found := p.breaches()
	if len(found) != 1 || found[0].Path() != at || found[0].Kind() == diff.BreachMissing || found[0].Kind() == diff.BreachMark {
		p.fail(t, "planted at "+at.String(), found, "one breach there")
	}
}

// saysLess makes a place of the promise unknown: nothing is then broken there or below, and
// nothing new elsewhere.
func (p promise) saysLess(t *rapid.T) {
	at := rapid.SampledFrom(trees.Paths(p.promised)).Draw(t, "says less")
	less := p
	less.promised = trees.Replace(p.promised, at, func(value.Value) value.Value { return value.Unknown() })
	before := p.breaches()
	for _, b := range less.breaches() {
		broken := slices.ContainsFunc(before, func(c diff.Breach) bool { return c.Path() == b.Path() })
		if b.Path().HasPrefix(at) || !broken {
			less.fail(t, "with less said at "+at.String(), b, before)
		}
	}
}
