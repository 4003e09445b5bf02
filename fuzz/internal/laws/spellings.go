package laws

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// spelled is two values, and a third for what follows, with rules of equality that
// hide some of their differences.
type spelled struct {
	old, now, next value.Value
	list           []equality.Rule
	rules          *equality.Rules
	o              diff.Options
}

// drawSpelled draws values that differ in spelling too, and rules for places in them.
func drawSpelled(t *rapid.T, o fuzz.Options) spelled {
	o.Nodes = 12
	pair := drawPair(t, rapid.OneOf(fuzz.Pairs(o), fuzz.ListPairs(o)))
	s := spelled{
		old: pair.Old, now: respelled(t, pair.New),
		o: diff.Options{Relation: Relations().Draw(t, "relation"), Arrays: Matches().Draw(t, "match")},
	}
	s.next = respelled(t, fuzz.Internal.EditOnce(t, s.now, o))
	log(t, "respelled", s.now)
	log(t, "next", s.next)

	s.drawRules(t)
	return s
}

func (s *spelled) drawRules(t *rapid.T) {
	places := append(trees.Places(s.old), trees.Places(s.now)...)
	for range rapid.IntRange(1, 4).Draw(t, "rules") {
		place := rapid.SampledFrom(places).Draw(t, "place")
		rule := equality.Rule{Pattern: fuzz.PatternsFor(place.At).Draw(t, "pattern")}
		name := rapid.SampledFrom([]string{"none", "fold", "trim", "number", "bool", "json", "constant", "length", "array", "object"}).Draw(t, "form")
		rule.Form = formNamed(name)
		if last, ok := place.At.Last(); ok && last.IsKey() && lastOf(rule.Pattern).IsKey() {
			rule.Empty = rapid.Bool().Draw(t, "empty")
			rule.Ignored = rapid.IntRange(0, 3).Draw(t, "ignored") == 3
			if rapid.Bool().Draw(t, "default") {
				rule.Default = unmarked(rapid.OneOf(rapid.Just(place.Value), fuzz.Values(fuzz.Options{Nodes: 3, Style: fuzz.Plain})).Draw(t, "value"))
			}
		}
		if rule.Default.Len() > 0 && slices.ContainsFunc(slices.Collect(rule.Pattern.Steps()), path.Step.IsAnyDepth) {
			rule.Default = value.Null() // could be in itself, and is refused
		}
		t.Logf("rule %v, %s, default %s, empty %v, ignored %v", rule.Pattern, name, fuzz.GoSource(rule.Default), rule.Empty, rule.Ignored)
		s.list = append(s.list, rule)
	}

	var err error
	if s.rules, err = equality.NewRules(s.list...); err != nil {
		t.Fatal(err)
	}
}

func lastOf(p path.Pattern) path.Step {
	last := path.Any()
	for step := range p.Steps() {
		last = step
	}
	return last
}

func unmarked(v value.Value) value.Value {
	children := trees.Children(v)
	switch {
	case v.IsUnknown() || v.Kind() == value.KindSealed || v.Kind() == value.KindArchive || v.Kind() == value.KindAsset || v.Kind() == value.KindResourceReference:
		return value.String("")
	case children != nil:
		for i, c := range children {
			children[i].Value = unmarked(c.Value)
		}
		return trees.Rebuild(trees.Bare(trees.Own(v)), children)
	}

	return trees.Bare(trees.Own(v))
}

// formNamed returns a form that makes much equal. Some are senseless.
func formNamed(name string) func(value.Value) value.Value {
	return map[string]func(value.Value) value.Value{
		"none":     nil,
		"fold":     equality.FoldCase,
		"trim":     equality.TrimSpace,
		"number":   equality.NumberText,
		"bool":     equality.BoolText,
		"json":     equality.JSONText,
		"constant": func(value.Value) value.Value { return value.String("") },
		"length": func(v value.Value) value.Value {
			text, _ := v.AsString()

			return value.Number(float64(len(text) % 2))
		},
		"array": func(v value.Value) value.Value { return value.Array(v) },
		"object": func(v value.Value) value.Value {
			if text, ok := v.AsString(); ok && text == "" {
				return value.Object()
			}

			return value.Object(value.Field("a", v))
		},
	}[name]
}

