package diff_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/golden"
	"github.com/propalg/propalg/value"
)

var update = golden.Flag()

func TestText(t *testing.T) {
	for _, c := range textCases() {
		t.Run(c.name, func(t *testing.T) {
			d := diff.Between(c.old, c.now, c.how)
			g := golden.Open(t, "testdata/text/"+c.name+".txtar", *update)
			text := diff.Text(d, c.opts)
			g.Want("text", text)
			if text == "" {
				t.Error("a difference is shown as nothing")
			}
			checkText(t, d, c.opts)
			checkText(t, d.Invert(), c.opts)
			if again := diff.Text(diff.Between(c.old, c.now, c.how), c.opts); again != text {
				t.Error("the same diff, another text")
			}
		})
	}
}

func TestTextOfEqualValuesIsEmpty(t *testing.T) {
	v := obj("a", sec(num(1)))
	if text := diff.Text(diff.Between(v, v, diff.Options{}), diff.TextOptions{}); text != "" {
		t.Errorf("%q", text)
	}
}

// TestFormat: no verb reaches what is in a diff or a change.
func TestFormat(t *testing.T) {
	type holder struct {
		d  diff.Diff
		c  diff.Change
		pd *diff.Diff
	}
	d := diff.Between(obj("p", sec(str("CANARY-1")), "o", sec(obj("CANARY-2", num(1)))), obj("p", sec(str("CANARY-3"))), diff.Options{})
	for c := range d.Changes() {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%c", "%U", "%e", "%b", "%o", "%20v", "%-5s"} {
			for _, x := range []any{d, c, &d, &c, holder{d, c, &d}, []diff.Change{c}, map[string]diff.Diff{"k": d}} {
				if text := fmt.Sprintf(verb, x); strings.Contains(text, "CANARY") || strings.Contains(text, fmt.Sprintf("%x", "CANARY")) {
					t.Errorf("%s of %T: %s", verb, x, text)
				}
			}
		}
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

// One line is what was asked for, and enough to say what is missing.
func TestTextOfOneLine(t *testing.T) {
	d := diff.Between(obj(), obj("a", num(1), "b", num(2), "c", num(3)), diff.Options{})
	if got := diff.Text(d, diff.TextOptions{MaxLines: 1}); got == diff.Text(d, diff.TextOptions{}) {
		t.Errorf("%q", got)
	}
}

// The Go syntax of a change names its type.
func TestChangeGoSyntax(t *testing.T) {
	for c := range diff.Between(obj("a", num(1)), obj("a", num(2)), diff.Options{}).Changes() {
		if got, want := fmt.Sprintf("%#v", c), "diff.Change{"+c.String()+"}"; got != want || c.GoString() != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestTextOfZeroValues(t *testing.T) {
	if got := fmt.Sprint(diff.Diff{}, "|", diff.Change{}, "|", diff.Text(diff.Diff{}, diff.TextOptions{})); got != "||" {
		t.Errorf("%q", got)
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
	const want = "~ an array (1) => an array (2)\n~ [0]: [secret]  # becomes secret, may be the same\n+ [1]: {  # may turn out otherwise\n    + a: [unknown]\n  }"
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// TestMarshalled: structured logs say what changed, masked, and kinds by name.
func TestMarshalled(t *testing.T) {
	d := diff.Between(obj("p", sec(str("CANARY")), "n", num(1)), obj("p", sec(str("CANARY2")), "n", num(2)), diff.Options{})
	got, err := json.Marshal([]any{d, d.Response(diff.ResponseOptions{})})
	if err != nil || strings.Contains(string(got), "CANARY") {
		t.Fatalf("%s, %v", got, err)
	}
	for _, want := range []string{`n: 1 =\u003e 2`, `"Changes":"DIFF_SOME"`, `"Kind":"UPDATE"`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
}

// TestMoveIsOneLine: a move says from where to where, but not inside a secret.
func TestMoveIsOneLine(t *testing.T) {
	for _, row := range []struct {
		old, now value.Value
		want     string
	}{
		{obj("l", strs("a", "b", "c")), obj("l", strs("c", "a", "b")), `> l[2] => l[0]: "c"`},
		{obj("l", sec(strs("a", "b", "c"))), obj("l", sec(strs("c", "a", "b"))), "> l: [secret] => [secret]"},
	} {
		for c := range diff.Between(row.old, row.now, diff.Options{Arrays: diff.Aligned()}).Changes() {
			if got := c.String(); got != row.want {
				t.Errorf("%s, want %s", got, row.want)
			}
		}
	}
}
