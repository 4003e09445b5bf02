package diff_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// drawSides draws a value and two made from it by edits.
func drawSides(t *rapid.T) (base, left, right value.Value) {
	base = draw.List(t, 7)
	edit := draw.Rearranged
	if rapid.IntRange(0, 2).Draw(t, "anything") == 0 {
		base, edit = draw.Value(t, 4), draw.Edited
	}
	left, right = edit(t, base), edit(t, base)
	for range rapid.IntRange(0, 1).Draw(t, "nested") {
		base, left, right = obj("list", base, "z", num(1)), obj("list", left, "z", num(1)), obj("list", right, "z", num(1))
	}
	return base, left, right
}

// The laws of Merge, for every way of matching elements and every relation.
func TestMerge(t *testing.T) {
	merged, conflicts := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		base, left, right := drawSides(t)
		o := diff.Options{
			Relation: rapid.SampledFrom(kit.Relations()).Draw(t, "relation"),
			Arrays:   rapid.SampledFrom(modes()).Draw(t, "mode"),
		}
		fail := func(what string, m diff.Merged) {
			t.Fatalf("%v, %v: %s\nbase  %s\nleft  %s\nright %s\ngot   %s\n%v", o.Relation, o.Arrays, what, kit.Dump(base), kit.Dump(left), kit.Dump(right), kit.Dump(m.Value), m.Conflicts)
		}
		if m := diff.Merge(base, left, base, o); len(m.Conflicts) > 0 || !m.Value.Identical(left) {
			fail("only left", m)
		}
		if m := diff.Merge(base, base, right, o); len(m.Conflicts) > 0 || !m.Value.Identical(right) {
			fail("only right", m)
		}
		if m := diff.Merge(base, right, right, o); len(m.Conflicts) > 0 || !o.Relation.Equal(m.Value, right) {
			fail("both the same", m)
		}
		m, swapped := diff.Merge(base, left, right, o), diff.Merge(base, right, left, o)
		if !m.Value.Identical(swapped.Value) {
			fail("symmetric: "+kit.Dump(swapped.Value), m)
		}
		if x, y := conflictLines(m.Conflicts, false), conflictLines(swapped.Conflicts, true); !slices.Equal(x, y) {
			fail("symmetric: "+strings.Join(y, "; "), m)
		}
		checkSecrets(t, base, left, right, m)
		if o.Arrays != diff.Positional() {
			return
		}
		checkTaken(t, base, left, right, m, o)
		checkTaken(t, base, right, left, m, o)
		for _, c := range m.Conflicts {
			conflicts++
			x, inBase := base.At(c.Path())
			y, inMerged := m.Value.At(c.Path())
			b, ok := c.Base()
			if inBase != inMerged || !x.Identical(y) || ok != inBase || !b.Identical(x) {
				fail("at "+c.String(), m)
			}
		}
		if len(m.Conflicts) == 0 {
			merged++
		}
	})
	if merged == 0 || conflicts == 0 {
		t.Errorf("%d merges and %d conflicts", merged, conflicts)
	}
}

// conflictLines lists conflicts, with the sides swapped if need be.
func conflictLines(all []diff.Conflict, swapped bool) []string {
	var lines []string
	for _, c := range all {
		x, inX := c.Left()
		y, inY := c.Right()
		if swapped {
			x, inX, y, inY = y, inY, x, inX
		}
		lines = append(lines, fmt.Sprint(c.Kind(), " ", c.Path(), " ", kit.Dump(x), inX, " ", kit.Dump(y), inY))
	}
	return lines
}

