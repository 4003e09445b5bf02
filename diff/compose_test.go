package diff_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/value"
)

// drawChain draws values made from each other by edits, lists among them.
func drawChain(t *rapid.T, n int) []value.Value {
	values := make([]value.Value, n)
	lists := rapid.IntRange(0, 4).Draw(t, "lists") > 0
	nest := rapid.IntRange(0, 2).Draw(t, "nested")
	for i := range values {
		switch {
		case i == 0 && lists:
			values[i] = draw.List(t, 9)
		case i == 0:
			values[i] = draw.Value(t, 4)
		case rapid.IntRange(0, 7).Draw(t, "back") == 0:
			values[i] = values[rapid.IntRange(0, i-1).Draw(t, "to")]
		case lists && rapid.IntRange(0, 5).Draw(t, "rearrange") > 0:
			values[i] = draw.Rearranged(t, values[i-1])
		default:
			values[i] = draw.Edited(t, values[i-1])
		}
	}
	for i := range values {
		for range nest {
			values[i] = obj("list", values[i], "z", num(1))
		}
	}
	return values
}

// The laws of Compose, for every way of matching elements and every relation.
func TestCompose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawChain(t, 4)
		rel := rapid.SampledFrom(kit.Relations()).Draw(t, "relation")
		o := [3]diff.Options{}
		for i := range o {
			o[i] = diff.Options{Relation: rel, Arrays: rapid.SampledFrom(modes()).Draw(t, "mode")}
		}
		if rapid.Bool().Draw(t, "one mode") {
			o[1], o[2] = o[0], o[0]
		}
		checkCompose(t, v, o)
	})
}

func checkCompose(t *rapid.T, v []value.Value, o [3]diff.Options) {
	rel := o[0].Relation
	var d [3]diff.Diff
	for i := range d {
		d[i] = diff.Between(v[i], v[i+1], o[i])
	}
	compose := func(x, y diff.Diff) diff.Diff {
		z, err := x.Then(y)
		if err != nil {
			t.Fatalf("%v: %v\n%v\nthen\n%v", rel, err, x, y)
		}
		checkWhole(t, z)
		return z
	}
	check := func(what string, d diff.Diff, from, to value.Value) {
		got, err := d.Apply(from)
		if err != nil || !rel.Equal(got, to) {
			t.Fatalf("%v %v, %v, %v: %s: %v\n%v\nfrom %s\nto   %s\ngot  %s\nwas\n%v%v%v", rel, o[0].Arrays, o[1].Arrays, o[2].Arrays, what, err,
				list(d), kit.Dump(from), kit.Dump(to), kit.Dump(got), list(diff.Between(v[0], v[1], o[0])), list(diff.Between(v[1], v[2], o[1])), kit.Dump(v[1]))
		}
	}
	ab := compose(d[0], d[1])
	check("compose", ab, v[0], v[2])
	checkSides(t, ab, v[0], v[2])
	checkRebuilt(t, o[0], ab)
	check("inverse", ab.Invert(), v[2], v[0])
	check("composed inverses", compose(d[1].Invert(), d[0].Invert()), v[2], v[0])
	check("to the left", compose(ab, d[2]), v[0], v[3])
	check("to the right", compose(d[0], compose(d[1], d[2])), v[0], v[3])
	if !compose(d[0], diff.Diff{}).Equal(d[0]) || !compose(diff.Diff{}, d[0]).Equal(d[0]) {
		t.Fatalf("the empty diff is no unit of\n%v", d[0])
	}
	if !ab.Invert().Invert().Equal(ab) {
		t.Fatalf("inverting twice\n%v\ngives\n%v", list(ab), list(ab.Invert().Invert()))
	}
	for _, x := range []diff.Diff{d[0], ab} {
		if none := compose(x, x.Invert()); !none.Empty() {
			t.Fatalf("%v %v: there and back\n%sis\n%s", rel, o[0].Arrays, list(x), list(none))
		}
	}
	if got, _ := ab.Apply(v[0]); rel == value.Strict {
		between, _ := d[0].Apply(v[0])
		want, _ := d[1].Apply(between)
		checkTouched(t, ab, got, want)
	}
}

// checkWhole checks what must hold of any diff.
func checkWhole(t *rapid.T, d diff.Diff) {
	n, verdict := 0, value.Same
	for c := range d.Changes() {
		n++
		verdict = max(verdict, c.Verdict())
	}
	if n != d.Len() || verdict != d.Verdict() || d.Empty() != (n == 0) || (d.Certain() && verdict == value.Maybe) {
		t.Fatalf("%d changes, not %d; verdict %v, not %v", n, d.Len(), verdict, d.Verdict())
	}
}

