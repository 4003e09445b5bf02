package diff_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const urnA, urnB = "urn:pulumi:s::p::t::a", "urn:pulumi:s::p::t::b"

// changeRow is two values, and what changed between them, separated by "|".
type changeRow struct {
	old, now value.Value
	rel      value.Relation
	want     string
}

func contentRows() []changeRow {
	null := value.Null()
	return []changeRow{
		{num(1), num(1), 0, ""},
		{num(1), num(2), 0, "update : 1 => 2 (v)"},
		{null, num(2), value.Engine, "update : null => 2 (v)"},
		{arr(), obj(), 0, "update : [] => {} (v)"},
		{str("1"), num(1), 0, `update : "1" => 1 (v)`},

		// Objects: in key order; a subtree is one change.
		{
			obj("b", num(1), "c", num(1)), obj("a", obj("x", num(1)), "c", num(2)), 0,
			`add a: none => {"x":1} (v)|delete b: 1 => none (v)|update c: 1 => 2 (v)`,
		},
		{obj("a", obj("x", num(1), "y", num(1))), obj("a", obj("x", num(1), "y", num(2))), 0, "update a.y: 1 => 2 (v)"},
		{obj("a", obj()), obj("a", obj("x", obj())), 0, "add a.x: none => {} (v)"},

		// Arrays: by index, tails added or deleted one by one.
		{
			arr(num(1), num(2), num(3)), arr(num(2), num(3)), 0,
			"update [0]: 1 => 2 (v)|update [1]: 2 => 3 (v)|delete [2]: 3 => none (v)",
		},
		{arr(), arr(num(1), null), value.Engine, "add [0]: none => 1 (v)|add [1]: none => null (v)"},
		{arr(null), arr(num(1)), value.Engine, "update [0]: null => 1 (v)"},
		{arr(obj("a", num(1))), arr(obj("a", num(2))), 0, "update [0].a: 1 => 2 (v)"},

		// A null that counts as missing is kept as the other side.
		{obj("k", null), obj(), value.Engine, ""},
		{obj("k", null), obj(), 0, "delete k: null => none (v)"},
		{obj("k", null), obj("k", num(1)), value.Engine, "add k: null => 1 (v)"},
		{obj("k", null), obj("k", num(1)), 0, "update k: null => 1 (v)"},
		{obj("k", num(1)), obj("k", null), value.Engine, "delete k: 1 => null (v)"},
		{obj("k", sec(null)), obj("k", num(1)), value.Engine, "update k: !null => 1 (vs)"},
		{obj("k", sec(null)), obj(), value.Engine, "delete k: !null => none (v)"},
		{obj("k", sec(null)), obj(), value.Engine | value.IgnoreSecrets, ""},
		{obj("k", dep(null, urnA)), obj(), value.Engine, "delete k: @1null => none (v)"},
		{obj("k", dep(null, urnA)), obj(), value.Engine | value.IgnoreDependencies, ""},
		{sec(obj("k", null)), sec(obj()), value.Engine, ""},
		{sec(obj("k", sec(null))), sec(obj()), value.Engine, ""},
		{sec(obj("k", null)), sec(obj("k", num(1))), value.Engine, "add k: ^null => ^1 (v)"},
	}
}