// checkTaken: what one side changed, and the other one did not touch, nor
// anything above or below it, is as on that side.
func checkTaken(t *rapid.T, base, side, other value.Value, m diff.Merged, o diff.Options) {
	var places []path.Path
	for c := range diff.Between(base, other, diff.Options{}).Changes() {
		places = append(places, c.Path())
	}
	for _, c := range m.Conflicts {
		places = append(places, c.Path())
	}
	for c := range diff.Between(base, side, o).Changes() {
		p := c.Path()
		if slices.ContainsFunc(places, func(q path.Path) bool { return p.HasPrefix(q) || q.HasPrefix(p) }) {
			continue
		}
		x, inSide := side.At(p)
		y, inMerged := m.Value.At(p)
		if inSide != inMerged || !(o.Relation|value.IgnoreSecrets).Equal(x, y) {
			t.Fatalf("%v: %v is lost\nbase  %s\nside  %s\nother %s\ngot   %s", o.Relation, c, kit.Dump(base), kit.Dump(side), kit.Dump(other), kit.Dump(m.Value))
		}
	}
}

// checkSecrets: a text that is hidden on a side that has it is in clear
// only where a side or the base has it in clear.
func checkSecrets(t *rapid.T, base, left, right value.Value, m diff.Merged) {
	for at := range m.Value.Walk() {
		p := at.Path()
		hidden, open := false, false
		for _, v := range []value.Value{base, left, right} {
			if x, ok := v.At(p); ok && x.Identical(at.Value()) {
				open = open || !x.IsSecret()
				hidden = hidden || x.IsSecret()
			}
		}
		if hidden && !open && !at.Value().IsSecret() {
			t.Fatalf("%v is in the open\nbase  %s\nleft  %s\nright %s\ngot   %s", p, kit.Dump(base), kit.Dump(left), kit.Dump(right), kit.Dump(m.Value))
		}
	}
}

// Sides that change different members never conflict, and merge to what both
// diffs make one after the other.
func TestMergeDisjoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := diff.Options{
			Relation: rapid.SampledFrom(kit.Relations()).Draw(t, "relation"),
			Arrays:   rapid.SampledFrom(modes()).Draw(t, "mode"),
		}
		var base, left, right []any
		for i := range rapid.IntRange(1, 6).Draw(t, "members") {
			key, b := fmt.Sprint("m", i), draw.List(t, 3)
			l, r := b, b
			if rapid.Bool().Draw(t, "on the left") {
				l = draw.Rearranged(t, b)
			} else {
				r = draw.Rearranged(t, b)
			}
			base, left, right = append(base, key, b), append(left, key, l), append(right, key, r)
		}
		b, l, r := obj(base...), obj(left...), obj(right...)
		for range rapid.IntRange(0, 2).Draw(t, "nested") {
			b, l, r = obj("a", b), obj("a", l), obj("a", r)
		}
		m := diff.Merge(b, l, r, o)
		if len(m.Conflicts) > 0 {
			t.Fatalf("%v", m.Conflicts)
		}
		both, err := diff.Between(b, r, o).Apply(l)
		if err != nil || !o.Relation.Equal(both, m.Value) {
			t.Fatalf("%v, %v\nbase  %s\nleft  %s\nright %s\ngot   %s\nwant  %s", o, err, kit.Dump(b), kit.Dump(l), kit.Dump(r), kit.Dump(m.Value), kit.Dump(both))
		}
	})
}

type mergeRow struct {
	base, left, right value.Value
	how               diff.Match
	rel               value.Relation
	want              string // the merged value and the conflicts
}