// respelled spells some leaves in other ways, and adds and removes members.
func respelled(t *rapid.T, v value.Value) value.Value {
	v = trees.Own(v)
	children := trees.Children(v)
	for i, c := range children {
		children[i].Value = respelled(t, c.Value)
	}

	if v.Kind() == value.KindObject {
		switch rapid.IntRange(0, 9).Draw(t, "members") {
		case 0:
			key := rapid.SampledFrom([]string{"a", "b", "name"}).Draw(t, "key")
			if _, has := v.Lookup(key); !has {
				empty := rapid.SampledFrom([]value.Value{value.String(""), value.Array(), value.Object(), value.Null(), value.Unknown(), value.Secret(value.String(""))})
				children = append(children, trees.Child{Step: path.Key(key), Value: empty.Draw(t, "added")})
			}
		case 1:
			if len(children) > 0 {
				children = children[1:]
			}
		}
	}
	if children != nil {
		return trees.Rebuild(v, children)
	}
	if rapid.IntRange(0, 2).Draw(t, "respell") > 0 {
		return v
	}

	switch rapid.IntRange(0, 9).Draw(t, "marks") {
	case 0:
		v = trees.Bare(v)
	case 1:
		v = value.Secret(v)
	}
	if text, ok := v.AsString(); ok {
		bare := value.String(text)
		other := rapid.SampledFrom([]value.Value{
			value.String(strings.ToUpper(text)), value.String(" " + text), value.String(text + "\n"), value.String(""), value.String("1.0"), value.String("TRUE"),
			value.Array(bare), value.Object(value.Field("a", bare)), value.Object(value.Field("a", value.Unknown())), value.Array(value.Unknown()),
		}).Draw(t, "spelling")
		return trees.WithMarks(other, v)
	}
	if n, ok := v.AsNumber(); ok {
		return trees.WithMarks(equality.NumberText(value.Number(n)), v)
	}

	return v
}

// normal says what the rules make equal, slowly: it is the oracle for Normalize.
// Nothing that an unknown may leave out is left out.
func (s *spelled) normal(v value.Value, at path.Path, below bool) value.Value {
	own := trees.Own(v)
	if children := trees.Children(own); len(children) > 0 {
		kept := make([]trees.Child, 0, len(children))
		for _, c := range children {
			inside := below || own.IsSecret()
			x := s.normal(c.Value, at.Append(c.Step), inside)
			if !c.Step.IsKey() || !s.missing(x, at.Append(c.Step), inside) {
				kept = append(kept, trees.Child{Step: c.Step, Value: x})
			}
		}
		return trees.Rebuild(own, kept)
	}

	for _, rule := range s.list {
		leaf := own.Kind() == value.KindBool || own.Kind() == value.KindNumber || own.Kind() == value.KindString
		if !leaf || rule.Form == nil || !rule.Pattern.Matches(at) {
			continue
		}

		own = trees.WithMarks(rule.Form(trees.Bare(own)), own)
	}
	return own
}

// missing reports whether a rule says that a member in normal form is as good as
// missing.
func (s *spelled) missing(v value.Value, at path.Path, below bool) bool {
	relation := s.o.Relation
	if below {
		relation |= value.IgnoreSecrets
	}
	for _, rule := range s.list {
		switch {
		case !rule.Pattern.Matches(at) || (!rule.Empty && rule.Default.IsNull() && !rule.Ignored):
			continue
		case rule.Ignored:
			return true
		}

		none := []value.Value{value.Null(), s.normal(rule.Default, at, false)}
		if rule.Empty {
			none = append(none, value.String(""), value.Array(), value.Object())
		}
		for _, n := range none {
			if formOf(relation, trees.Own(v)) == formOf(relation, n) {
				return true
			}
		}
	}

	return false
}

func (s *spelled) between(old, now value.Value) diff.Diff { return s.rules.Between(old, now, s.o) }

func (s *spelled) fail(t *rapid.T, format string, args ...any) {
	t.Helper()
	t.Fatalf("%v, %v: "+format, append([]any{s.o.Relation, s.o.Arrays}, args...)...)
}