func markRows() []changeRow {
	return []changeRow{
		// Marks: three facts, each told apart.
		{num(1), sec(num(1)), 0, "update : 1 => !1 (s)"},
		{sec(num(1)), num(2), 0, "update : !1 => 2 (vs)"},
		{num(1), sec(num(1)), value.IgnoreSecrets, ""},
		{num(1), dep(num(1), urnA), 0, "update : 1 => @11 (d)"},
		{dep(num(1), urnA), dep(num(2), urnB), 0, "update : @11 => @12 (vd)"},
		{dep(num(1), urnA), dep(num(1), urnA, urnB), 0, "update : @11 => @21 (d)"},
		{dep(num(1), urnA), num(1), value.IgnoreDependencies, ""},
		// A container whose secretness changes is one change as a whole.
		{obj("o", obj("x", num(1))), obj("o", sec(obj("x", num(1)))), 0, `update o: {"x":1} => !{"x":^1} (s)`},
		{obj("o", sec(obj("x", num(1)))), obj("o", obj("x", num(2))), 0, `update o: !{"x":^1} => {"x":2} (vs)`},
		{obj("x", num(1)), sec(dep(obj("x", sec(num(1))), urnA)), 0, `update : {"x":1} => !@1{"x":!1} (sd)`},
		{arr(num(1)), sec(arr(num(2))), value.IgnoreSecrets, "update [0]: 1 => ^2 (v)"},
		// One whose dependencies differ has the changes inside behind its own.
		{
			obj("o", obj("x", num(1))), obj("o", dep(obj("x", num(2)), urnA)), 0,
			`update o: {"x":1} => @1{"x":2} (d)|update o.x: 1 => 2 (v)`,
		},
		{dep(arr(num(1)), urnB), dep(arr(num(1)), urnA), 0, `update : @1[1] => @1[1] (d)`},
		// Inside containers that are secret on both sides the walk goes on; marks
		// below a secret are redundant.
		{sec(obj("x", num(1), "y", sec(num(2)))), sec(obj("x", num(3), "y", num(2))), 0, "update x: ^1 => ^3 (v)"},
	}
}

// verdictRows are of all three verdicts.
func verdictRows() []changeRow {
	null, unknown := value.Null(), value.Unknown()
	hashed, bare := value.FileAsset("f").WithHash("00"), value.FileAsset("f")
	ref := func(id value.ID) value.Value { return value.ResourceReference{URN: urnA, ID: id}.Value() }
	sealed := func(c string) value.Value { return value.Sealed{Ciphertext: c}.Value() }
	return []changeRow{
		{unknown, value.UnknownOf(value.KindBool), 0, ""},
		{unknown, num(1), 0, "update : [unknown] => 1 (v?)"},
		{arr(), unknown, 0, "update : [] => [unknown] (v?)"},
		{sec(unknown), num(1), 0, "update : ![unknown] => 1 (vs)"},
		{obj("k", unknown), obj(), 0, "delete k: [unknown] => none (v)"},
		{obj("k", unknown), obj(), value.Engine, "delete k: [unknown] => none (v?)"},
		{obj("k", null), obj("k", unknown), value.Engine, "add k: null => [unknown] (v?)"},
		{sec(obj("k", unknown)), sec(obj()), value.Engine, "delete k: ^[unknown] => none (v?)"},
		{arr(unknown), arr(), value.Engine, "delete [0]: [unknown] => none (v)"},
		{hashed, bare, 0, `update : asset(file:00) => asset(file) (v?)`},
		{
			ref(value.UnknownID()), ref(value.KnownID("i")), 0,
			`update : reference("` + urnA + `", id: [unknown]) => reference("` + urnA + `", id: "i") (v?)`,
		},
		{sealed("c"), sealed("d"), 0, "update : !sealed(c) => !sealed(d) (v?)"},
		{sealed("c"), sec(str("d")), 0, `update : !sealed(c) => !"d" (v?)`},
		{sealed("c"), str("d"), 0, `update : !sealed(c) => "d" (vs)`},
	}
}

func TestChanges(t *testing.T) {
	for i, c := range slices.Concat(contentRows(), markRows(), verdictRows()) {
		d := diff.Between(c.old, c.now, diff.Options{Relation: c.rel})
		want := strings.ReplaceAll(c.want, "|", "\n")
		if got := strings.TrimSuffix(list(d), "\n"); got != want {
			t.Errorf("row %d: %s => %s under %v:\n%s\nwant\n%s", i, kit.Dump(c.old), kit.Dump(c.now), c.rel, got, want)
		}
	}
}