func mergeRows() []mergeRow {
	words := func(s string) value.Value {
		var elems []value.Value
		for _, w := range strings.Fields(s) {
			elems = append(elems, str(w))
		}
		return value.Array(elems...)
	}
	item := func(name string, size float64) value.Value { return obj("name", str(name), "size", num(size)) }
	at, al, ke, se := diff.Positional(), diff.Aligned(), diff.Keyed(path.MustParse("name")), diff.Unordered()
	null := value.Null()
	return []mergeRow{
		// Objects.
		{obj("a", num(1), "b", num(1)), obj("a", num(2), "b", num(1)), obj("a", num(1), "b", num(2)), at, 0, `{"a":2 "b":2}`},
		{obj("a", num(1)), obj("a", num(2)), obj("a", num(3)), at, 0, `{"a":1} | a: edit: 1; left 2, right 3`},
		{obj("a", num(1)), obj("a", num(2)), obj("a", num(2)), at, 0, `{"a":2}`},
		{obj("a", num(1)), obj(), obj("a", num(2)), at, 0, `{"a":1} | a: delete: 1; left nothing, right 2`},
		{obj("a", num(1)), obj(), obj(), at, 0, `{}`},
		{obj(), obj("a", num(1)), obj("a", num(1)), at, 0, `{"a":1}`},
		{obj(), obj("a", num(1)), obj("a", num(2)), at, 0, `{} | a: add: nothing; left 1, right 2`},
		{obj("o", obj("x", num(1), "y", num(1))), obj("o", str("s")), obj("o", obj("x", num(1), "y", num(2))), at, 0, `{"o":{"x":1 "y":1}} | o: edit: {x: 1, y: 1}; left "s", right {x: 1, y: 2}`},
		{obj("a", num(1)), obj("a", null), obj(), at, value.Engine, `{"a":null}`},
		{obj("a", null), obj("a", num(1)), obj(), at, value.Engine, `{"a":1}`},
		{obj("a", null), obj("a", num(1)), obj(), at, 0, `{"a":null} | a: delete: null; left 1, right nothing`},

		// Marks.
		{obj("a", num(1)), obj("a", sec(num(1))), obj("a", num(2)), at, 0, `{"a":!2}`},
		{obj("a", num(1)), obj("a", sec(num(1))), obj("a", num(2)), at, value.IgnoreSecrets, `{"a":!2}`},
		{obj("a", num(1)), obj("a", num(2)), obj("a", sec(num(1))), at, 0, `{"a":!2}`},
		{obj("a", num(1)), obj("a", sec(num(2))), obj("a", num(2)), at, 0, `{"a":!2}`},
		{obj("a", num(1)), obj("a", sec(num(3))), obj("a", num(2)), at, 0, `{"a":1} | a: edit: [secret]; left [secret], right [secret]`},
		{obj("a", sec(num(1))), obj("a", num(1)), obj("a", sec(num(2))), at, 0, `{"a":!1} | a: secret: [secret]; left [secret], right [secret]`},
		{obj("a", sec(num(1))), obj("a", num(1)), obj("a", sec(num(2))), at, value.IgnoreSecrets, `{"a":!2}`},
		{obj("a", sec(num(1))), obj("a", num(1)), obj("a", sec(dep(num(1), urnA))), at, 0, `{"a":@11}`},
		{obj("a", obj("x", num(1))), obj("a", sec(obj("x", num(1)))), obj("a", obj("x", num(2), "y", num(3))), at, 0, `{"a":!{"x":^2 "y":^3}}`},
		{obj("a", dep(num(1), urnA)), obj("a", dep(num(1), urnA, urnB)), obj("a", num(2)), at, 0, `{"a":@12}`},
		{obj("a", dep(obj(), urnA)), obj("a", dep(obj("x", num(1)), urnA)), obj("a", obj()), at, 0, `{"a":{"x":1}}`},
		{sec(obj("x", num(1), "y", num(1))), sec(obj("x", num(2), "y", num(1))), sec(obj("x", num(3), "y", num(2))), at, 0, `!{"x":^1 "y":^2} | [secret]: edit: [secret]; left [secret], right [secret]`},

		// What is secret on one side is not shown on another.
		{obj("o", obj("pw", str("p"))), obj("o", obj("pw", sec(str("p")))), obj(), at, 0, `{"o":{"pw":"p"}} | o: delete: object (1); left object (1), right nothing`},
		{obj("o", str("p")), obj("o", obj("pw", sec(str("p")))), obj("o", value.Unknown()), at, 0, `{"o":"p"} | o: edit: string; left object (1), right unknown`},
		{arr(), arr(sec(str("p"))), arr(str("p")), al, 0, `[] | [0]: add: nothing; left array (1), right array (1)`},
		{arr(), arr(arr(sec(str("p")))), arr(arr(str("p"), str("q"))), al, 0, `[] | [0]: add: nothing; left array (1), right array (1)`},

		// Index by index.
		{words("a b"), words("a b c"), words("x b"), at, 0, `["x" "b" "c"]`},
		{words("a b"), words("a b c"), words("a b c"), at, 0, `["a" "b" "c"]`},
		{words("a b"), words("a b c"), words("a b d"), at, 0, `["a" "b"] | length: ["a", "b"]; left ["a", "b", "c"], right ["a", "b", "d"]`},
		{words("a b"), words("a"), words("a x"), at, 0, `["a" "b"] | length: ["a", "b"]; left ["a"], right ["a", "x"]`},
		{words("a b"), words("a"), words("x b"), at, 0, `["x"]`},

		// Aligned.
		{words("a b"), words("x a b"), words("a b y"), al, 0, `["x" "a" "b" "y"]`},
		{words("a b"), words("a x b"), words("a y b"), al, 0, `["a" "b"] | [1]: add: nothing; left ["x"], right ["y"]`},
		{words("a b"), words("a x b"), words("a x b"), al, 0, `["a" "x" "b"]`},
		{words("a b c d e"), words("e a b c d"), words("a b x d e"), al, 0, `["e" "a" "b" "x" "d"]`},
		{words("a b c d e"), words("e a b c d"), words("a e b c d"), al, 0, `["a" "b" "c" "d" "e"] | [4]: move: "e"; left "e", right "e"`},
		{words("a b c d e"), words("e a b c d"), words("a b c d"), al, 0, `["a" "b" "c" "d" "e"] | [4]: delete: "e"; left "e", right nothing`},
		{arr(item("a", 1), item("b", 1), item("c", 1)), arr(item("c", 1), item("a", 1), item("b", 1)), arr(item("a", 1), item("b", 1), item("c", 2)), al, 0, `[{"name":"c" "size":2} {"name":"a" "size":1} {"name":"b" "size":1}]`},
		{words("a b c"), words("a c"), words("a b c d"), al, 0, `["a" "c" "d"]`},

		// Keyed and sets.
		{arr(item("a", 1), item("b", 1)), arr(item("b", 1), item("a", 2)), arr(item("a", 1), item("b", 3)), ke, 0, `[{"name":"b" "size":3} {"name":"a" "size":2}]`},
		{arr(item("a", 1)), arr(item("a", 1), item("b", 1)), arr(item("b", 2), item("a", 1)), ke, 0, `[{"name":"a" "size":1}] | [0]: add: nothing; left {name: "b", size: 1}, right {name: "b", size: 2}`},
		{arr(item("a", 1)), arr(item("a", 1), item("b", 1)), arr(item("b", 1), item("a", 1)), ke, 0, `[{"name":"b" "size":1} {"name":"a" "size":1}]`},
		{arr(item("a", 1)), arr(item("a", 1), item("c", 1)), arr(item("a", 1), item("b", 2)), ke, 0, `[{"name":"a" "size":1} {"name":"b" "size":2} {"name":"c" "size":1}]`},
		{words("a b"), words("a b d"), words("c a"), se, 0, `["c" "a" "d"]`},
		{words("a b c"), words("c a b"), words("b c a"), se, 0, ""},
		{words("a b"), words("b a"), words("a x"), se, 0, ""},
	}
}