// Law02Spellings is the law that under rules of equality a diff is empty exactly if
// the normal forms are equal, however elements are matched; that respelling changes
// neither the normal form nor a mark that the Relation compares; and that normal forms
// are what a slow reading of the rules says.
func Law02Spellings(t *rapid.T) {
	s := drawSpelled(t, fuzz.Options{})
	r := s.o.Relation
	old, now := s.rules.Normalize(s.old, r), s.rules.Normalize(s.now, r)
	for _, x := range []struct{ given, got value.Value }{{s.old, old}, {s.now, now}} {
		if want := s.normal(x.given, path.Of(), false); !trees.Own(x.got).Identical(want) {
			s.fail(t, "the normal form is %s, not %s", fuzz.GoSource(x.got), fuzz.GoSource(want))
		}
	}

	d, spelling := s.between(s.old, s.now), s.rules.Respell(s.old, s.now, s.o)
	if same := s.rules.Normalize(spelling, r); !r.Equal(same, now) {
		s.fail(t, "respelled %s, whose normal form is %s, not %s", fuzz.GoSource(spelling), fuzz.GoSource(same), fuzz.GoSource(now))
	}
	if d.Empty() != r.Equal(old, now) || d.Empty() != r.Equal(s.old, spelling) {
		s.fail(t, "empty is %v; the normal forms are %s and %s", d.Empty(), fuzz.GoSource(old), fuzz.GoSource(now))
	}

	if s.o.Arrays == diff.Positional() {
		s.checkMarks(t, spelling)
	}
	if none := (*equality.Rules)(nil); !none.Between(s.old, s.now, s.o).Equal(diff.Between(s.old, s.now, s.o)) {
		s.fail(t, "without rules it is another diff")
	}
}

// checkMarks compares the respelled value with the old and the new one, place by place: its
// marks are those of the new one, but for what is ignored, and nothing that was secret is in clear.
func (s *spelled) checkMarks(t *rapid.T, spelling value.Value) {
	for _, place := range trees.Places(spelling) {
		x, _ := spelling.At(place.At)
		given, both := s.now.At(place.At)
		old, had := s.old.At(place.At)
		if had && old.IsSecret() && !x.IsSecret() && !x.Kind().IsContainer() && (!both || !x.Equal(given)) {
			s.fail(t, "%v was secret, and is in clear: %s", place.At, fuzz.GoSource(spelling))
		}
		ignores := func(r equality.Rule) bool { return r.Ignored && r.Pattern.Covers(place.At) }
		if !both || s.o.Relation&value.IgnoreSecrets != 0 || slices.ContainsFunc(s.list, ignores) {
			continue
		}

		below := secretAbove(s.now, place.At) // where a mark is redundant
		lost, extra := given.OwnSecret() && !x.OwnSecret() && !below, x.OwnSecret() && !given.OwnSecret() && (!below || !old.OwnSecret())
		if lost || extra || x.HasDependencies() != given.HasDependencies() {
			s.fail(t, "%v has other marks: %s", place.At, fuzz.GoSource(spelling))
		}
	}
}

// Law01Spellings is the law that a diff under rules of equality is one of the old value
// and the respelled new one, as exact as any: it applies, inverts, composes, splits
// and is written and read back.
func Law01Spellings(t *rapid.T) {
	s := drawSpelled(t, fuzz.Options{NoSealed: true}) // patches do not say by what they were
	d, spelling := s.between(s.old, s.now), s.rules.Respell(s.old, s.now, s.o)
	there, err := d.Apply(s.old)
	if err != nil || !s.o.Relation.Equal(there, spelling) {
		s.fail(t, "applied to old: %s, %v", fuzz.GoSource(there), err)
	}
	if back, err := d.Invert().Apply(there); err != nil || !back.Identical(s.old) {
		s.fail(t, "there and back: %s, %v", fuzz.GoSource(back), err)
	}

	e := s.between(spelling, s.next)
	end := s.rules.Respell(spelling, s.next, s.o)
	both, err := d.Then(e)
	if err != nil {
		s.fail(t, "the second does not fit the first: %v", err)
	}
	if got, err := both.Apply(s.old); err != nil || !s.o.Relation.Equal(got, end) {
		s.fail(t, "both: %s, %v", fuzz.GoSource(got), err)
	}
	rest, matched := d.Split(s.rules.Patterns())
	if again, err := rest.Then(matched); err != nil {
		s.fail(t, "the parts do not fit: %v", err)
	} else if got, err := again.Apply(s.old); err != nil || !s.o.Relation.Equal(got, spelling) {
		s.fail(t, "the parts: %s, %v", fuzz.GoSource(got), err)
	}

	checkPatch(t, d, s.old)
}