func TestLeaves(t *testing.T) {
	sub := obj("a", arr(num(1), obj()), "b", sec(obj("k", num(2))), "n", value.Null(), "o", obj("n", value.Null()), "u", value.Unknown())
	for i, c := range []struct {
		old, now value.Value
		rel      value.Relation
		want     string
	}{
		{obj(), obj("x", sub, "y", num(1)), 0, `add x.a[0]: none => 1 (v)|add x.a[1]: none => {} (v)|` +
			`add x.b.k: none => ^2 (v)|add x.n: none => null (v)|add x.o.n: none => null (v)|add x.u: none => [unknown] (v)|add y: none => 1 (v)`},
		{obj("x", sub), obj("x", value.Null()), value.Engine, `delete x.a[0]: 1 => none (v)|delete x.a[1]: {} => none (v)|` +
			`delete x.b.k: ^2 => none (v)|delete x.o: {"n":null} => none (v)|delete x.u: [unknown] => none (v?)`},
		{obj("x", value.Null()), obj("x", num(1)), value.Engine, "add x: null => 1 (v)"},
		{obj("x", sub), obj("x", num(1)), 0, "update x: " + kit.Dump(sub) + " => 1 (v)"},
		{
			arr(), arr(arr(), obj("a", num(1), "b", arr(num(2), num(3)))), 0,
			"add [0]: none => [] (v)|add [1].a: none => 1 (v)|add [1].b[0]: none => 2 (v)|add [1].b[1]: none => 3 (v)",
		},
		{sec(obj()), sec(obj("x", obj("y", num(1)))), 0, "add x.y: none => ^1 (v)"},
	} {
		var got strings.Builder
		var kept []diff.Change
		for leaf := range diff.Between(c.old, c.now, diff.Options{Relation: c.rel}).Leaves() {
			kept = append(kept, leaf)
		}
		for _, leaf := range kept { // after the iteration
			got.WriteString(line(leaf))
		}
		want := strings.ReplaceAll(c.want, "|", "\n")
		if got := strings.TrimSuffix(got.String(), "\n"); got != want {
			t.Errorf("row %d:\n%s\nwant\n%s", i, got, want)
		}
	}
}

func TestShown(t *testing.T) {
	pair := func(n float64) value.Value {
		return obj("open", obj("x", num(n)), "s", sec(obj("t", obj("u", num(n)))), "half", arr(obj("k", num(n))))
	}
	old, now := pair(1), pair(2)
	now, _ = now.With(path.MustParse("half[0]"), sec(now.Field("half").Elem(0)))
	d := diff.Between(old, now, diff.Options{Relation: value.IgnoreSecrets})
	var got []string
	for c := range d.Changes() {
		got = append(got, c.Shown().String()+" of "+c.Shown().RevealPath().String())
		if secret := c.Path().String() != "open.x"; c.Secret() != secret {
			t.Errorf("%v: secret %v", c.Path(), c.Secret())
		}
	}
	want := "half[0][secret] of half[0].k, open.x of open.x, s[secret] of s.t.u"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("shown as %s, not %s", text, want)
	}
	added := diff.Between(obj(), obj("a", obj("s", sec(obj("k", num(1))))), diff.Options{})
	for leaf := range added.Leaves() {
		if got := leaf.Shown().String(); got != "a.s[secret]" || !leaf.Secret() {
			t.Errorf("a leaf of an added subtree is shown as %s, secret %v", got, leaf.Secret())
		}
	}
	// A leaf of a value added to a container that was secret before.
	open := diff.Between(obj("s", sec(obj())), obj("s", obj("x", obj("k", num(1)))), diff.Options{Relation: value.IgnoreSecrets})
	for leaf := range open.Leaves() {
		if got := leaf.Shown().String(); got != "s[secret]" || !leaf.Secret() {
			t.Errorf("a leaf below what was secret is shown as %s, secret %v", got, leaf.Secret())
		}
	}
}

