package laws

import (
	"slices"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// Law03Scripts is the law that a comparison reports the edits that were made and no more: of
// two values with a script between them, the diff by index has one change for
// each step, at its place, of its kind, with what it put there; a diff under any
// Relation, or with arrays matched otherwise, makes the one of the other; and
// under a laxer Relation there are no more changes than steps.
func Law03Scripts(t *rapid.T) {
	s := rapid.OneOf(fuzz.Internal.Scripts(fuzz.Options{}), fuzz.Internal.Scripts(fuzz.Options{Style: fuzz.RealLike})).Draw(t, "script")
	log(t, "old", s.Old)
	log(t, "new", s.New)
	for _, step := range s.Steps {
		t.Logf("// %v", step)
	}
	d := diff.Between(s.Old, s.New, diff.Options{})
	steps := slices.Clone(s.Steps)
	for c := range d.Changes() {
		if len(steps) == 0 || c.Path() != steps[0].At || c.Op() != steps[0].Op {
			t.Fatalf("reported and not made, or otherwise: %v; not reported yet: %v", c, steps)
		}
		if v, ok := c.New(); ok != (c.Op() != diff.OpDelete) || !trees.Bare(v).Identical(trees.Bare(steps[0].New)) {
			t.Fatalf("what is there now, says %v, is %s", c, fuzz.GoSource(v))
		}
		steps = steps[1:]
	}
	if len(steps) > 0 {
		t.Fatalf("made and not reported: %v", steps)
	}

	relation := Relations().Draw(t, "relation")
	for _, o := range []diff.Options{{}, {Relation: relation}, {Relation: relation, Arrays: Matches().Draw(t, "arrays")}} {
		d := diff.Between(s.Old, s.New, o)
		if got, err := d.Apply(s.Old); err != nil || !o.Relation.Equal(got, s.New) {
			t.Fatalf("under %v the diff makes %s, %v", o.Relation, fuzz.GoSource(got), err)
		}
		if o.Arrays == diff.Positional() && d.Len() > len(s.Steps) {
			t.Fatalf("under %v there are %d changes: %v", o.Relation, d.Len(), d)
		}
	}

	if (len(s.Steps) == 0 && !s.Old.Identical(s.New)) || (len(s.Steps) > 0 && value.Strict.Equal(s.Old, s.New)) {
		t.Fatalf("the script does not do what it says")
	}
}
