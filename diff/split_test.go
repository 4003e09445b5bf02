package diff_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// drawPatternsInto draws patterns that go into some values.
func drawPatternsInto(t *rapid.T, sides ...value.Value) []path.Pattern {
	var places []path.Path
	for _, v := range sides {
		for at := range v.Walk() {
			places = append(places, at.Path())
		}
	}
	var drawn []path.Pattern
	for range rapid.IntRange(1, 3).Draw(t, "patterns") {
		p := rapid.SampledFrom(places).Draw(t, "place")
		var steps []path.Step
		for step := range p.Steps() {
			if rapid.IntRange(0, 3).Draw(t, "any") == 0 {
				steps = append(steps, path.Any())
			} else {
				steps = append(steps, step)
			}
		}
		if len(steps) == 0 || rapid.IntRange(0, 5).Draw(t, "below") == 0 {
			steps = append(steps, path.Key(fuzz.Internal.Keys().Draw(t, "key")))
		}
		drawn = append(drawn, path.PatternOf(steps...))
	}
	return drawn
}

// The laws of Split, for every way of matching elements and every relation.
func TestSplit(t *testing.T) {
	parts := 0
	rapid.Check(t, func(t *rapid.T) {
		v := drawChain(t, 2)
		old, now := v[0], v[1]
		o := diff.Options{
			Relation: rapid.SampledFrom(kit.Relations()).Draw(t, "relation"),
			Arrays:   rapid.SampledFrom(modes()).Draw(t, "mode"),
		}
		patterns := drawPatternsInto(t, old, now)
		set := path.NewSet(patterns...)
		d := diff.Between(old, now, o)
		rest, matched := d.Split(set)
		fail := func(what string, err error, got value.Value) {
			t.Fatalf("%v, %v, %v: %s: %v\n%srest\n%smatched\n%sold  %s\nnew  %s\ngot  %s",
				o.Relation, o.Arrays, patterns, what, err, list(d), list(rest), list(matched), kit.Dump(old), kit.Dump(now), kit.Dump(got))
		}
		checkWhole(t, rest)
		checkWhole(t, matched)
		checkRebuilt(t, o, rest)
		checkRebuilt(t, o, matched)
		mid, err := rest.Apply(old)
		if err != nil {
			fail("apply rest", err, mid)
		}
		if got, err := matched.Apply(mid); err != nil || !o.Relation.Equal(got, now) {
			fail("apply matched", err, got)
		}
		checkSides(t, rest, old, mid)
		checkSides(t, matched, mid, now)
		both, err := rest.Then(matched)
		if err != nil {
			fail("compose", err, mid)
		}
		if got, err := both.Apply(old); err != nil || !o.Relation.Equal(got, now) {
			fail("apply both", err, got)
		}
		for c := range rest.Changes() {
			if set.Covers(c.Path()) || (set.Covers(c.OldPath()) && c.Op() != diff.OpAdd && c.Op() != diff.OpInsert) {
				fail("rest is covered: "+line(c), nil, mid)
			}
		}
		if o.Arrays == diff.Positional() {
			for _, side := range []value.Value{old, now, mid} {
				for at := range side.Walk() {
					if p := at.Path(); set.Covers(p) {
						x, was := old.At(p)
						y, is := mid.At(p)
						if was != is || (was && !(o.Relation|value.IgnoreSecrets).Equal(x, y)) {
							fail("changed "+p.String(), nil, mid)
						}
					}
				}
			}
		}
		if !rest.Empty() && !matched.Empty() {
			parts++
			checkCommute(t, old, d, rest, matched, set)
		}
	})
	if parts == 0 {
		t.Error("never in two parts")
	}
}

// checkCommute: the parts commute when no array changes its length and every
// pattern ends at or above a change.
func checkCommute(t *rapid.T, old value.Value, d, rest, matched diff.Diff, set *path.Set) {
	for c := range d.Changes() {
		covered := set.Covers(c.Path())
		if c.Op() != diff.OpUpdate || c.OrderChanged() || (!covered && c.Matches(set)) {
			return
		}
		if set.At(c.Path()).MayMatchBelow() && !covered {
			return
		}
		x, _ := c.Old()
		y, _ := c.New()
		if x.Kind() == value.KindArray && x.Kind() == y.Kind() && x.Len() != y.Len() && !c.SecretChanged() {
			return
		}
		if c.OldPath() != c.NewPath() {
			return
		}
	}
	first, err := matched.Apply(old)
	if err != nil {
		t.Fatalf("matched first: %v\n%s%s", err, list(rest), list(matched))
	}
	got, err := rest.Apply(first)
	want, _ := d.Apply(old)
	if err != nil || !d.Relation().Equal(got, want) {
		t.Fatalf("rest after matched: %v\n%s%s", err, list(rest), list(matched))
	}
}