func TestMergeTable(t *testing.T) {
	for i, c := range mergeRows() {
		m := diff.Merge(c.base, c.left, c.right, diff.Options{Relation: c.rel, Arrays: c.how})
		got := []string{kit.Dump(m.Value)}
		for _, x := range m.Conflicts {
			got = append(got, x.String())
		}
		if text := strings.Join(got, " | "); text != c.want && c.want != "" {
			t.Errorf("row %d:\n%s\nwant\n%s", i, text, c.want)
		}
		if c.want == "" && len(m.Conflicts) > 0 {
			t.Errorf("row %d: %v", i, m.Conflicts)
		}
	}
}

// An element that one side moves to where the other adds an equal one is another one.
func TestMergeKeepsBoth(t *testing.T) {
	a, b, x := str("a"), str("b"), str("x")
	o := diff.Options{Arrays: diff.Aligned()}
	base, added, moved := arr(a, b, b, x), arr(a, x, b, b, x), arr(a, x, b, b)
	for i, m := range []diff.Merged{diff.Merge(base, added, moved, o), diff.Merge(base, moved, added, o)} {
		if want := arr(a, x, x, b, b); len(m.Conflicts) > 0 || !m.Value.Equal(want) {
			t.Errorf("row %d: %s, %v", i, kit.Dump(m.Value), m.Conflicts)
		}
	}
}