// Iterations stop when told to, and a zero Change or Diff says nothing.
func TestIterationStops(t *testing.T) {
	d := diff.Between(obj("a", num(1), "b", num(1)), obj("c", arr(num(1), num(2)), "d", num(1)), diff.Options{})
	for stop := range 5 {
		n := 0
		for range d.Leaves() {
			if n == stop {
				break
			}
			n++
		}
		if n != stop {
			t.Errorf("stopped after %d leaves, not %d", n, stop)
		}
	}
	for range d.Changes() {
		break
	}
	var none diff.Change
	if _, ok := none.Old(); ok || none.Op() != 0 || none.Secret() || !none.Path().IsRoot() || none.Shown().Redacted() ||
		none.Matches(patterns("")) || none.Which(patterns("")) != nil || none.Verdict() != value.Same {
		t.Error("the zero Change says something")
	}
	var empty diff.Diff
	for range empty.Changes() {
		t.Error("the zero Diff has a change")
	}
	if !empty.Empty() || !empty.Certain() || empty.Verdict() != value.Same || !empty.Invert().Empty() || !empty.Equal(empty.Invert()) ||
		empty.Relation() != value.Strict {
		t.Error("the zero Diff is not the empty one")
	}
	if v, err := empty.Apply(num(1)); err != nil || !v.Equal(num(1)) {
		t.Errorf("the empty diff gives %v, %v", v, err)
	}
}

func TestOps(t *testing.T) {
	for op, want := range map[diff.Op]string{
		diff.OpAdd: "add", diff.OpDelete: "delete", diff.OpUpdate: "update",
		diff.OpInsert: "insert", diff.OpRemove: "remove", diff.OpMove: "move",
		0: "invalid op", 7: "invalid op",
	} {
		if op.String() != want {
			t.Errorf("op %d is %v, want %v", op, op, want)
		}
	}
}

func TestDiffEqual(t *testing.T) {
	between := func(old, now value.Value, rel value.Relation) diff.Diff {
		return diff.Between(old, now, diff.Options{Relation: rel})
	}
	d := between(obj("a", num(1)), obj("a", num(2)), 0)
	for i, e := range []diff.Diff{
		{},
		between(obj("a", num(1)), obj("a", num(2)), value.Engine),
		between(obj("a", num(1)), obj("a", num(3)), 0),
		between(obj("a", num(0)), obj("a", num(2)), 0),
		between(obj("b", num(1)), obj("b", num(2)), 0),
		between(arr(num(1)), arr(num(2)), 0),
		between(obj("a", num(1)), obj("a", value.Unknown()), 0),
		between(obj("a", num(1), "u", value.Unknown()), obj("a", num(2), "u", value.Unknown()), 0),
		between(obj("a", num(1), "b", num(1)), obj("a", num(2), "b", num(2)), 0),
		between(sec(obj("a", num(1))), sec(obj("a", num(2))), 0),
		between(arr(obj("a", num(1))), arr(obj("a", num(2))), 0),
	} {
		if d.Equal(e) || e.Equal(d) {
			t.Errorf("row %d: equal", i)
		}
	}
	hidden := between(obj("s", sec(obj())), obj("s", obj("k", num(1))), value.IgnoreSecrets)
	if hidden.Equal(between(obj("s", obj()), obj("s", obj("k", num(1))), value.IgnoreSecrets)) {
		t.Error("what is below a secret makes no difference")
	}
	fromNull := between(obj("k", value.Null()), obj("k", num(1)), value.Engine)
	if fromNull.Equal(between(obj(), obj("k", num(1)), value.Engine)) {
		t.Error("a null that counts as missing makes no difference")
	}
	if !d.Equal(between(obj("a", num(1), "b", num(1)), obj("a", num(2), "b", num(1)), 0)) {
		t.Error("what did not change makes a difference")
	}
}

// TestRemovedBeforeChanged: removed elements are listed before the element that is at
// their place now, however many they are.
func TestRemovedBeforeChanged(t *testing.T) {
	named := func(name string, x float64) value.Value { return obj("name", str(name), "x", num(x)) }
	old := arr(named("a", 1), named("b", 1), named("c", 1), named("d", 1))
	d := diff.Between(old, arr(named("c", 2), named("d", 1)), diff.Options{Arrays: diff.Keyed(path.MustParse("name"))})
	for text, want := range map[string]bool{"[0].x": true, "[0].name": false, "[0]": true, "[1].x": false, "[2]": false} {
		if got := d.Changed(path.MustParse(text)); got != want {
			t.Errorf("%s: changed %v, not %v", text, got, want)
		}
	}
}
