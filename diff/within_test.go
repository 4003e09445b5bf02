package diff_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

type withinRow struct {
	old, now, promised value.Value
	rel                value.Relation
	want               string
}

func withinRows() []withinRow {
	null, unknown, sealed := value.Null(), value.Unknown(), value.Sealed{Ciphertext: "v1:a"}.Value()
	one, two, three := num(1), num(2), num(3)
	hashed := value.FileAsset("f").WithHash("00")
	return []withinRow{
		// Kept.
		{obj("a", one), obj("a", two), obj("a", two), 0, ``},
		{obj("a", one), obj("a", two), obj("a", unknown), 0, ``},
		{obj("a", one), obj(), obj("a", unknown), 0, ``},
		{obj(), obj("a", obj("b", one)), unknown, 0, ``},
		{obj("a", three), obj("a", three, "b", two), obj("a", three, "b", two), 0, ``},
		{arr(one), arr(one, two, three), arr(one, unknown, three), 0, ``},
		{arr(one), arr(one), arr(one, unknown), 0, ``},
		{obj(), obj("a", null), obj(), value.Engine, ``},
		{obj("a", one), obj(), obj("a", null), value.Engine, ``},
		{obj(), obj("a", sec(one)), obj("a", one), 0, ``},
		{obj(), sec(obj("a", one)), obj("a", sec(one)), 0, ``},
		{obj(), obj("a", dep(one, urnA, urnB)), obj("a", dep(one, urnA)), 0, ``},
		{obj(), obj("a", sec(one)), obj("a", sealed), 0, ``},
		{obj(), obj("a", hashed), obj("a", value.FileAsset("f")), 0, ``},
		{obj(), obj("a", unknown), obj("a", unknown), 0, ``},

		// What old has says which kind it is.
		{obj("a", one), obj("a", one), obj("a", two), 0, `a: missing: promised 2, got 1; was 1`},
		{obj("a", one), obj("a", one), obj(), 0, `a: missing: promised nothing, got 1; was 1`},
		{obj(), obj(), obj("a", two), 0, `a: missing: promised 2, got nothing; was nothing`},
		{obj("a", one), obj("a", two), obj("a", one), 0, `a: extra: promised 1, got 2; was 1`},
		{obj(), obj("a", two), obj(), 0, `a: extra: promised nothing, got 2; was nothing`},
		{obj("a", one), obj(), obj("a", one), 0, `a: extra: promised 1, got nothing; was 1`},
		{obj("a", one), obj("a", two), obj("a", three), 0, `a: other: promised 3, got 2; was 1`},
		{obj("a", one), obj("a", two), obj(), 0, `a: other: promised nothing, got 2; was 1`},
		{obj("a", one), obj(), obj("a", two), 0, `a: other: promised 2, got nothing; was 1`},
		{obj(), obj("a", two), obj("a", three), 0, `a: other: promised 3, got 2; was nothing`},
		{one, two, three, 0, `other: promised 3, got 2; was 1`},
		{obj(), obj("a", unknown), obj("a", one), 0, `a: other: promised 1, got [unknown]; was nothing`},
		{obj(), obj("a", obj("b", one)), obj("a", arr(one)), 0, `a: other: promised [1], got {b: 1}; was nothing`},

		// Only what differs, at any depth; old may be of another kind.
		{one, obj("a", arr(one, obj("b", one, "c", two))), obj("a", arr(one, obj("b", one, "c", three))), 0, `a[1].c: other: promised 3, got 2; was nothing`},
		{obj("a", one, "b", one, "c", one), obj("b", two, "c", one, "d", one), obj("a", one, "b", one, "c", two), 0, `a: extra: promised 1, got nothing; was 1 | b: extra: promised 1, got 2; was 1 | c: missing: promised 2, got 1; was 1 | d: extra: promised nothing, got 1; was nothing`},
		{arr(one, two), arr(three, one, two), arr(one, two), 0, `[0]: extra: promised 1, got 3; was 1 | [1]: extra: promised 2, got 1; was 2 | [2]: extra: promised nothing, got 2; was nothing`},
		{arr(one), arr(), arr(unknown, one), 0, `[1]: missing: promised 1, got nothing; was nothing`},
		{obj(), obj("a", null), obj(), 0, `a: extra: promised nothing, got null; was nothing`},

		// Marks.
		{obj(), obj("a", str("p")), obj("a", sec(str("p"))), 0, `a: mark: promised [secret], got [secret]; was nothing`},
		{obj(), obj("a", str("p")), obj("a", sec(unknown)), 0, `a: mark: promised [secret], got [secret]; was nothing`},
		{obj(), obj(), obj("a", sec(unknown)), 0, ``},
		{obj(), obj("a", str("p")), obj("a", sec(str("p"))), value.IgnoreSecrets, ``},
		{obj("a", str("p")), obj("a", str("p")), obj("a", sec(str("p"))), 0, `a: missing: promised [secret], got [secret]; was [secret]`},
		{obj("a", sec(str("p"))), obj("a", str("p")), obj("a", sec(str("p"))), 0, `a: mark: promised [secret], got [secret]; was [secret]`},
		{obj("a", str("p")), obj("a", str("q")), obj("a", sec(str("q"))), 0, `a: mark: promised [secret], got [secret]; was [secret]`},
		{obj(), obj("a", str("p")), obj("a", sec(str("q"))), 0, `a: mark: promised [secret], got [secret]; was nothing | a: other: promised [secret], got [secret]; was nothing`},
		{obj(), obj("a", obj("k", str("p"), "l", one)), obj("a", sec(obj("k", sec(str("q")), "l", unknown))), 0, `a: mark: promised [secret], got [secret]; was nothing | a[secret]: other: promised [secret], got [secret]; was nothing`},
		{obj(), obj("a", sec(obj("k", str("p")))), obj("a", sec(obj("k", str("q")))), 0, `a[secret]: other: promised [secret], got [secret]; was nothing`},
		{sec(obj("k", one)), obj("k", two), obj("k", three), 0, `[secret]: other: promised [secret], got [secret]; was [secret]`},
		{obj(), obj("a", obj("pw", sec(str("p")))), obj(), 0, `a: extra: promised nothing, got object (1); was nothing`},
		{obj(), obj("a", dep(one, urnB)), obj("a", dep(one, urnA)), 0, `a: mark: promised 1, got 1; was nothing`},
		{obj(), obj("a", dep(one, urnB)), obj("a", dep(one, urnA)), value.IgnoreDependencies, ``},
		{obj("a", one), obj("a", one), obj("a", dep(one, urnA)), 0, `a: missing: promised 1, got 1; was 1`},
		{obj(), obj("a", obj("b", two)), obj("a", dep(obj("b", one), urnA)), 0, `a: mark: promised {b: 1}, got {b: 2}; was nothing | a.b: other: promised 1, got 2; was nothing`},
	}
}