// checkSides: the sides of the changes are those of the values, under the
// relation, and the changes are changes.
func checkSides(t *rapid.T, d diff.Diff, old, now value.Value) {
	rel := d.Relation()
	for c := range d.Changes() {
		x, inOld := c.Old()
		y, inNew := c.New()
		before, was := old.At(c.OldPath())
		after, is := now.At(c.NewPath())
		if c.Op() == diff.OpUpdate || c.Op() == diff.OpMove {
			if !inOld || !inNew || !was || !is {
				t.Fatalf("%v: a side is missing: %s", rel, line(c))
			}
			if c.Op() == diff.OpUpdate && !c.OrderChanged() && rel.Equal(x, y) {
				t.Fatalf("%v: no change: %s", rel, line(c))
			}
		}
		loose := rel
		if c.Shown().Redacted() {
			loose |= value.IgnoreSecrets
		}
		if (inOld && was && c.Op() != diff.OpAdd && c.Op() != diff.OpInsert && !loose.Equal(x, before)) ||
			(inNew && is && c.Op() != diff.OpDelete && c.Op() != diff.OpRemove && !loose.Equal(y, after)) {
			t.Fatalf("%v: sides of %snot those of %s => %s", rel, line(c), kit.Dump(before), kit.Dump(after))
		}
		if c.Verdict() == value.Changed && c.Op() == diff.OpUpdate && !c.OrderChanged() && rel.Compatible(x, y) == value.Maybe {
			t.Fatalf("%v: verdict of %s", rel, line(c))
		}
	}
}

// Composed positional diffs of values without guesses are those between the
// first and the last value, if no value was replaced in between.
func TestComposeIsBetween(t *testing.T) {
	same := 0
	rapid.Check(t, func(t *rapid.T) {
		v := drawChain(t, 3)
		rel := rapid.SampledFrom(kit.Relations()).Draw(t, "relation")
		o := diff.Options{Relation: rel}
		d, err := diff.Between(v[0], v[1], o).Then(diff.Between(v[1], v[2], o))
		if err != nil {
			t.Fatal(err)
		}
		want := diff.Between(v[0], v[2], o)
		if list(d) == list(want) {
			same++
		}
		if d.Verdict() != want.Verdict() || d.Empty() != want.Empty() {
			t.Fatalf("%v: verdict %v, not %v\n%s%s", rel, d.Verdict(), want.Verdict(), list(d), list(want))
		}
	})
	if same == 0 {
		t.Error("never the same")
	}
}

