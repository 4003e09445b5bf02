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

// chain is a list of values, each made from the one before, and how they are compared.
type chain struct {
	values []value.Value
	o      diff.Options
}

// drawAlgebra draws a value and n more, each a few edits from the one before, or,
// for a merge, from the first.
func drawAlgebra(t *rapid.T, n int, fromFirst bool) chain {
	pair := drawPair(t, rapid.OneOf(fuzz.ListPairs(fuzz.Options{Nodes: 12}), fuzz.ListPairs(fuzz.Options{Nodes: 12}), fuzz.Pairs(fuzz.Options{Nodes: 12})))
	c := chain{
		values: []value.Value{pair.Old, pair.New},
		o:      diff.Options{Relation: Relations().Draw(t, "relation"), Arrays: Matches().Draw(t, "match")},
	}
	for len(c.values) <= n {
		next := c.values[len(c.values)-1]
		if fromFirst {
			next = c.values[0]
		}
		for range rapid.IntRange(0, 3).Draw(t, "more edits") {
			next = fuzz.Internal.EditOnce(t, next, fuzz.Options{Nodes: 12})
		}
		log(t, "next", next)
		c.values = append(c.values, next)
	}

	return c
}

func (c chain) between(i, j int) diff.Diff { return diff.Between(c.values[i], c.values[j], c.o) }

// reaches: applied to one value of the chain a diff gives another.
func (c chain) reaches(t *rapid.T, name string, from value.Value, d diff.Diff, to value.Value) {
	if got, err := d.Apply(from); err != nil || !c.o.Relation.Equal(got, to) {
		t.Fatalf("%v, %v: %s gives %s, %v", c.o.Relation, c.o.Arrays, name, fuzz.GoSource(got), err)
	}
}

// agrees: what d makes of any value, the given diffs make of it one after another. One of
// them may fit where the other does not: a composition holds no step that a later one undoes.
func (c chain) agrees(t *rapid.T, name string, v value.Value, d diff.Diff, steps ...diff.Diff) {
	got, err := d.Apply(v)
	want := v
	for _, step := range steps {
		if err == nil {
			want, err = step.Apply(want)
		}
	}
	if err == nil && !c.o.Relation.Equal(got, want) {
		t.Fatalf("%v, %v: of another value %s makes %s, and its parts %s", c.o.Relation, c.o.Arrays, name, fuzz.GoSource(got), fuzz.GoSource(want))
	}
}

// Law01Compose is the law that d.Then(e) does what d and then e do, however
// the elements of arrays are matched: it is associative in effect, the empty diff
// is its unit, a diff and its inverse together do nothing, and the inverse of a composition
// is the composition of the inverses. So it is on other values too, where all of them fit.
func Law01Compose(t *rapid.T) {
	c := drawAlgebra(t, 3, false)
	d1, d2, d3 := c.between(0, 1), c.between(1, 2), c.between(2, 3)
	compose := func(d, e diff.Diff) diff.Diff {
		both, err := d.Then(e)
		if err != nil {
			t.Fatalf("%v, %v: the second does not fit the first: %v", c.o.Relation, c.o.Arrays, err)
		}
		return both
	}
	c.reaches(t, "both", c.values[0], compose(d1, d2), c.values[2])
	c.reaches(t, "the first two and the third", c.values[0], compose(compose(d1, d2), d3), c.values[3])
	c.reaches(t, "the first and the last two", c.values[0], compose(d1, compose(d2, d3)), c.values[3])
	c.reaches(t, "there and back", c.values[0], compose(d1, d1.Invert()), c.values[0])
	inverse, inverses := compose(d1, d2).Invert(), compose(d2.Invert(), d1.Invert())
	c.reaches(t, "the inverse of both", c.values[2], inverse, c.values[0])
	c.reaches(t, "both inverses", c.values[2], inverses, c.values[0])

	other := c.values[0]
	for range rapid.IntRange(1, 3).Draw(t, "edits of another value") {
		other = fuzz.Internal.EditOnce(t, other, fuzz.Options{Nodes: 12})
	}
	log(t, "other", other)
	c.agrees(t, "both", other, compose(d1, d2), d1, d2)
	c.agrees(t, "the first two and the third", other, compose(compose(d1, d2), d3), d1, d2, d3)
	c.agrees(t, "the first and the last two", other, compose(d1, compose(d2, d3)), d1, d2, d3)

	if !compose(d1, diff.Diff{}).Equal(d1) || !compose(diff.Diff{}, d1).Equal(d1) {
		t.Fatalf("%v, %v: the empty diff is not the unit", c.o.Relation, c.o.Arrays)
	}
}

// Law01Split is the law that the parts of a diff do together what it does, and
// that the first changes nothing that a pattern names.
func Law01Split(t *rapid.T) {
	c := drawAlgebra(t, 1, false)
	old, now := c.values[0], c.values[1]
	set := fuzz.Internal.Sets(append(trees.Paths(old), trees.Paths(now)...)...).Draw(t, "patterns")
	rest, matched := c.between(0, 1).Split(set)
	middle, err := rest.Apply(old)
	if err != nil {
		t.Fatalf("%v, %v: the rest does not fit: %v", c.o.Relation, c.o.Arrays, err)
	}

	c.reaches(t, "what matched, after the rest,", middle, matched, now)
	both, err := rest.Then(matched)
	if err != nil {
		t.Fatalf("%v, %v: what matched does not fit the rest: %v", c.o.Relation, c.o.Arrays, err)
	}

	c.reaches(t, "both", old, both, now)
	for change := range rest.Changes() {
		if set.Covers(change.Path()) {
			t.Fatalf("%v, %v: the rest changes %v, which a pattern names", c.o.Relation, c.o.Arrays, change.Path())
		}
	}
}

