package laws

import (
	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"

	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// Law01Arrays is the law that however the elements of arrays are matched, the
// diff is empty exactly when the values are equal, applying it gives the new value
// and applying its inverse the old one, there and back again is Identical, what
// its changes say is what the values have at their places, and the diff is written as a
// patch and read back.
func Law01Arrays(t *rapid.T) {
	var kinds fuzz.Options
	isWritten := rapid.Bool().Draw(t, "written")
	if isWritten {
		kinds.NoSealed = true // patches do not say by what they were
	}
	pair := drawPair(t, rapid.OneOf(fuzz.ListPairs(kinds), fuzz.ListPairs(kinds), fuzz.Pairs(kinds)))
	o := diff.Options{Relation: Relations().Draw(t, "relation"), Arrays: Matches().Draw(t, "match")}
	d := diff.Between(pair.Old, pair.New, o)
	if equal := o.Relation.Equal(pair.Old, pair.New); d.Empty() != equal || (d.Len() == 0) != equal {
		t.Fatalf("%v, %v: Equal is %v, Empty %v, Len %d", o.Relation, o.Arrays, equal, d.Empty(), d.Len())
	}

	checkThereAndBack(t, d, pair)
	if isWritten {
		checkPatch(t, d, pair.Old)
	}
	for c := range d.Changes() {
		checkSide(t, c, c.Old, diff.OpInsert, pair.Old)
		checkSide(t, c, c.New, diff.OpRemove, pair.New)
	}
}

// checkSide: what a change has on one side is what stands there, and nothing when
// its operation has none there.
func checkSide(t *rapid.T, c diff.Change, side func() (value.Value, bool), without diff.Op, v value.Value) {
	p := c.OldPath()
	if without == diff.OpRemove {
		p = c.NewPath()
	}

	got, ok := side()
	want, there := v.At(p)
	if there = there && c.Op() != without; ok != there || (ok && !got.Identical(want)) {
		t.Fatalf("%v at %v has %s, %v; there is %s, %v", c.Op(), p, fuzz.GoSource(got), ok, fuzz.GoSource(want), there)
	}
}

// checkPatch: a diff that is written as a patch and read back is Equal, and makes of the
// old value what it makes itself.
func checkPatch(t *rapid.T, d diff.Diff, old value.Value) {
	text, err := patch.Marshal(d, patch.Options{Secrets: value.RevealSecrets})
	if err != nil {
		return // texts that are not UTF-8, and numbers that JSON does not have
	}

	p, err := patch.Unmarshal(text, patch.Options{})
	if err != nil {
		t.Fatalf("read back: %v\n%s", err, text)
	}
	got, err := p.Apply(old)
	want, _ := d.Apply(old)
	if err != nil || !p.Diff().Equal(d) || !got.Identical(want) || got.OwnSecret() != want.OwnSecret() {
		t.Fatalf("read back, it gives %s, %v, and before it was written %s\n%s", fuzz.GoSource(got), err, fuzz.GoSource(want), text)
	}
}