func TestComposeRefuses(t *testing.T) {
	between := func(old, now value.Value) diff.Diff { return diff.Between(old, now, diff.Options{}) }
	loose := func(old, now value.Value) diff.Diff {
		return diff.Between(old, now, diff.Options{Relation: value.IgnoreSecrets})
	}
	for i, c := range []struct {
		first, second diff.Diff
		want          string
	}{
		{between(num(1), num(2)), diff.Between(num(2), num(3), diff.Options{Relation: value.Engine}), "diff: compose: does not fit: expected strict, found null as missing|ignore reference details"},
		{between(num(1), num(2)), between(num(3), num(4)), "diff: compose: does not fit: expected the old value, found another value"},
		{between(obj("a", num(1)), obj()), between(obj("a", num(1)), obj("a", num(2))), "diff: compose: a: does not fit: expected the old value, found nothing"},
		{between(obj(), obj("a", num(1))), between(obj(), obj("a", num(2))), "diff: compose: a: does not fit: expected nothing, found something"},
		{between(obj("a", num(1)), obj("a", num(2))), between(arr(num(1)), arr(num(2))), "diff: compose: does not fit: expected the old value, found another value"},
		{between(arr(), arr(num(1))), between(arr(num(1), num(2)), arr(num(1))), "diff: compose: does not fit: expected the old value, found another value"},
		{between(sec(obj("hunter2", num(1))), sec(obj("hunter2", num(2)))), between(sec(obj("hunter2", num(3))), sec(obj("hunter2", num(4)))), "diff: compose: [secret]: does not fit"},
		{between(sec(obj("hunter2", num(1))), sec(obj())), between(obj("hunter2", num(1)), obj("hunter2", num(2))), "diff: compose: [secret]: does not fit"},
		{between(obj("a", sec(obj("hunter2", num(1)))), obj("a", sec(obj()))), between(obj("a", obj("hunter2", num(1))), obj("a", obj("hunter2", num(2)))), "diff: compose: a[secret]: does not fit"},
		{between(sec(obj("hunter2", obj("k", num(1)))), sec(obj("hunter2", obj()))), between(obj("hunter2", obj("k", num(1))), obj("hunter2", obj("k", num(2)))), "diff: compose: [secret]: does not fit"},
		{between(sec(obj("hunter2", num(1))), sec(obj("hunter2", num(2)))), between(obj("hunter2", num(3)), obj("hunter2", num(4))), "diff: compose: [secret]: does not fit"},
		{between(obj("a", sec(obj("hunter2", num(1)))), obj("a", sec(obj("hunter2", num(2))))), between(obj("a", obj("hunter2", num(3))), obj("a", obj("hunter2", num(4)))), "diff: compose: a[secret]: does not fit"},
		{between(obj("a", str("x")), obj("a", sec(obj("hunter2", obj("k", num(1)))))), between(obj("a", obj("hunter2", obj("k", num(2)))), obj("a", obj("hunter2", obj("k", num(3))))), "diff: compose: a: does not fit"},
		{between(obj("hunter2", num(1)), obj()), between(sec(obj("hunter2", num(1))), sec(obj("hunter2", num(2)))), "diff: compose: [secret]: does not fit"},
		{loose(sec(obj()), obj("hunter2", obj("k", num(1)))), loose(obj("hunter2", obj("k", num(2))), obj("hunter2", obj("k", num(3)))), "diff: compose: [secret]: does not fit"},
		{loose(obj("a", sec(obj())), obj("a", obj("hunter2", obj("k", num(1))))), loose(obj("a", obj("hunter2", obj("k", num(2)))), obj("a", obj("hunter2", obj("k", num(3))))), "diff: compose: a[secret]: does not fit"},
	} {
		_, err := c.first.Then(c.second)
		var typed *diff.Error
		if err == nil || err.Error() != c.want || !errors.Is(err, diff.ErrFit) || !errors.As(err, &typed) {
			t.Errorf("row %d: %v, want %s", i, err, c.want)
		}
	}
}

// Diffs that have nothing to do with each other: an error, or what applying one
// after the other gives.
func TestComposeStrangers(t *testing.T) {
	fitted := 0
	rapid.Check(t, func(t *rapid.T) {
		v := drawChain(t, 4)
		rel := rapid.SampledFrom(kit.Relations()).Draw(t, "relation")
		o := diff.Options{Relation: rel, Arrays: rapid.SampledFrom(modes()).Draw(t, "mode")}
		d, e := diff.Between(v[0], v[1], o), diff.Between(v[2], v[3], o)
		both, err := d.Then(e)
		if err != nil {
			if got, misfit := e.Apply(v[1]); misfit == nil && !ofContainers(d) && !ofContainers(e) {
				t.Fatalf("%v, %v: %v, but it fits: %s\n%s%s", rel, o.Arrays, err, kit.Dump(got), list(d), list(e))
			}
			return
		}
		want, err := e.Apply(v[1])
		if err != nil {
			return
		}
		fitted++
		if got, err := both.Apply(v[0]); err != nil || !rel.Equal(got, want) {
			t.Fatalf("%v, %v: %v\n%s%sgive\n%swant %s\ngot  %s", rel, o.Arrays, err, list(d), list(e), list(both), kit.Dump(want), kit.Dump(got))
		}
	})
	if fitted == 0 {
		t.Error("none fitted")
	}
}

// Depth costs no stack, and no more than its share of time: every container of
// the chain changes itself.
func TestComposeDeep(t *testing.T) {
	const depth = value.MaxDepth * 2 / 3 // every other one is two levels
	chain := func(leaf value.Value, deps string) value.Value {
		for i := range depth {
			if leaf = obj("a", leaf); i%2 == 0 {
				leaf = arr(leaf)
			}
			leaf = dep(leaf, deps)
		}
		return leaf
	}
	a, b, c := chain(num(1), urnA), chain(num(2), urnB), chain(num(3), urnB)
	first, second := diff.Between(a, b, diff.Options{}), diff.Between(b, c, diff.Options{})
	for i, pair := range [][2]diff.Diff{{first, second}, {second.Invert(), first.Invert()}} {
		d, err := pair[0].Then(pair[1])
		if err != nil || d.Len() != depth+1 {
			t.Fatalf("row %d: %d changes, %v", i, d.Len(), err)
		}
	}
	if d, err := first.Then(first.Invert()); err != nil || !d.Empty() {
		t.Fatalf("%d changes, %v", d.Len(), err)
	}
}

