package diff_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/testkit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// modes are the ways in which elements are matched.
func modes() []diff.Match {
	return []diff.Match{diff.Positional(), diff.Aligned(), diff.Keyed(path.MustParse("name")), diff.Keyed(path.MustParse("a")), diff.Set()}
}

// drawItem draws an element as lists have them: a word, or an object with a name.
func drawItem(t *rapid.T) *testkit.Tree {
	word := func() *testkit.Tree {
		return &testkit.Tree{Leaf: str(rapid.SampledFrom([]string{"p", "q", "r", "s", "t"}).Draw(t, "word"))}
	}
	switch rapid.IntRange(0, 5).Draw(t, "item") {
	case 0:
		return testkit.DrawTree(t, 1)
	case 1, 2:
		x := &testkit.Tree{Kind: value.KindObject, Keys: []string{"name", "size"}, Kids: []*testkit.Tree{word(), testkit.DrawTree(t, 1)}}
		if rapid.IntRange(0, 5).Draw(t, "list") == 0 {
			x.Keys, x.Kids = append(x.Keys, "list"), append(x.Kids, drawList(t, 3))
		}
		return x
	}
	return word()
}

func drawList(t *rapid.T, most int) *testkit.Tree {
	x := &testkit.Tree{Kind: value.KindArray, Secret: rapid.IntRange(0, 9).Draw(t, "secret list") == 0}
	for range rapid.IntRange(0, most).Draw(t, "items") {
		x.Kids = append(x.Kids, drawItem(t))
	}
	return x
}

// rearranged is a copy of a list with elements inserted, removed, moved, edited.
func rearranged(t *rapid.T, x *testkit.Tree) *testkit.Tree {
	y := x.Clone()
	for range rapid.IntRange(0, 4).Draw(t, "rearrangements") {
		n := len(y.Kids)
		i := rapid.IntRange(0, n).Draw(t, "from")
		switch op := rapid.IntRange(0, 4).Draw(t, "rearrangement"); {
		case op == 0 || n == 0:
			y.Kids = slices.Insert(y.Kids, i, drawItem(t))
		case i == n:
		case op == 1:
			y.Kids = slices.Delete(y.Kids, i, i+1)
		case op == 2:
			k := y.Kids[i]
			y.Kids = slices.Insert(slices.Delete(y.Kids, i, i+1), rapid.IntRange(0, n-1).Draw(t, "to"), k)
		case op == 3:
			y.Kids[i] = testkit.Edit(t, y.Kids[i])
		default:
			slices.Reverse(y.Kids[i:])
		}
	}
	return y
}

// drawLists draws two values with lists in them.
func drawLists(t *rapid.T) (old, now value.Value) {
	if rapid.IntRange(0, 4).Draw(t, "anything") == 0 {
		return testkit.DrawPair(t)
	}
	x := drawList(t, 9)
	y := rearranged(t, x)
	if rapid.Bool().Draw(t, "inside") {
		return obj("list", x.Value(), "z", num(1)), obj("list", y.Value(), "z", num(1))
	}
	return testkit.DrawHandedOut(t, x), testkit.DrawHandedOut(t, y)
}

// Laws 1 and 2 and those of the inverse, for every way of matching elements.
func TestArrayModes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, now := drawLists(t)
		for _, rel := range testkit.Relations() {
			for _, how := range modes() {
				checkMode(t, old, now, diff.Options{Relation: rel, Arrays: how})
			}
		}
	})
}

func checkMode(t *rapid.T, old, now value.Value, o diff.Options) {
	d := diff.Between(old, now, o)
	fail := func(what string, got value.Value) {
		t.Fatalf("%v, %v: %s\n%v\nold  %s\nnew  %s\ngot  %s", o.Relation, o.Arrays, what, d, testkit.Dump(old), testkit.Dump(now), testkit.Dump(got))
	}
	if d.Empty() != o.Relation.Equal(old, now) || d.Empty() != (d.Len() == 0) {
		fail("empty", now)
	}
	forth, err := diff.Apply(old, d)
	if err != nil || !o.Relation.Equal(forth, now) {
		fail("apply", forth)
	}
	checkTouched(t, d, forth, now)
	back, err := diff.Apply(now, d.Invert())
	if err != nil || !o.Relation.Equal(back, old) {
		fail("apply the inverse", back)
	}
	checkTouched(t, d.Invert(), back, old)
	if !d.Invert().Invert().Equal(d) {
		fail("inverting twice", now)
	}
	checkListed(t, d, old, now, fail)
}

// checkListed: the changes are what the values have at their places, once each,
// and the verdict of the diff is that of the gravest.
func checkListed(t *rapid.T, d diff.Diff, old, now value.Value, fail func(string, value.Value)) {
	n, verdict := 0, value.Same
	for c := range d.Changes() {
		n++
		verdict = max(verdict, c.Verdict())
		x, inOld := c.Old()
		y, inNew := c.New()
		before, was := old.At(c.OldPath())
		after, is := now.At(c.NewPath())
		switch {
		case c.Op() == diff.OpInsert:
			was = false
		case c.Op() == diff.OpRemove:
			is = false
		}
		if inOld != was || inNew != is || inOld && !x.Identical(before) || inNew && !y.Identical(after) {
			fail("sides of "+c.String(), now)
		}
	}
	if n != d.Len() || verdict != d.Verdict() {
		t.Fatalf("%d changes, not %d; verdict %v, of the changes %v", n, d.Len(), d.Verdict(), verdict)
	}
}