type splitRow struct {
	old, now      value.Value
	how           diff.Match
	patterns      []string
	rest, matched string
}

func splitRows() []splitRow {
	return []splitRow{
		{
			obj("a", num(1), "b", num(1)), obj("a", num(2), "b", num(2)), diff.Positional(),
			[]string{"a"},
			"update b: 1 => 2 (v)\n", "update a: 1 => 2 (v)\n",
		},
		{
			obj(), obj("o", obj("x", num(1), "y", num(2))), diff.Positional(),
			[]string{"o.x"},
			"add o: none => {\"y\":2} (v)\n", "add o.x: none => 1 (v)\n",
		},
		{
			obj("o", obj("x", num(1), "y", num(2))), obj(), diff.Positional(),
			[]string{"o.x"},
			"delete o.y: 2 => none (v)\n", "delete o: {\"x\":1} => none (v)\n",
		},
		{
			obj("o", obj("x", num(1), "y", num(2))), obj("o", str("z")), diff.Positional(),
			[]string{"o.x"},
			"delete o.y: 2 => none (v)\n", "update o: {\"x\":1} => \"z\" (v)\n",
		},
		{
			obj("o", obj("x", num(1))), obj("o", str("z")), diff.Positional(),
			[]string{"o.y"},
			"update o: {\"x\":1} => \"z\" (v)\n", "",
		},
		{
			obj("o", obj("x", num(1))), obj("o", arr(num(2))), diff.Positional(),
			[]string{"o.y"},
			"update o: {\"x\":1} => [2] (v)\n", "",
		},
	}
}

// splitArrayRows are about arrays, and what is secret or unknown.
func splitArrayRows() []splitRow {
	return []splitRow{
		{
			arr(num(1)), arr(num(1), num(2), num(3)), diff.Positional(),
			[]string{"[2]"},
			"add [1]: none => 2 (v)\n", "add [2]: none => 3 (v)\n",
		},
		{
			arr(num(1)), arr(num(1), num(2), num(3)), diff.Positional(),
			[]string{"[1]"},
			"", "add [1]: none => 2 (v)\nadd [2]: none => 3 (v)\n",
		},
		{
			arr(num(1), num(2), num(3)), arr(num(1)), diff.Positional(),
			[]string{"[1]"},
			"delete [2]: 3 => none (v)\n", "delete [1]: 2 => none (v)\n",
		},
		{
			arr(num(1), num(2), num(3)), arr(num(1)), diff.Positional(),
			[]string{"[2]"},
			"", "delete [1]: 2 => none (v)\ndelete [2]: 3 => none (v)\n",
		},
		{
			arr(str("a"), str("b")), arr(str("x"), str("a"), str("b")), diff.Aligned(),
			[]string{"[*]"},
			"", "insert [0]: none => \"x\" (v)\n",
		},
		{
			arr(str("a"), str("b")), arr(str("x"), str("a"), str("b")), diff.Aligned(),
			[]string{"[1]"},
			"", "insert [0]: none => \"x\" (v)\n",
		},
		{
			arr(str("a"), str("b")), arr(str("x"), str("a"), str("b")), diff.Aligned(),
			[]string{"[**][1]"},
			"", "insert [0]: none => \"x\" (v)\n",
		},
		{
			arr(str("a"), obj("b", num(1), "c", num(1))), arr(obj("b", num(0), "d", num(0)), str("a"), obj("b", num(2), "c", num(2))), diff.Aligned(),
			[]string{"[*].b"},
			"insert [0]: none => {\"d\":0} (v)\nupdate [2].c: 1 => 2 (v)\n", "add [0].b: none => 0 (v)\nupdate [2].b: 1 => 2 (v)\n",
		},
		{
			arr(obj("b", num(1), "c", num(1)), str("a")), arr(str("a")), diff.Aligned(),
			[]string{"[*].b"},
			"delete [0].c: 1 => none (v)\n", "remove [0]: {\"b\":1} => none (v)\n",
		},
		{
			obj("o", sec(obj("x", num(1), "y", num(1)))), obj("o", obj("x", num(2), "y", num(2))), diff.Positional(),
			[]string{"o.x"},
			"update o.y: ^1 => ^2 (v)\n", "update o: !{\"x\":^1 \"y\":^2} => {\"x\":2 \"y\":2} (vs)\n",
		},
		{
			obj("o", value.Unknown()), obj("o", obj("x", num(2))), diff.Positional(),
			[]string{"o.x"},
			"", "update o: [unknown] => {\"x\":2} (v?)\n",
		},
	}
}