// TestComposeArrays: elements that two diffs add, remove and move.
func TestComposeArrays(t *testing.T) {
	words := func(s string) value.Value {
		elems := make([]value.Value, len(s))
		for i := range s {
			elems[i] = str(s[i : i+1])
		}
		return value.Array(elems...)
	}
	for i, c := range []struct {
		first, second, third string
		how                  diff.Match
		want                 string
	}{
		{"abcde", "acde", "acdxe", diff.Aligned(), "remove [1]: \"b\" => none (v)\ninsert [3]: none => \"x\" (v)\n"},
		{"abcde", "bcdea", "abcde", diff.Aligned(), ""},
		{"abcde", "abxcde", "abcde", diff.Aligned(), ""},
		{"abcde", "acde", "abcde", diff.Aligned(), ""},
		{"abcde", "eabcd", "eabcdf", diff.Aligned(), "move [0]: \"e\" => \"e\" ()\ninsert [5]: none => \"f\" (v)\n"},
		{"abc", "abcd", "abce", diff.Positional(), "add [3]: none => \"e\" (v)\n"},
		{"abcd", "abc", "abcx", diff.Positional(), "update [3]: \"d\" => \"x\" (v)\n"},
		{"abcd", "abc", "abcd", diff.Positional(), ""},
		{"abcd", "ab", "abc", diff.Positional(), "delete [3]: \"d\" => none (v)\n"},
		{"abc", "cab", "bca", diff.Unordered(), "update : [\"a\" \"b\" \"c\"] => [\"b\" \"c\" \"a\"] (o)\n"},
		{"abc", "cab", "abc", diff.Unordered(), ""},
	} {
		o := diff.Options{Arrays: c.how}
		d, err := diff.Between(words(c.first), words(c.second), o).Then(diff.Between(words(c.second), words(c.third), o))
		if err != nil || list(d) != c.want {
			t.Errorf("row %d: %v\n%swant\n%s", i, err, list(d), c.want)
		}
	}
}

// A diff that leaves the length of an array fits a longer one. Composed with another, it
// has all elements that either has.
func TestComposeLengths(t *testing.T) {
	short := diff.Between(arr(num(1), num(2)), arr(num(1), num(3)), diff.Options{})
	long := diff.Between(arr(num(1), num(3), num(4), num(5)), arr(num(1), num(3), num(4), num(6)), diff.Options{})
	for i, pair := range [][2]diff.Diff{{short, long}, {long, short}} {
		d, err := pair[0].Then(pair[1])
		if want := "update [1]: 2 => 3 (v)\nupdate [3]: 5 => 6 (v)\n"; err != nil || list(d) != want {
			t.Errorf("row %d: %v\n%swant\n%s", i, err, list(d), want)
		}
		got, err := d.Apply(arr(num(1), num(2), num(4), num(5)))
		if want := arr(num(1), num(3), num(4), num(6)); err != nil || !got.Equal(want) {
			t.Errorf("row %d: %v: %s", i, err, kit.Dump(got))
		}
	}
}

// TestComposeKeepsGuesses: in an array whose elements the first diff matched by guess,
// changes of the second one may be none, also if the first has no changes inside.
func TestComposeKeepsGuesses(t *testing.T) {
	element, guessed := obj("a", num(1)), arr(value.Unknown())
	for _, at := range []func(value.Value) value.Value{
		func(v value.Value) value.Value { return v },
		func(v value.Value) value.Value { return obj("l", v) },
		func(v value.Value) value.Value { return arr(num(1), v) },
	} {
		between := func(old, now value.Value, how diff.Match) diff.Diff {
			return diff.Between(at(old), at(now), diff.Options{Arrays: how})
		}
		first := between(arr(guessed, element), arr(element, guessed), diff.Unordered())
		second := between(arr(element, guessed), arr(element), diff.Positional())
		d, err := first.Then(second)
		if err != nil || second.Verdict() != value.Changed || d.Len() != 1 || d.Verdict() != value.Maybe || d.Certain() {
			t.Errorf("%v: %v\n%s", err, d.Verdict(), list(d))
		}
	}
}

// ofContainers reports whether changes are of containers themselves: all of the
// container is then a side of the change, though Apply does not ask for all.
func ofContainers(d diff.Diff) bool {
	for c := range d.Changes() {
		x, _ := c.Old()
		y, _ := c.New()
		if (c.Op() == diff.OpUpdate || c.Op() == diff.OpMove) && x.Kind() == y.Kind() && x.Kind().IsContainer() && !c.SecretChanged() {
			return true
		}
	}
	return false
}

