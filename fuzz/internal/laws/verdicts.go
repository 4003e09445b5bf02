package laws

import (
	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/trees"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Law19Changes is the law that the verdict of every change, and that of the whole diff, is what
// filling in the unknowns bears out: a change that is *changed* is one under every
// filling that keeps marks, one that is *maybe* is none under one and one under
// another. The diff's verdict is that of Compatible; it is certain exactly when
// neither side holds an unknown and no change is *maybe*. Where unknowns count as
// changed no change is *maybe*, and the places are the same.
func Law19Changes(t *rapid.T) {
	pair := drawPair(t, fuzz.Pairs(fuzz.Options{Nodes: 12}))
	r := Relations().Draw(t, "relation")
	d := diff.Between(pair.Old, pair.New, diff.Options{Relation: r})
	if want := r.Compatible(pair.Old, pair.New); d.Verdict() != want {
		t.Fatalf("%v: the verdict of the diff is %v, of the values %v", r, d.Verdict(), want)
	}

	gravest, maybes := value.Same, 0
	for c := range d.Changes() {
		gravest = max(gravest, c.Verdict())
		if c.Verdict() == value.Maybe {
			maybes++
		}
		checkVerdict(t, r, c, secretAbove(pair.Old, c.OldPath()) && secretAbove(pair.New, c.NewPath()))
	}
	certain := maybes == 0 && !pair.Old.ContainsUnknown() && !pair.New.ContainsUnknown()
	if gravest != d.Verdict() || certain != d.Certain() {
		t.Fatalf("%v: the gravest change is %v, of the diff %v; certain is %v, should be %v", r, gravest, d.Verdict(), d.Certain(), certain)
	}
	sure := diff.Between(pair.Old, pair.New, diff.Options{Relation: r, MaybeIsChanged: true})
	if sure.Len() != d.Len() || sure.Certain() != d.Certain() {
		t.Fatalf("%v: %d changes, certain %v; %d when unknowns count as changed, certain %v", r, d.Len(), d.Certain(), sure.Len(), sure.Certain())
	}

	for c := range sure.Changes() {
		if c.Verdict() != value.Changed {
			t.Fatalf("%v: %v is %v, when unknowns count as changed", r, c.Path(), c.Verdict())
		}
	}
}

// checkVerdict fills in the two sides of one change, as members of two objects,
// where one may be missing.
func checkVerdict(t *rapid.T, r value.Relation, c diff.Change, below bool) {
	if marksOnly(c) {
		if c.Verdict() != value.Changed {
			t.Fatalf("%v: a change of dependencies is %v", r, c.Verdict())
		}
		return
	}

	old, now := holder(c.Old, below), holder(c.New, below)
	if step, ok := c.Path().Last(); ok && !step.IsKey() && old.Len() != now.Len() {
		// Elements that are added or removed are always a change: nothing fills a place
		// that is not there.
		if c.Verdict() != value.Changed {
			t.Fatalf("%v: the element %v was added or removed, and is %v", r, c.Path(), c.Verdict())
		}
		return
	}

	filled := filler{t: t}
	a, b := alike(r, old, now)
	switch c.Verdict() {
	case value.Same:
		t.Fatalf("%v: a change that is none, at %v", r, c.Path())
	case value.Changed:
		if x, y := filled.fill(old, path.Of()), filled.fill(now, path.Of()); r.Equal(a, b) || r.Equal(x, y) {
			t.Fatalf("%v: %v is changed, and no change once filled:\n%s\n%s", r, c.Path(), fuzz.GoSource(a), fuzz.GoSource(b))
		}
	case value.Maybe:
		checkWitnesses(t, r, old, now)
	}
}

// holder is an object with the side of a change as its member, if there is one.
// Below a secret it is secret, so that marks in it are redundant.
func holder(side func() (value.Value, bool), below bool) value.Value {
	var members []value.Member
	if v, ok := side(); ok {
		members = append(members, value.Member{Key: "side", Value: v})
	}
	if !below {
		return value.Object(members...)
	}

	for i, m := range members {
		members[i].Value = trees.Own(m.Value)
	}
	return value.Secret(value.Object(members...))
}
