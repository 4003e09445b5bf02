package diff_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// modes are the ways in which elements are matched.
func modes() []diff.Match {
	return []diff.Match{diff.Positional(), diff.Aligned(), diff.Keyed(path.MustParse("name")), diff.Keyed(path.MustParse("a")), diff.Unordered(), diff.Auto()}
}

// listed lists changes as "insert [0] maybe".
func listed(d diff.Diff) string {
	var all []string
	for c := range d.Changes() {
		line := c.Op().String() + " " + c.Path().String()
		if c.OrderChanged() {
			line += " order"
		}
		if c.Verdict() == value.Maybe {
			line += " maybe"
		}
		all = append(all, line)
	}
	return strings.Join(all, ", ")
}

// What says which elements belong together, and how sure that is.
func TestMatching(t *testing.T) {
	item := func(name string, v float64) value.Value { return obj("name", str(name), "v", num(v)) }
	rule := func(pattern string, how diff.Match) diff.ArrayRule {
		return diff.ArrayRule{Pattern: path.MustParsePattern(pattern), Match: how}
	}
	byName := diff.Keyed(path.MustParse("name"))
	swapped := func(o diff.Options) string {
		return listed(diff.Between(obj("l", arr(str("a"), str("b"))), obj("l", arr(str("b"), str("a"))), o))
	}
	sealed := func(in func(value.Value) value.Value) string {
		old, now := value.Sealed{Ciphertext: "x"}.Value(), sec(num(1))
		return listed(diff.Between(arr(in(old), num(1)), arr(in(now), num(2)), diff.Options{Arrays: diff.Aligned()}))
	}
	for i, c := range []struct{ got, want string }{
		// A repeated key is not used: elements are matched by what is equal.
		{listed(diff.Between(arr(item("a", 1), item("a", 2)), arr(item("a", 2)), diff.Options{Arrays: byName})), "remove [0]"},
		{listed(diff.Between(arr(item("a", 2)), arr(item("a", 1), item("a", 2)), diff.Options{Arrays: byName})), "insert [0]"},
		// With an unknown inside pairing is a guess, but a longer array is another.
		{listed(diff.Between(arr(value.Unknown()), arr(value.Unknown(), str("x")), diff.Options{Arrays: diff.Aligned()})), "update , insert [1] maybe"},
		{listed(diff.Between(arr(value.Unknown(), str("y")), arr(value.Unknown(), str("x")), diff.Options{Arrays: diff.Aligned()})), "update [1] maybe"},
		// Of the rules that name an array the first one counts.
		{swapped(diff.Options{ArrayRules: []diff.ArrayRule{rule("l", diff.Unordered()), rule("[*]", diff.Aligned())}}), "update l order"},
		{swapped(diff.Options{ArrayRules: []diff.ArrayRule{rule("[*]", diff.Aligned()), rule("l", diff.Unordered())}}), "move l[0]"},
		// Rules know elements by their index in the new value.
		{listed(diff.Between(
			arr(arr(str("a"), str("b"))), arr(str("x"), arr(str("b"), str("a"))),
			diff.Options{Arrays: diff.Aligned(), ArrayRules: []diff.ArrayRule{rule("[1]", diff.Unordered())}},
		)), "insert [0], update [1] order"},
		// What is sealed may be another element, wherever in the elements it is.
		{sealed(func(v value.Value) value.Value { return v }), "update [0] maybe, update [1] maybe"},
		{sealed(func(v value.Value) value.Value { return arr(v) }), "update [0][0] maybe, update [1] maybe"},
		{sealed(func(v value.Value) value.Value { return obj("a", v) }), "update [0].a maybe, update [1] maybe"},
	} {
		if c.got != c.want {
			t.Errorf("row %d: want %s\ngot  %s", i, c.want, c.got)
		}
	}
}

// TestChangedInAnotherOrder: a new order of a set is a change of the array, not of its
// elements.
func TestChangedInAnotherOrder(t *testing.T) {
	d := diff.Between(obj("l", arr(str("a"), str("b"))), obj("l", arr(str("b"), str("a"))), diff.Options{Arrays: diff.Unordered()})
	for at, want := range map[string]bool{"l": true, "l[0]": false, "l[1]": false} {
		if got := d.Changed(path.MustParse(at)); got != want {
			t.Errorf("changed at %s: %v", at, got)
		}
	}
}

// Auto takes a key that distinguishes all elements of both arrays, and none else.
func TestAutoChoosesKeys(t *testing.T) {
	item := obj
	a, b, b2 := item("name", str("a"), "id", num(1)), item("name", str("b"), "id", num(2)), item("name", str("b"), "id", num(3))
	for i, c := range []struct {
		old, now value.Value
		want     string
	}{
		{arr(a, b), arr(b, a), "keyed:name"},
		{arr(a, b), arr(b, b2), "keyed:id"},      // a name twice on one side
		{arr(b, b2), arr(a, b), "keyed:id"},      // on the other
		{arr(a, b), arr(b, obj()), "aligned"},    // one has none
		{arr(a, b), arr(b, str("x")), "aligned"}, // nor can have one
		{arr(), arr(a, b), "aligned"},
		{arr(a), arr(), "aligned"},
		{arr(item("key", str("k"))), arr(item("key", str("l"))), "keyed:key"},
		{arr(item("name", value.Unknown())), arr(a), "aligned"},
		{arr(item("name", value.Null())), arr(item("name", str("x"))), "aligned"},
		{arr(item("name", sec(str("x")))), arr(item("name", str("x"))), "aligned"},
		{arr(sec(a)), arr(a), "aligned"},
		{arr(item("name", arr())), arr(item("name", arr())), "aligned"},
	} {
		if got := diff.Auto().For(c.old, c.now).String(); got != c.want {
			t.Errorf("row %d: %s, want %s", i, got, c.want)
		}
		got, chosen := diff.Between(c.old, c.now, diff.Options{Arrays: diff.Auto()}), diff.Between(c.old, c.now, diff.Options{Arrays: diff.Auto().For(c.old, c.now)})
		if !got.Equal(chosen) {
			t.Errorf("row %d:\n%v\nis not\n%v", i, got, chosen)
		}
	}
	if got := listed(diff.Between(arr(a, b), arr(b2, a), diff.Options{Arrays: diff.Auto()})); got != "update  order, update [0].id" {
		t.Error(got)
	}
	if got := diff.Unordered().For(arr(a), arr(b)); got != diff.Unordered() {
		t.Error(got)
	}
}