// followsElements reports whether elements were added, removed or moved. Equal ones may
// have taken each other's places then.
func followsElements(d diff.Diff) bool {
	for c := range d.Changes() {
		if c.Op() == diff.OpInsert || c.Op() == diff.OpRemove || c.Op() == diff.OpMove || c.OrderChanged() {
			return true
		}
	}
	return false
}

// filled replaces what is not known from pools so small that fillings are often alike, and
// keeps marks.
func filled(t *rapid.T, v value.Value) value.Value {
	made := v
	if v.IsUnknown() {
		made = rapid.SampledFrom([]value.Value{
			{}, value.Bool(true), num(0), num(1), str(""), str("x"), arr(), arr(num(1)), obj(), obj("a", num(1)), obj("a", value.Null()),
		}).Draw(t, "filled in")
	}
	if ref, ok := v.AsResourceReference(); ok && ref.ID.IsUnknown() {
		ref.ID = rapid.SampledFrom([]value.ID{value.KnownID("i"), value.KnownID("j")}).Draw(t, "filled in")
		made = ref.Value()
	}
	if v.Kind() == value.KindArray {
		var elems []value.Value
		for _, e := range v.Elems() {
			elems = append(elems, filled(t, e))
		}
		made = value.Array(elems...)
	}
	if v.Kind() == value.KindObject {
		var members []value.Member
		for k, e := range v.Members() {
			members = append(members, value.Member{Key: k, Value: filled(t, e)})
		}
		made = value.Object(members...)
	}
	return made.WithMarksOf(v)
}

// Law 19, of composed diffs: no filling that keeps marks contradicts a verdict.
func TestComposeVerdicts(t *testing.T) {
	seen := 0
	rapid.Check(t, func(t *rapid.T) {
		v := drawChain(t, 3)
		rel := rapid.SampledFrom(kit.Relations()).Draw(t, "relation")
		o := diff.Options{Relation: rel, Arrays: rapid.SampledFrom(modes()).Draw(t, "mode")}
		d, err := diff.Between(v[0], v[1], o).Then(diff.Between(v[1], v[2], o))
		if err != nil {
			t.Fatal(err)
		}
		old, now := filled(t, v[0]), filled(t, v[2])
		if d.Verdict() == value.Changed && rel.Equal(old, now) && !followsElements(d) {
			t.Fatalf("%v, %v: surely changed, but is %s\n%s", rel, o.Arrays, kit.Dump(old), list(d))
		}
		for c := range d.Changes() {
			x, inOld := old.At(c.OldPath())
			y, inNew := now.At(c.NewPath())
			if c.Verdict() != value.Changed || c.Op() != diff.OpUpdate || !inOld || !inNew || c.OrderChanged() {
				continue
			}
			seen++
			if rel.Equal(x, y) {
				t.Fatalf("%v, %v: %s surely changed, but is %s", rel, o.Arrays, line(c), kit.Dump(x))
			}
		}
	})
	if seen == 0 {
		t.Error("no verdict was seen")
	}
}

// TestComposeKeepsLengths: where only one diff has changes in an array, its length is that
// of this diff, even beyond the last element that changes.
func TestComposeKeepsLengths(t *testing.T) {
	list := func(first string) value.Value { return arr(str(first), str("b"), str("c")) }
	values := []value.Value{
		obj("a", num(1), "list", list("x")),
		obj("a", num(2), "list", list("x")),
		obj("a", num(2), "list", list("y")),
		obj("a", num(3), "list", list("y")),
	}
	for i := range values[2:] {
		first := diff.Between(values[i], values[i+1], diff.Options{})
		second := diff.Between(values[i+1], values[i+2], diff.Options{})
		got, err := first.Then(second)
		if want := diff.Between(values[i], values[i+2], diff.Options{}); err != nil || !got.Equal(want) {
			t.Errorf("row %d: %v: got %v, want %v", i, err, got, want)
		}
	}
}

// TestComposeMaybeIsChanged: a composition counts what may have changed as changed if one of its
// parts does.
func TestComposeMaybeIsChanged(t *testing.T) {
	maybe, sure := diff.Between(obj("a", value.Unknown()), obj("a", num(1)), diff.Options{}), diff.Between(obj("a", num(1)), obj("a", num(3)), diff.Options{MaybeIsChanged: true})
	if both, err := maybe.Then(sure); err != nil || both.Verdict() != value.Changed {
		t.Fatalf("%v, %v", both.Verdict(), err)
	}
}