// Law18Spellings is the law that an answer under rules of equality is true to a validator that
// knows the rules, and that it says DIFF_NONE exactly if nothing else changed.
func Law18Spellings(t *rapid.T) {
	pair := drawPair(t, fuzz.ObjectPairs(fuzz.Options{Nodes: 12}))
	state, now := trees.AsObject(respelled(t, pair.Old)), trees.AsObject(respelled(t, pair.New))
	s := spelled{old: trees.AsObject(pair.Old), now: now, o: diff.Options{Relation: value.Engine, Arrays: Matches().Draw(t, "match")}}
	s.drawRules(t)
	log(t, "respelled", now)
	log(t, "state", state)

	o := provider.Differ{Equality: s.rules, Arrays: s.o.Arrays, Drift: rapid.Bool().Draw(t, "drift")}
	sides := provider.Sides{OldInputs: s.old, OldState: state, News: now}
	c := o.Compare(sides)
	response := c.Response()
	for _, f := range check.Validate(response, sides, o) {
		if f.Severity == check.SeverityError || f.Code == "unreported" {
			s.fail(t, "found in a true response: %v\n%v", f, response)
		}
	}

	if c.Inputs().Empty() != value.Engine.Equal(s.rules.Normalize(s.old, value.Engine), s.rules.Normalize(now, value.Engine)) {
		s.fail(t, "the inputs are equal: %v", c.Inputs().Empty())
	}
	if (response.Changes == rpc.DiffNone) != c.Empty() && o.Arrays == diff.Positional() {
		s.fail(t, "%v, and empty is %v", response, c.Empty())
	}
}

// Law19Spellings is the law that what unknowns turn out to be never contradicts a verdict
// under rules of equality: a change that is *changed* is one under every filling.
func Law19Spellings(t *rapid.T) {
	s := drawSpelled(t, fuzz.Options{})
	d := s.between(s.old, s.now)
	filled := spelledFiller{filler{t: t}}
	old, now := filled.fill(s.old), filled.fill(s.now)
	after := s.between(old, now)
	if d.Verdict() == value.Changed && after.Empty() {
		s.fail(t, "changed, and equal once filled:\n%s\n%s", fuzz.GoSource(old), fuzz.GoSource(now))
	}
	if d.Empty() && d.Certain() && !after.Empty() {
		s.fail(t, "the same, and changed once filled:\n%s\n%s", fuzz.GoSource(old), fuzz.GoSource(now))
	}

	gravest := value.Same
	for c := range d.Changes() {
		gravest = max(gravest, c.Verdict())
	}
	if gravest != d.Verdict() {
		s.fail(t, "the gravest change is %v, of the diff %v", gravest, d.Verdict())
	}
	if s.o.Arrays != diff.Positional() {
		return
	}

	for c := range d.Changes() {
		if c.Verdict() == value.Changed && !touches(after, c.Path()) {
			s.fail(t, "%v is changed, and no change once filled:\n%s\n%s", c.Path(), fuzz.GoSource(old), fuzz.GoSource(now))
		}
	}
}

// touches reports whether a diff has a change at, above or below a place.
func touches(d diff.Diff, p path.Path) bool {
	for c := range d.Changes() {
		if c.Path().HasPrefix(p) || p.HasPrefix(c.Path()) {
			return true
		}
	}
	return false
}

// spelledFiller fills unknowns with what rules leave out, often.
type spelledFiller struct{ filler }

func (f *spelledFiller) fill(v value.Value) value.Value {
	own := trees.Own(v)
	if own.IsUnknown() {
		known := rapid.OneOf(
			rapid.SampledFrom([]value.Value{value.Null(), value.String(""), value.Array(), value.Object(), value.Number(0), value.Bool(true)}),
			rapid.Map(fuzz.Values(fuzz.Options{Nodes: 3, Style: fuzz.Plain}), unmarked),
		)
		return trees.WithMarks(known.Draw(f.t, "filling"), own)
	}

	children := trees.Children(own)
	if children == nil {
		return f.filler.fill(own, path.Of())
	}
	for i, c := range children {
		children[i].Value = f.fill(c.Value)
	}
	return trees.Rebuild(own, children)
}