// Depth costs no stack, and conflicts on the way cost no path.
func TestMergeDeep(t *testing.T) {
	chain := func(depth int, n float64, deps string) value.Value {
		v := obj("z", num(n))
		for i := range depth {
			if v = obj("a", v, "z", num(n)); i%2 == 0 {
				v = arr(v)
			}
			v = dep(v, deps)
		}
		return v
	}
	const depth = value.MaxDepth*2/3 - 1 // every other one is two levels
	base, ours, theirs, merged := chain(depth, 1, urnA), chain(depth, 2, urnB), chain(depth, 3, urnA), chain(depth, 1, urnB)
	for _, how := range modes() {
		m := diff.Merge(base, ours, theirs, diff.Options{Arrays: how})
		if len(m.Conflicts) != depth+1 || !m.Value.Equal(merged) {
			t.Fatalf("%v: %d conflicts", how, len(m.Conflicts))
		}
	}
}

// Law 6: no text that fmt makes of conflicts shows a secret, nor a key below one.
func TestMergeNoPlaintext(t *testing.T) {
	const canary = "canary"
	side := func(s string) value.Value {
		return obj("s", sec(obj(canary+"Key", arr(str(canary), str(s)))), "t", sec(str(canary+s)), "u", sec(arr(str(canary+s), str(s))))
	}
	open := obj("s", str("open"), "t", str("open"), "u", str("open"))
	for i, sides := range [][3]value.Value{
		{side("1"), side("2"), side("3")},
		{sec(side("1")), sec(side("2")), sec(side("3"))},
		{sec(obj(canary, sec(obj("k", str("1"))))), sec(obj(canary, sec(obj("k", str("2"))))), sec(obj(canary, sec(obj("k", str("3")))))},
		{open, side("2"), side("3")},
		{side("1"), open, side("3")},
		{side("1"), obj(), side("3")},
		{obj(), side("1"), side("3")},
		{obj("o", obj("pw", str(canary))), obj("o", obj("pw", sec(str(canary)))), obj()},
		{obj("o", arr(str(canary))), obj("o", sec(str("x"))), obj("o", arr(str("y")))},
	} {
		for _, how := range modes() {
			m := diff.Merge(sides[0], sides[1], sides[2], diff.Options{Arrays: how})
			if len(m.Conflicts) == 0 {
				t.Fatalf("row %d: no conflict", i)
			}
			h := struct {
				m diff.Merged
				c diff.Conflict
				p *diff.Conflict
				a any
			}{m, m.Conflicts[0], &m.Conflicts[0], m.Conflicts}
			for _, c := range m.Conflicts {
				kit.CheckCanary(t, canary, c, &c, c.Shown())
			}
			if strings.Contains(m.Value.String(), canary) {
				continue // what base has in clear, the result has in clear
			}
			kit.CheckCanary(t, canary, m, &m, h, &h, []any{h, m})
		}
	}
}

