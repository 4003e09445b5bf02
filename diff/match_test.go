package diff_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// modes are the ways in which elements are matched.
func modes() []diff.Match {
	return []diff.Match{diff.Positional(), diff.Aligned(), diff.Keyed(path.MustParse("name")), diff.Keyed(path.MustParse("a")), diff.Unordered(), diff.Auto()}
}

// Laws 1 and 2 and those of the inverse, for every way of matching elements.
func TestArrayModes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, now := draw.Lists(t)
		for _, rel := range kit.Relations() {
			for _, how := range modes() {
				checkMode(t, old, now, diff.Options{Relation: rel, Arrays: how})
			}
		}
	})
}

func checkMode(t *rapid.T, old, now value.Value, o diff.Options) {
	d := diff.Between(old, now, o)
	fail := func(what string, got value.Value) {
		t.Fatalf("%v, %v: %s\n%v\nold  %s\nnew  %s\ngot  %s", o.Relation, o.Arrays, what, d, kit.Dump(old), kit.Dump(now), kit.Dump(got))
	}
	if d.Empty() != o.Relation.Equal(old, now) || d.Empty() != (d.Len() == 0) {
		fail("empty", now)
	}
	forth, err := d.Apply(old)
	if err != nil || !o.Relation.Equal(forth, now) {
		fail("apply", forth)
	}
	checkTouched(t, d, forth, now)
	back, err := d.Invert().Apply(now)
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
		if inOld != was || inNew != is || (inOld && !x.Identical(before)) || (inNew && !y.Identical(after)) {
			fail("sides of "+c.String(), now)
		}
	}
	if n != d.Len() || verdict != d.Verdict() {
		t.Fatalf("%d changes, not %d; verdict %v, of the changes %v", n, d.Len(), d.Verdict(), verdict)
	}
}
