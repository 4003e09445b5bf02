package laws

import (
	"slices"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/fuzz"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// Law03AlignedArrays is the law that in aligned arrays one added element is one
// insertion and no other element is in the diff, one that was removed is one
// removal, one that was moved is one move; in keyed arrays the element with a key is
// compared with the one of that key, wherever it is; and in sets, as in keyed
// arrays, another order alone is one fact of the array and no change to an engine.
func Law03AlignedArrays(t *rapid.T) {
	elems := rapid.SliceOfN(fuzz.Internal.Elements(fuzz.Options{NoUnknowns: true, NoSealed: true}), 0, 9).Draw(t, "elements")
	one := fuzz.Internal.Elements(fuzz.Options{NoUnknowns: true, NoSealed: true}).Draw(t, "one more")
	i := rapid.IntRange(0, len(elems)).Draw(t, "at")
	longer := slices.Insert(slices.Clone(elems), i, one)
	j := rapid.IntRange(0, len(elems)).Draw(t, "to")
	moved := slices.Insert(slices.Delete(slices.Clone(longer), i, i+1), j, one)
	list, more, other := value.Array(elems...), value.Array(longer...), value.Array(moved...)
	log(t, "list", list)
	log(t, "more", more)
	log(t, "moved", other)

	aligned := diff.Options{Arrays: diff.Aligned()}
	checkOne(t, diff.Between(list, more, aligned), diff.OpInsert)
	checkOne(t, diff.Between(more, list, aligned), diff.OpRemove)
	if !more.Equal(other) {
		checkOne(t, diff.Between(more, other, aligned), diff.OpMove)
	}

	shuffled := value.Array(rapid.Permutation(longer).Draw(t, "permutation")...)
	checkReordered(t, more, shuffled, diff.Unordered())
	checkKeyed(t, elems)
}

func checkOne(t *rapid.T, d diff.Diff, op diff.Op) {
	for c := range d.Changes() {
		if d.Len() == 1 && c.Op() == op {
			return
		}
	}
	t.Fatalf("not one %v, but %d changes:\n%v", op, d.Len(), d)
}

// checkReordered: two arrays of the same elements.
func checkReordered(t *rapid.T, old, now value.Value, how diff.Match) {
	d := diff.Between(old, now, diff.Options{Arrays: how})
	if old.Equal(now) {
		return
	}
	if changes := slices.Collect(d.Changes()); len(changes) != 1 || !changes[0].OrderChanged() || changes[0].ValueChanged() || !changes[0].Path().IsRoot() {
		t.Fatalf("%v: another order is reported as %v", how, d)
	}

	bag := func(v value.Value) value.Value { return value.Object(value.Member{Key: "list", Value: v}) }
	d = diff.Between(bag(old), bag(now), diff.Options{Arrays: how})
	if r := (provider.Differ{}).Respond(d); r.Changes != rpc.DiffNone || len(r.Diffs)+len(r.Detailed) != 0 || d.String() == "" {
		t.Fatalf("%v: to an engine another order is %v; the text is %q", how, r, d)
	}
}

func checkKeyed(t *rapid.T, elems []value.Value) {
	old := make([]value.Value, len(elems))
	for i, e := range elems {
		old[i] = value.Object(value.Member{Key: "id", Value: value.Number(float64(i))}, value.Member{Key: "e", Value: e})
	}
	now := rapid.Permutation(old).Draw(t, "keyed permutation")
	how := diff.Keyed(path.MustParse("id"))
	checkReordered(t, value.Array(old...), value.Array(now...), how)
	if len(now) == 0 {
		return
	}

	at := rapid.IntRange(0, len(now)-1).Draw(t, "changed")
	now = slices.Clone(now)
	now[at], _ = now[at].With(path.MustParse("more"), value.Bool(true))
	d := diff.Between(value.Array(old...), value.Array(now...), diff.Options{Arrays: how})
	for c := range d.Changes() {
		if c.OrderChanged() {
			continue
		}
		index, _, _ := c.NewPath().Cut()
		from, _, _ := c.OldPath().Cut()
		place, _ := from.AsIndex()
		if c.Op() != diff.OpAdd || index != path.Index(at) || !old[place].Field("id").Equal(now[at].Field("id")) {
			t.Fatalf("%v: an added member at %d is reported as %v at %v, %v", how, at, c.Op(), c.OldPath(), c.NewPath())
		}
		return
	}

	t.Fatalf("%v: an added member at %d is not reported: %v", how, at, d)
}