// Law01Merge is the law that a merge takes what one side changed, and both where
// they agree, without a conflict; and that it makes no difference which side is
// which: with the sides swapped the result is Identical, and so are the conflicts.
func Law01Merge(t *rapid.T) {
	c := drawAlgebra(t, 2, true)
	base, left, right := c.values[0], c.values[1], c.values[2]

	for _, one := range []struct {
		name        string
		left, right value.Value
		want        value.Value
		equal       func(v, w value.Value) bool
	}{
		{"only left", left, base, left, value.Value.Identical},
		{"only right", base, right, right, value.Value.Identical},
		{"both the same", right, right, right, c.o.Relation.Equal},
		{"none", base, base, base, value.Value.Identical},
	} {
		m := diff.Merge(base, one.left, one.right, c.o)
		if len(m.Conflicts) > 0 || !one.equal(m.Value, one.want) {
			t.Fatalf("%v, %v: %s: %s, %v", c.o.Relation, c.o.Arrays, one.name, fuzz.GoSource(m.Value), m.Conflicts)
		}
	}

	m, swapped := diff.Merge(base, left, right, c.o), diff.Merge(base, right, left, c.o)
	if !m.Value.Identical(swapped.Value) || !slices.EqualFunc(m.Conflicts, swapped.Conflicts, mirrored) {
		t.Fatalf("%v, %v: with the sides swapped %s, %v, not %s, %v",
			c.o.Relation, c.o.Arrays, fuzz.GoSource(swapped.Value), swapped.Conflicts, fuzz.GoSource(m.Value), m.Conflicts)
	}
}

// mirrored reports whether two conflicts are one, with the sides swapped.
func mirrored(c, d diff.Conflict) bool {
	same := func(v, w func() (value.Value, bool)) bool {
		x, inX := v()
		y, inY := w()
		return inX == inY && x.Identical(y)
	}
	return c.Kind() == d.Kind() && c.Path() == d.Path() && same(c.Base, d.Base) && same(c.Left, d.Right) && same(c.Right, d.Left)
}

// Law01Rebase is the law that a diff on a value that has changed meanwhile does what a
// merge with the base does, and without the base the same, or it asks for it.
func Law01Rebase(t *rapid.T) {
	c := drawAlgebra(t, 2, true)
	base, v := c.values[0], c.values[2]
	d := c.between(0, 1)
	o := diff.Options{Relation: c.o.Relation, Arrays: c.o.Arrays}
	if rapid.Bool().Draw(t, "other options") {
		o = diff.Options{Relation: Relations().Draw(t, "relation of the merge"), Arrays: Matches().Draw(t, "match of the merge")}
		pattern := rapid.SampledFrom([]string{"a", "[*]", "[**].a", "a[*]"}).Draw(t, "pattern")
		o.ArrayRules = []diff.ArrayRule{{Pattern: path.MustParsePattern(pattern), Match: Matches().Draw(t, "match by pattern")}}
	}
	left, err := d.Apply(base)
	if err != nil {
		t.Fatal(err)
	}
	want := diff.Merge(base, left, v, o)
	got, err := d.Rebase(base, v, o)
	if err != nil || !got.Value.Identical(want.Value) || !slices.EqualFunc(got.Conflicts, want.Conflicts, sameConflict(value.Value.Identical)) {
		t.Fatalf("%v, %v: %s, %v, %v, should be %s, %v", o.Relation, o.Arrays, fuzz.GoSource(got.Value), got.Conflicts, err, fuzz.GoSource(want.Value), want.Conflicts)
	}

	got, err = d.RebaseWithoutBase(v, o)
	if err != nil {
		if !errors.Is(err, diff.ErrBase) || !got.Value.Identical(v) || len(got.Conflicts) > 0 {
			t.Fatalf("without the base %s, %v, %v", fuzz.GoSource(got.Value), got.Conflicts, err)
		}
		return
	}
	equal := (o.Relation &^ (value.IgnoreSecrets | value.IgnoreDependencies)).Equal
	if !equal(got.Value, want.Value) || !slices.EqualFunc(got.Conflicts, want.Conflicts, sameConflict(equal)) {
		t.Fatalf("%v, %v: without the base %s, %v, should be %s, %v", o.Relation, o.Arrays, fuzz.GoSource(got.Value), got.Conflicts, fuzz.GoSource(want.Value), want.Conflicts)
	}
}

// sameConflict returns whether two conflicts are one, with values that are equal.
func sameConflict(equal func(v, w value.Value) bool) func(c, d diff.Conflict) bool {
	same := func(v, w func() (value.Value, bool)) bool {
		x, inX := v()
		y, inY := w()
		return inX == inY && equal(x, y)
	}
	return func(c, d diff.Conflict) bool {
		return c.Kind() == d.Kind() && c.Path() == d.Path() && same(c.Base, d.Base) && same(c.Left, d.Left) && same(c.Right, d.Right)
	}
}