func TestSplitTable(t *testing.T) {
	for i, c := range append(splitRows(), splitArrayRows()...) {
		var patterns []path.Pattern
		for _, p := range c.patterns {
			patterns = append(patterns, path.MustParsePattern(p))
		}
		rest, matched := diff.Between(c.old, c.now, diff.Options{Arrays: c.how}).Split(path.NewSet(patterns...))
		if list(rest) != c.rest || list(matched) != c.matched {
			t.Errorf("row %d:\n%s--\n%swant\n%s--\n%s", i, list(rest), list(matched), c.rest, c.matched)
		}
	}
}

// In an array in which one pair of elements was matched by guess, others may be none
// as well, in either part.
func TestSplitKeepsGuesses(t *testing.T) {
	d, err := build(diff.Options{}, false, []recording{
		{call: enter, inside: difftree.Inside{Kind: value.KindArray, OldLen: 2, NewLen: 2}},
		{record: difftree.Record{Op: difftree.OpUpdate, Old: num(1), New: num(2), Verdict: value.Maybe}},
		{record: difftree.Record{OldAt: 1, NewAt: 1, Op: difftree.OpUpdate, Old: num(3), New: num(4)}},
		{call: leave},
	})
	if err != nil {
		t.Fatal(err)
	}
	first, second := "update [0]: 1 => 2 (v?)\n", "update [1]: 3 => 4 (v?)\n"
	for pattern, want := range map[string][2]string{"[0]": {second, first}, "[1]": {first, second}} {
		rest, matched := d.Split(patterns(pattern))
		if list(rest) != want[0] || list(matched) != want[1] {
			t.Errorf("%s:\n%s--\n%swant\n%s--\n%s", pattern, list(rest), list(matched), want[0], want[1])
		}
	}
}

// Law 6: what is secret on a side stays secret in between, its keys and lengths
// too, whichever kinds the sides are of.
func TestSplitNoPlaintext(t *testing.T) {
	const canary = "canary"
	inner := obj(canary, obj("inner", str(canary)), "z", num(1))
	for i, pair := range [][2]value.Value{
		{sec(inner), obj("x", num(1))},
		{inner, sec(obj("x", num(1)))},
		{sec(obj("o", inner)), obj("o", obj("x", num(1)))},
		{sec(arr(inner, str(canary))), arr(obj("inner", num(1)))},
		{obj("pw", str(canary), "x", num(1)), sec(str(canary))},
		{sec(str(canary)), obj("pw", str(canary), "x", num(1))},
		{sec(obj("pw", str(canary))), arr(str(canary), obj("inner", str(canary)))},
		{arr(str(canary), str("x")), sec(obj("pw", str(canary)))},
	} {
		old, now := obj("a", pair[0]), obj("a", pair[1])
		for _, pattern := range []string{"a[*]", "a." + canary, "a." + canary + ".inner", "a[*].inner", "a[0]", "a.o[*]", "a.x", "a.pw", "a[1].inner"} {
			for _, how := range modes() {
				rest, matched := diff.Between(old, now, diff.Options{Arrays: how}).Split(path.NewSet(path.MustParsePattern(pattern)))
				for _, d := range []diff.Diff{rest, matched} {
					kit.CheckCanary(t, canary, d, d.Invert(), slices.Collect(d.Changes()), provider.Differ{}.Respond(d))
					if t.Failed() {
						t.Fatalf("row %d, %s", i, pattern)
					}
				}
				mid, err := rest.Apply(old)
				if err != nil {
					t.Fatalf("row %d, %s: %v", i, pattern, err)
				}
				if got, err := matched.Apply(mid); err != nil || !got.Equal(now) {
					t.Errorf("row %d, %s: %v: %s", i, pattern, err, kit.Dump(got))
				}
			}
		}
	}
}

// Depth costs no stack, on the way of a long pattern.
func TestSplitDeep(t *testing.T) {
	const depth = value.MaxDepth
	steps := slices.Repeat([]path.Step{path.Key("a")}, depth)
	set := path.NewSet(path.PatternOf(steps...))
	chain := func(leaf value.Value, deps string) value.Value {
		leaf = obj("a", leaf, "z", leaf)
		for range depth - 1 {
			if leaf = obj("a", leaf); deps != "" {
				leaf = dep(leaf, deps)
			}
		}
		return leaf
	}
	for i, c := range []struct {
		old, now      value.Value
		rest, matched int
	}{
		{chain(num(1), ""), chain(num(2), ""), 1, 1},
		{chain(num(1), urnA), chain(num(2), urnB), depth, 1},
		{obj(), chain(num(1), ""), 1, 1},
		{chain(num(1), ""), obj(), 1, 1},
		{sec(chain(num(1), "")), chain(num(2), ""), 1, 1},
	} {
		rest, matched := diff.Between(c.old, c.now, diff.Options{}).Split(set)
		if rest.Len() != c.rest || matched.Len() != c.matched {
			t.Errorf("row %d: %d and %d changes", i, rest.Len(), matched.Len())
		}
	}
}
