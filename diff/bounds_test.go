package diff_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// As deep as values can be, they are compared, diffs applied and inverted.
func TestDepth(t *testing.T) {
	const levels = value.MaxDepth
	kit.Within(t, "comparing, applying and inverting", 30*time.Second, func() {
		old, now := kit.Nested(levels, num(1)), kit.Nested(levels, num(2))
		if d := diff.Between(old, kit.Nested(levels, num(1)), diff.Options{}); !d.Empty() {
			t.Fatal("equal values differ")
		}
		d := diff.Between(old, now, diff.Options{Relation: value.Engine})
		if d.Len() != 1 || d.Verdict() != value.Changed {
			t.Fatalf("%d changes", d.Len())
		}
		for c := range d.Changes() {
			if n := c.Path().Len(); n != levels {
				t.Fatalf("%d levels", n)
			}
		}
		forth, err := d.Apply(old)
		if err != nil || !forth.Equal(now) {
			t.Fatal(err)
		}
		if _, err := d.Apply(now); err == nil {
			t.Fatal("applied to a value that it does not fit")
		}
		if !d.Invert().Invert().Equal(d) {
			t.Fatal("inverting twice makes a difference")
		}
	})
}

// Nor do matching, responses, and telling subtrees leaf by leaf.
func TestDepthOfTheRest(t *testing.T) {
	const levels = value.MaxDepth - 2 // even: an object is outermost
	old, now := kit.Nested(levels, num(1)), kit.Nested(levels, num(2))
	d := diff.Between(old, now, diff.Options{Relation: value.Engine})
	for c := range d.Changes() {
		deep := path.NewSet(c.Path().Pattern())
		if !c.Matches(deep) || len(c.Which(deep)) != 1 {
			t.Fatal("a pattern of a deep path does not match")
		}
		if r := (provider.Differ{ReplaceOn: deep}).Respond(d); len(r.Replaces) != 1 || len(r.Detailed) != 1 {
			t.Fatalf("%d entries", len(r.Detailed))
		}
		if !d.Changed(c.Path()) {
			t.Fatal("not changed where it changed")
		}
		whole := diff.Between(num(1), now, diff.Options{})
		for above := range whole.Changes() {
			if !above.Matches(deep) || len(above.Which(deep)) != 1 || !whole.Changed(c.Path()) {
				t.Fatal("a subtree does not hold its leaf")
			}
		}
	}
	for c := range diff.Between(arr(), arr(now), diff.Options{}).Leaves() {
		if n := c.Path().Len(); n != levels+1 {
			t.Fatalf("a leaf %d levels down", n)
		}
	}
	secret := diff.Between(sec(old), sec(now), diff.Options{})
	for c := range secret.Changes() {
		if c.Shown().Path().Len() != 0 || !c.Shown().Redacted() {
			t.Fatal("the path below a secret is shown")
		}
	}
	if r := (provider.Differ{ReplaceOn: patterns("k[0].k")}).Respond(secret); r.HasDetailed {
		t.Fatal("details of a secret")
	}
}

// A change at every level: everything but the paths themselves is linear.
func TestChangesAtEveryLevel(t *testing.T) {
	chain := func(n float64) value.Value {
		v := obj()
		for range value.MaxDepth - 2 {
			v = obj("a", num(n), "next", v)
		}
		return v
	}
	kit.Within(t, "the work", 30*time.Second, func() {
		old, now := chain(1), chain(2)
		d := diff.Between(obj("s", sec(old)), obj("s", sec(now)), diff.Options{})
		if d.Len() != value.MaxDepth-2 {
			t.Fatalf("%d changes", d.Len())
		}
		if got := (provider.Differ{ReplaceOn: patterns("s.next.next.next.b", "s.next.next[*]")}).Respond(d); len(got.Detailed) != 1 || got.Detailed[0].Kind != rpc.PropertyDiffUpdateReplace {
			t.Errorf("got %v", got)
		}
		got, err := d.Apply(obj("s", sec(old)))
		if err != nil || !got.Field("s").Equal(sec(now)) {
			t.Error(err)
		}
	})
}

// wide is an object of n members, each an object, one in every step of them with
// a content of its own.
func wide(n, step int, content float64) value.Value {
	members := make([]value.Member, n)
	for i := range members {
		x := value.Number(0)
		if i%step == 0 {
			x = value.Number(content)
		}
		members[i] = value.Member{Key: "key" + strconv.Itoa(i), Value: obj("name", str("member"), "x", x)}
	}
	return value.Object(members...)
}

func TestWidth(t *testing.T) {
	const n = 200_000
	kit.Within(t, "the work", 30*time.Second, func() {
		old, now := wide(n, 1, 1), wide(n, 1, 2)
		d := diff.Between(old, now, diff.Options{})
		if d.Len() != n {
			t.Fatalf("%d changes", d.Len())
		}
		got, err := d.Apply(old)
		if err != nil || !got.Equal(now) {
			t.Fatal(err)
		}
		if r := (provider.Differ{ReplaceOn: patterns("[*].x")}).Respond(d); len(r.Detailed) != n || len(r.Replaces) != n {
			t.Fatalf("%d entries", len(r.Detailed))
		}
		some := diff.Between(old, wide(n, n, 1), diff.Options{})
		if some.Len() != n-1 {
			t.Fatalf("%d changes", some.Len())
		}
	})
}