// Of two values that are equal under the relation, and no more than that, the same
// one is taken whichever side is called left.
func TestMergeTakesNoSide(t *testing.T) {
	null := obj("a", obj("x", value.Null()))
	text, list, minus := value.UnknownOf(value.KindString), value.UnknownOf(value.KindArray), num(math.Copysign(0, -1))
	item := func(name string, v value.Value) value.Value { return obj("name", str(name), "v", v) }
	keyed := diff.Keyed(path.MustParse("name"))
	for i, c := range []struct {
		base, left, right value.Value
		how               diff.Match
		conflicts         int
	}{
		{obj(), null, obj("a", obj()), diff.Match{}, 0},
		{obj("a", num(1)), null, obj("a", obj()), diff.Match{}, 0},
		{obj("a", num(1)), obj("a", dep(obj("x", value.Null()), "urn")), obj("a", obj()), diff.Match{}, 0},
		{obj("a", num(1)), obj(), obj("a", value.Null()), diff.Match{}, 0},
		{num(1), text, list, diff.Match{}, 0},
		{num(0), minus, num(0), diff.Match{}, 0},
		{value.Unknown(), text, list, diff.Match{}, 0},
		{obj("a", text, "b", num(1)), obj("a", dep(text, urnA), "b", num(2)), obj("a", dep(list, urnA), "b", num(1)), diff.Match{}, 0},
		{sec(obj("b", num(1))), sec(obj("b", sec(value.Null()))), sec(obj("b", value.Null())), diff.Match{}, 0},
		{arr(), arr(text), arr(list), diff.Aligned(), 0},
		{arr(), arr(text), arr(list), diff.Unordered(), 0},
		{arr(num(5)), arr(text, num(5)), arr(num(5), list), diff.Unordered(), 0},
		{arr(dep(arr(text), urnA)), arr(dep(arr(list), urnB)), arr(dep(arr(text), urnB, urnA)), diff.Match{}, 0},
		{arr(), arr(item("x", num(1)), item("y", num(1))), arr(item("y", num(2)), item("x", num(2))), keyed, 2},
	} {
		o := diff.Options{Relation: value.NullAsMissing, Arrays: c.how}
		m, swapped := diff.Merge(c.base, c.left, c.right, o), diff.Merge(c.base, c.right, c.left, o)
		if len(m.Conflicts) != c.conflicts || !m.Value.Identical(swapped.Value) ||
			!slices.Equal(conflictLines(m.Conflicts, false), conflictLines(swapped.Conflicts, true)) {
			t.Errorf("row %d: %s, %v, and with the sides changed %s, %v", i, m.Value.GoString(), m.Conflicts, swapped.Value.GoString(), swapped.Conflicts)
		}
	}
}

// As deep as values can be, sides are merged, and conflicts hold what was inserted.
func TestMergeDepth(t *testing.T) {
	chain := func(elems ...value.Value) value.Value {
		v := arr(elems...)
		for range value.MaxDepth/2 - 1 {
			v = obj("a", v)
		}
		return v
	}
	deep := func(n float64) value.Value { return kit.Nested(value.MaxDepth/2, num(n)) }
	for i, c := range []struct {
		base, left, right value.Value
		conflicts         int
	}{
		{chain(deep(1), num(1)), chain(deep(2), num(1)), chain(deep(1), num(2)), 0},
		{chain(num(1)), chain(deep(1), num(1)), chain(deep(2), num(1)), 1},
		{chain(num(1), num(2)), chain(deep(1), num(1), num(2)), chain(num(1), num(2), deep(2)), 0},
	} {
		m := diff.Merge(c.base, c.left, c.right, diff.Options{Arrays: diff.Aligned()})
		if len(m.Conflicts) != c.conflicts || (m.Value.Depth() != value.MaxDepth && c.conflicts == 0) {
			t.Errorf("row %d: %d conflicts, %d levels", i, len(m.Conflicts), m.Value.Depth())
		}
	}
}

// TestMergeMovesInSets: where order does not count, an element that the sides moved to
// different places is no conflict.
func TestMergeMovesInSets(t *testing.T) {
	a, b, c := str("a"), str("b"), str("c")
	got := diff.Merge(arr(a, b, c), arr(c, a, b), arr(a, c, b), diff.Options{Arrays: diff.Unordered()})
	if want := arr(c, a, b); len(got.Conflicts) != 0 || !got.Value.Identical(want) {
		t.Errorf("got %v with conflicts %v, want %v", got.Value, got.Conflicts, want)
	}
}