func TestWithin(t *testing.T) {
	for i, c := range withinRows() {
		var got []string
		for _, b := range diff.Within(c.old, c.now, c.promised, diff.Options{Relation: c.rel}) {
			got = append(got, b.String())
		}
		if text := strings.Join(got, " | "); text != c.want {
			t.Errorf("row %d:\n%s\nwant\n%s", i, text, c.want)
		}
	}

	// What cannot be told is a breach if it is to count as changed.
	for i, c := range [][2]value.Value{
		{sec(num(1)), value.Sealed{Ciphertext: "v1:a"}.Value()},
		{value.FileAsset("f").WithHash("00"), value.FileAsset("f")},
	} {
		found := diff.Within(obj(), obj("a", c[0]), obj("a", c[1]), diff.Options{MaybeIsChanged: true})
		if len(found) != 1 || found[0].Kind() != diff.BreachOther {
			t.Errorf("row %d: %v", i, found)
		}
	}
}

func TestBreach(t *testing.T) {
	old, now, promised := obj("l", arr(num(1))), obj("l", arr(num(2), num(3))), obj("l", arr(num(4), num(3)))
	found := diff.Within(old, now, promised, diff.Options{})
	if len(found) != 1 {
		t.Fatal(found)
	}
	b := found[0]
	is := func(get func() (value.Value, bool), want float64) bool {
		v, ok := get()
		return ok && v.Equal(num(want))
	}
	if b.Path().String() != "l[0]" || b.Shown().String() != "l[0]" || b.Secret() || !is(b.Old, 1) || !is(b.New, 2) || !is(b.Promised, 4) {
		t.Error(b)
	}
	if text, err := b.MarshalText(); err != nil || string(text) != b.String() {
		t.Error(string(text), err)
	}
	if zero := (diff.Breach{}); zero.String() != "invalid breach: promised nothing, got nothing; was nothing" || zero.Path().Len() != 0 {
		t.Error(zero)
	}
}

// Depth costs no stack, and breaches on the way cost no path.
func TestWithinDeep(t *testing.T) {
	chain := func(n float64, deps string) value.Value {
		v := obj("z", num(n))
		for range value.MaxDepth/2 - 1 {
			v = dep(arr(obj("a", v, "z", num(n))), deps)
		}
		return v
	}
	old, now, promised := chain(1, urnB), chain(2, urnA), chain(3, urnB)
	if found := diff.Within(old, now, promised, diff.Options{}); len(found) != value.MaxDepth-1 {
		t.Errorf("%d breaches", len(found))
	} else if inner := found[value.MaxDepth/2-1]; inner.Path().Len() != value.MaxDepth-1 || inner.Kind() != diff.BreachOther || found[0].Kind() != diff.BreachMark {
		t.Errorf("%v, %v with a path of %d", found[0].Kind(), inner.Kind(), inner.Path().Len())
	}
}

// Nothing is allocated where the promise was kept, nor by what a promise leaves open.
func TestWithinAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	deep, asDeep := kit.Nested(900, num(1)), kit.Nested(900, num(1))
	for i, c := range [][3]value.Value{
		{obj(), bag("n"), bag("n")},
		{deep, asDeep, deep},
		{obj(), obj("a", arr(num(1)), "b", sec(str("x"))), obj("a", value.Unknown(), "b", sec(value.Unknown()), "c", value.Unknown())},
	} {
		if got := testing.AllocsPerRun(100, func() { diff.Within(c[0], c[1], c[2], diff.Options{}) }); got != 0 {
			t.Errorf("row %d: %v allocations", i, got)
		}
	}
}
