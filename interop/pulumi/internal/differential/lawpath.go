package differential

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Known generates patterns that the SDK has too: with the wildcard of one step in the place of
// that of any number.
func Known(patterns *rapid.Generator[path.Pattern]) *rapid.Generator[path.Pattern] {
	return rapid.Map(patterns, func(p path.Pattern) path.Pattern {
		steps := slices.Collect(p.Steps())
		for i, s := range steps {
			if s.IsAnyDepth() {
				steps[i] = path.Any()
			}
		}
		return path.PatternOf(steps...)
	})
}

// matchesLaw: a glob of the new model matches what a pattern covers.
func matchesLaw(t *rapid.T, tally *Tally) {
	at := fuzz.Paths().Draw(t, "path")
	p := Known(fuzz.PatternsFor(at)).Draw(t, "pattern")
	glob, err := pulumi.ToGlob(p)
	theirs, err2 := pulumi.ToPath(at)
	if err != nil || err2 != nil {
		tally.Add(noRoom)
		return
	}
	if got, want := p.Covers(at), glob.Matches(theirs); got != want {
		t.Fatalf("%v covers %v: %v, the SDK says %v", p, at, got, want)
	}
	if back, err := pulumi.FromGlob(glob); err != nil || back != p {
		t.Fatalf("%v: %v returned as %v", err, p, back)
	}

	tally.Add(Same)
}

// globGetLaw: a glob finds what a pattern matches, where it finds anything.
func globGetLaw(t *rapid.T, tally *Tally) {
	v := anyValue(t, fuzz.Options{NoSealed: true, NoUnknowns: true})
	p := Known(fuzz.PatternsFor(fuzz.Internal.PathsOf(v)...)).Draw(t, "pattern")
	model, took := toModel(t, v)
	glob, err := pulumi.ToGlob(p)
	if !took || err != nil || longKeys(v) {
		tally.Add(noRoom)
		return
	}

	found, err := glob.Get(model)
	ours := map[path.Path]bool{}
	for _, at := range fuzz.Internal.PathsOf(v) {
		if p.Matches(at) {
			ours[at] = true
		}
	}

	if err != nil {
		tally.Add("glob-over-mixed-parts")
		return
	}
	if len(found) != len(ours) {
		t.Fatalf("%v matches %d places, the SDK finds %d\n%v", p, len(ours), len(found), fuzz.GoSource(v))
	}
	for at, one := range found {
		own, err := pulumi.FromPath(at)
		if err != nil || !ours[own] {
			t.Fatalf("%v: %v does not match %v\n%v", err, p, own, fuzz.GoSource(v))
		}
		compareAt(t, v, own, fromModel(t, one))
	}
	tally.Add(Same)
}

func longKeys(v value.Value) bool {
	for c := range v.Walk() {
		s, _ := c.Step()
		if key, _ := s.AsKey(); len(key) > longestKey {
			return true
		}
	}
	return false
}

// compareAt compares what the SDK found at a path, which has its own marks only,
// with what we find.
func compareAt(t *rapid.T, v value.Value, at path.Path, theirs value.Value) {
	ours, ok := v.At(at)
	if !ours.OwnSecret() {
		ours = ours.DropSecret()
	}
	if !ok || !hintless(ours).Identical(hintless(theirs)) {
		t.Fatalf("at %v: %v, %v, the SDK finds %v\n%v", at, ok, fuzz.GoSource(ours), fuzz.GoSource(theirs), fuzz.GoSource(v))
	}
}

// printLaw: what the new model writes of a path it reads back, and where both
// dialects have one spelling it is ours.
func printLaw(t *rapid.T, tally *Tally) {
	p := Known(fuzz.Patterns()).Draw(t, "pattern")
	glob, err := pulumi.ToGlob(p)
	if err != nil {
		tally.Add(noRoom)
		return
	}

	text, err := glob.MarshalText()
	if err != nil {
		if !p.IsRoot() {
			t.Fatalf("the SDK does not write %v: %v", p, err)
		}
		tally.Add("root-without-a-text")
		return
	}

	var back property.Glob
	if err := back.UnmarshalText(text); err != nil {
		t.Fatalf("the SDK does not read what it wrote: %s: %v", text, err)
	}
	if own, err := pulumi.FromGlob(back); err != nil || own != p {
		t.Fatalf("%v: the SDK wrote %v as %s, and reads %v", err, p, text, own)
	}
	for s := range p.Steps() {
		if key, isKey := s.AsKey(); isKey && escapes(key) {
			tally.Add("escapes-in-keys")
			return
		}
	}
	if string(text) != p.String() {
		t.Fatalf("%v, the SDK writes %s", p, text)
	}
	tally.Add(Same)
}

// escapes reports whether Go's spelling of a key has escapes that ours has not.
func escapes(key string) bool {
	plain := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key)
	return strconv.Quote(key) != `"`+plain+`"`
}
