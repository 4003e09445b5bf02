package diff_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/value"
)

// applyRow is a diff, what it is applied to, and what comes out: a value, or an
// error.
type applyRow struct {
	old, now, to value.Value
	rel          value.Relation
	want         string
}

func applyRows() []applyRow {
	null := value.Null()
	deps := func(v value.Value) value.Value { return dep(v, urnA) }
	return []applyRow{
		// What the diff does not touch may be whatever it is.
		{obj("a", num(1)), obj("a", num(2)), obj("a", num(1), "b", num(3)), 0, `{"a":2 "b":3}`},
		{arr(num(1), num(2)), arr(num(1), num(3)), arr(num(9), num(2), num(9)), 0, `[9 3 9]`},
		{
			obj("o", obj("x", num(1))), obj("o", obj("x", num(2))), obj("o", deps(sec(obj("x", sec(num(1)), "y", null)))), value.IgnoreSecrets,
			`{"o":!@1{"x":^2 "y":^null}}`,
		},
		{obj("b", num(1)), obj("a", num(0), "c", num(2)), obj("b", num(1), "d", num(3)), 0, `{"a":0 "c":2 "d":3}`},

		// Marks: of containers on the way kept, of what is placed as in new.
		{
			sec(obj("a", num(1), "b", sec(num(1)))), sec(obj("a", sec(num(2)), "b", num(2))), sec(obj("a", num(1), "b", num(1), "c", sec(num(1)), "d", arr())), 0,
			`!{"a":!2 "b":^2 "c":!1 "d":^[]}`,
		},
		{obj("a", num(1)), sec(obj("a", num(1))), obj("a", num(1)), 0, `!{"a":^1}`},
		{
			obj("o", obj("x", num(1))), obj("o", deps(obj("x", num(2)))), obj("o", sec(obj("x", num(1), "y", num(3)))), value.IgnoreSecrets,
			`{"o":!@1{"x":^2 "y":^3}}`,
		},
		{obj("o", deps(obj())), obj("o", obj()), obj("o", deps(sec(obj("y", num(3))))), 0, `{"o":!{"y":^3}}`},

		// A null that counts as missing fits nothing, and the other way around.
		{obj("k", null), obj("k", num(1)), obj(), value.Engine, `{"k":1}`},
		{obj(), obj("k", num(1)), obj("k", null), value.Engine, `{"k":1}`},
		{obj("k", num(1)), obj("k", null), obj("k", num(1)), value.Engine, `{"k":null}`},
		{sec(obj()), sec(obj("k", num(1))), sec(obj("k", null)), value.Engine, `!{"k":^1}`},
		{obj(), obj("k", num(1)), obj("k", null), 0, "diff: apply: k: does not fit: expected nothing, found null"},
		{obj(), obj("k", num(1)), obj("k", sec(null)), value.Engine, "diff: apply: k: does not fit"},

		// What does not fit.
		{num(1), num(2), num(3), 0, "diff: apply: does not fit: expected the old value, found another value"},
		{num(1), num(2), str("plain text"), 0, "diff: apply: does not fit: expected the old value, found string"},
		{obj("a", num(1)), obj("a", num(2)), obj(), 0, "diff: apply: a: does not fit: expected the old value, found nothing"},
		{obj("a", num(1)), obj("a", num(2)), obj("a", sec(num(1))), 0, "diff: apply: a: does not fit"},
		{obj("a", num(1)), obj("a", num(2)), arr(), 0, "diff: apply: does not fit: expected object, found array"},
		{obj("a", num(1)), obj("a", num(2)), value.Unknown(), 0, "diff: apply: does not fit: expected object, found unknown"},
		{obj("o", obj("a", num(1))), obj("o", obj("a", num(2))), obj(), 0, "diff: apply: o: does not fit: expected object, found nothing"},
		{arr(num(1)), arr(num(1), num(2)), arr(), 0, "diff: apply: does not fit: expected 1 element, found 0 elements"},
		{arr(num(1), num(2)), arr(num(1)), arr(num(1), num(2), num(3)), 0, "diff: apply: does not fit: expected 2 elements, found 3 elements"},
		{arr(num(1), num(2)), arr(num(1), num(3)), arr(num(1)), 0, "diff: apply: [1]: does not fit: expected the old value, found nothing"},
		{
			obj("a", num(1), "b", num(1), "c", num(1)), obj("a", num(2), "c", num(2)), obj("a", num(1), "b", num(2), "c", num(3)), 0,
			"diff: apply: b: does not fit: expected the old value, found another value",
		},
		{obj("o", obj()), obj("o", deps(obj())), obj("o", deps(obj())), 0, "diff: apply: o: does not fit: expected the old dependencies, found other dependencies"},
		// Of a secret, nothing is told: not the keys below it, nor kind and length.
		{sec(obj("hunter2", num(1))), sec(obj("hunter2", num(2))), sec(obj("hunter2", str("x"))), 0, "diff: apply: [secret]: does not fit"},
		{obj("s", sec(arr(num(1)))), obj("s", sec(arr())), obj("s", sec(arr(num(1), num(2)))), 0, "diff: apply: s: does not fit"},
		{obj("s", obj("x", num(1))), obj("s", obj("x", num(2))), obj("s", sec(obj("x", num(3)))), value.IgnoreSecrets, "diff: apply: s[secret]: does not fit"},
		{obj("s", obj("x", num(1))), obj("s", obj("x", num(2))), obj("s", sec(str("x"))), value.IgnoreSecrets, "diff: apply: s: does not fit"},
		{obj("s", sec(arr(num(1)))), obj("s", arr(num(2))), obj("s", str("x")), value.IgnoreSecrets, "diff: apply: s: does not fit"},
		{obj("s", obj("x", num(1))), obj("s", obj("x", num(2))), obj("s", sec(obj())), value.IgnoreSecrets, "diff: apply: s[secret]: does not fit"},
	}
}

