package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// TestDiffIsBounded: many changes and long values make no long text.
func TestDiffIsBounded(t *testing.T) {
	var old, now []value.Value
	for range 1000 {
		old, now = append(old, str("x")), append(now, str(strings.Repeat("y", 10_000)))
	}
	text := diff.Between(arr(old...), arr(now...), diff.Options{}).String()
	if !strings.HasSuffix(text, "\n… 900 more") || len(text) > 30_000 {
		t.Errorf("%d bytes, ending in %q", len(text), text[max(0, len(text)-50):])
	}
}

// TestChangeIsOneLine: a key cannot forge a line, nor move a cursor.
func TestChangeIsOneLine(t *testing.T) {
	d := diff.Between(obj("x: 1 => 2\n+ admin: true\x1b[31m", num(1)), obj(), diff.Options{})
	for c := range d.Changes() {
		if text := c.String(); strings.ContainsAny(text, "\n\x1b") {
			t.Errorf("%q", text)
		}
	}
}

// The Go syntax of a change names its type.
func TestChangeGoSyntax(t *testing.T) {
	for c := range diff.Between(obj("a", num(1)), obj("a", num(2)), diff.Options{}).Changes() {
		if got, want := fmt.Sprintf("%#v", c), "diff.Change{"+c.String()+"}"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestChangeOfArrayAlone: that the elements of an array are others is told without
// them, since those that become secret are hidden on both sides.
func TestChangeOfArrayAlone(t *testing.T) {
	old, now := arr(str("canary")), arr(sec(str("canary")), obj("a", value.Unknown()))
	var got []string
	for c := range diff.Between(old, now, diff.Options{Arrays: diff.Aligned()}).Changes() {
		got = append(got, c.String())
	}
	const want = "~ array (1) => array (2)\n~ [0]: [secret]  # becomes secret, may be the same\n+ [1]: {a: [unknown]}  # may turn out otherwise"
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// TestMoveIsOneLine: a move says from where to where, but not inside a secret.
func TestMoveIsOneLine(t *testing.T) {
	for _, row := range []struct {
		old, now value.Value
		want     string
	}{
		{obj("l", arr(str("a"), str("b"), str("c"))), obj("l", arr(str("c"), str("a"), str("b"))), `> l[2] => l[0]: "c"`},
		{obj("l", sec(arr(str("a"), str("b"), str("c")))), obj("l", sec(arr(str("c"), str("a"), str("b")))), "> l: [secret] => [secret]"},
	} {
		for c := range diff.Between(row.old, row.now, diff.Options{Arrays: diff.Aligned()}).Changes() {
			if got := c.String(); got != row.want {
				t.Errorf("%s, want %s", got, row.want)
			}
		}
	}
}

// TestChangeSaysThatSidesDiffer: where the two sides have one text, a note says that they
// differ, but not of secrets, which always have one text.
func TestChangeSaysThatSidesDiffer(t *testing.T) {
	reference := func(version string) value.Value {
		return value.ResourceReference{URN: urnA, ID: value.KnownID("i"), PackageVersion: version}.Value()
	}
	long := strings.Repeat("x", 1000)
	const note = "  # differ in what is not shown"
	for i, row := range []struct {
		old, now value.Value
		noted    bool
	}{
		{reference("1.0.0"), reference("1.0.1"), true},
		{str(long + "a"), str(long + "b"), true},
		{str("a"), str("b"), false},
		{sec(str("a")), sec(str("b")), false},
		{str("a"), dep(str("a"), urnA), false},
	} {
		for c := range diff.Between(row.old, row.now, diff.Options{}).Changes() {
			text := c.String()
			before, after, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(text, "~ "), note), " => ")
			if strings.HasSuffix(text, note) != row.noted || (row.noted && before != after) {
				t.Errorf("row %d: %s", i, text)
			}
		}
	}
}