func TestApply(t *testing.T) {
	for i, c := range applyRows() {

		d := diff.Between(c.old, c.now, diff.Options{Relation: c.rel})
		got, err := d.Apply(c.to)
		text := kit.Dump(got)
		if err != nil {
			text = err.Error()
			var typed *diff.Error
			if !errors.Is(err, diff.ErrFit) || !errors.As(err, &typed) || typed.Op != "apply" || !strings.Contains(text, typed.At.String()) {
				t.Errorf("row %d: error of another kind: %v", i, err)
			}
			if !value.Internal.SharesMemory(got, c.to) {
				t.Errorf("row %d: %s came back with the error", i, kit.Dump(got))
			}
		}
		if text != c.want {
			t.Errorf("row %d: %s => %s applied to %s:\n%s\nwant\n%s", i, kit.Dump(c.old), kit.Dump(c.now), kit.Dump(c.to), text, c.want)
		}
	}
}

// A value that was handed out of a secret comes back as handed out.
func TestApplyToHandedOut(t *testing.T) {
	d := diff.Between(sec(obj("a", num(1))), sec(obj("a", num(2))), diff.Options{})
	handed := value.Secret(arr(obj("a", num(1)))).Elem(0)
	got, err := d.Apply(handed)
	if err != nil || kit.Dump(got) != `^{"a":^2}` {
		t.Errorf("got %s, %v", kit.Dump(got), err)
	}
}

// What does not change is shared with the value that the diff was applied to.
func TestApplyShares(t *testing.T) {
	kept := obj("many", arr(num(1), num(2)))
	old, now := obj("a", num(1), "kept", kept), obj("a", num(2), "kept", kept)
	got, err := diff.Between(old, now, diff.Options{}).Apply(old)
	if err != nil || !value.Internal.SharesMemory(got.Field("kept"), kept) {
		t.Errorf("copied: %v", err)
	}
}
