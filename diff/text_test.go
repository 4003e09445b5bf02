package diff_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/golden"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

var update = golden.Flag()

func str(s string) value.Value      { return value.String(s) }
func num(f float64) value.Value     { return value.Number(f) }
func sec(v value.Value) value.Value { return value.Secret(v) }

func obj(pairs ...any) value.Value {
	var ms []value.Member
	for i := 0; i < len(pairs); i += 2 {
		ms = append(ms, value.Member{Key: pairs[i].(string), Value: pairs[i+1].(value.Value)})
	}
	return value.Object(ms...)
}

func arr(vs ...value.Value) value.Value { return value.Array(vs...) }

func patterns(texts ...string) *path.Set {
	var ps []path.Pattern
	for _, t := range texts {
		p, err := path.ParsePattern(t)
		if err != nil {
			panic(err)
		}
		ps = append(ps, p)
	}
	return path.NewSet(ps...)
}

// textCase is a situation that the renderer must tell well; what it tells is in
// testdata/text/NAME.txtar.
type textCase struct {
	name     string
	old, now value.Value
	opts     diff.TextOptions
}

func textCases() []textCase {
	literal := func(ms ...value.Member) value.Value {
		a, err := value.LiteralArchive(ms...)
		if err != nil {
			panic(err)
		}
		return a.Value()
	}
	long := strings.Repeat("0123456789", 40)
	many := make([]value.Value, 1000)
	for i := range many {
		many[i] = num(float64(i))
	}
	return []textCase{
		{"scalars", obj("b", value.Bool(true), "n", num(1), "s", str("old"), "same", num(7)), obj("b", value.Bool(false), "n", num(1.5), "s", str("new"), "same", num(7)), diff.TextOptions{}},
		{"nested", obj("a", obj("b", obj("c", num(1), "d", num(2)))), obj("a", obj("b", obj("c", num(3), "e", num(4)))), diff.TextOptions{}},
		{"subtrees", obj("gone", obj("x", arr(num(1), obj()), "longer name", value.Null())), obj("came", arr(obj("k", str("v")), arr())), diff.TextOptions{}},
		{"array", arr(num(1), num(2), num(3)), arr(num(1), num(4)), diff.TextOptions{}},
		{"kinds", obj("a", str(""), "b", arr(), "c", obj("k", num(1))), obj("a", arr(), "b", obj(), "c", arr(num(1))), diff.TextOptions{}},
		{"root", num(1), arr(num(1)), diff.TextOptions{}},
		{"replace", obj("a", num(1), "b", obj("c", num(1)), "d", num(1)), obj("a", num(2), "b", obj("c", num(2)), "e", obj("f", num(1))), diff.TextOptions{ReplaceOn: patterns("a", "b", "e.f")}},
		{"secret-leaf", obj("p", sec(str("one"))), obj("p", sec(str("two"))), diff.TextOptions{}},
		{"secret-container", obj("o", sec(obj("hidden key", num(1), "other", num(2)))), obj("o", sec(obj("hidden key", num(3), "third", num(2)))), diff.TextOptions{}},
		{"secret-container-loses", obj("o", sec(obj("hidden key", num(1), "other", num(2)))), obj("o", sec(obj("other", num(2)))), diff.TextOptions{}},
		{"secret-added", obj("x", obj()), obj("x", obj("y", sec(obj("k", num(1))), "z", arr(sec(str("s")), str("open")))), diff.TextOptions{}},
		{"becomes-secret", obj("a", str("x"), "b", sec(str("y"))), obj("a", sec(str("x")), "b", str("y")), diff.TextOptions{}},
		{"becomes-secret-and-changes", obj("a", str("x")), obj("a", sec(str("z"))), diff.TextOptions{}},
		{"revealed", obj("p", sec(str("one")), "o", sec(obj("k", num(1), "l", sec(num(2))))), obj("p", sec(str("two")), "o", sec(obj("k", num(2), "m", sec(arr(num(2)))))), diff.TextOptions{Secrets: diff.RevealSecrets}},
		{"dependencies", obj("a", num(1).WithDependencies("urn:pulumi:a::b::c::d"), "o", obj("x", num(1))), obj("a", num(1), "o", obj("x", num(2)).WithDependencies("urn:pulumi:a::b::c::d")), diff.TextOptions{}},
		{"unknown", obj("a", num(1), "b", value.Unknown(), "d", num(2)), obj("a", value.Unknown(), "b", num(1), "c", value.Unknown(), "d", sec(value.Unknown())), diff.TextOptions{}},
		{"assets", obj("a", value.FileAsset("x").WithHash("0123456789abcdef").Value(), "b", value.TextAsset("one").Value(), "c", value.FileAsset("f").Value()), obj("a", value.FileAsset("x").WithHash("fedcba9876543210").Value(), "b", value.TextAsset("two").Value(), "c", value.FileAsset("f").WithHash("0123456789").Value()), diff.TextOptions{}},
		{"archives", obj("a", value.FileArchive("x.zip").WithHash("0123456789abcdef").Value(), "b", literal(value.Member{Key: "f", Value: value.TextAsset("1").Value()})), obj("a", value.FileArchive("x.zip").Value(), "b", literal()), diff.TextOptions{}},
		{"references", obj("r", value.ResourceReference{URN: "urn:pulumi:a::b::c::d", ID: value.KnownID("i")}.Value()), obj("r", value.ResourceReference{URN: "urn:pulumi:a::b::c::d", ID: value.UnknownID()}.Value()), diff.TextOptions{}},
		{"sealed", obj("s", value.Sealed{Ciphertext: "v1:abc", Provider: "passphrase"}.Value()), obj("s", value.Sealed{Ciphertext: "v1:def", Provider: "passphrase"}.Value()), diff.TextOptions{Secrets: diff.RevealSecrets}},
		{"odd-keys", obj("a b", num(1), "", num(1), "new\nline", num(1), "\x1b[31m", num(1), "kl\xff", num(1), "ünï", num(1), `q"`, num(1)), obj(), diff.TextOptions{}},
		{"odd-strings", obj("a", str("\x1b[31mred\x1b[0m"), "b", str("line\nline"), "c", str("\xff\xfe"), "d", str("tab\tü")), obj("a", str("x"), "b", str("line"), "c", str("ok"), "d", str("\u202eevil")), diff.TextOptions{}},
		{"long", obj("s", str("a"+long), strings.Repeat("key", 100), num(1)), obj("s", str("b"+long), strings.Repeat("key", 100), num(2)), diff.TextOptions{}},
		{"long-middle", obj("s", str(long+"a"+long)), obj("s", str(long+"ä"+long)), diff.TextOptions{}},
		{"replace-inside", obj("gone", obj("x", arr(obj("k", num(1)), num(2)))), obj("s", obj("k", sec(obj("x", num(1))))), diff.TextOptions{ReplaceOn: patterns("gone.x[*].k", "s.k.x")}},
		{"wide", obj("s", str("a"+long)), obj("s", str("b"+long)), diff.TextOptions{Width: 1000}},
		{"narrow", obj("s", str("aäöüaäöüaäöüaäöüaäöü")), obj("s", str("b"+long)), diff.TextOptions{Width: 1}},
		{"many", obj(), obj("list", arr(many...)), diff.TextOptions{}},
		{"indented", obj("a", obj("b", num(1))), obj("a", obj("b", num(2))), diff.TextOptions{Indent: 2}},
		{"null", obj("a", value.Null(), "b", num(1), "c", value.Null()), obj("a", num(1), "b", value.Null()), diff.TextOptions{}},
		{"deep", deep(40, num(1)), deep(40, num(2)), diff.TextOptions{}},
		{"deep-many", deep(12, onEveryLevel(300, 1)), deep(12, onEveryLevel(300, 2)), diff.TextOptions{}},
		{"deep-secret", deep(14, sec(obj("hidden", num(1)))), deep(14, sec(obj("hidden", num(2)))), diff.TextOptions{}},
		{"becomes-unknown", obj("o", obj("a", num(1))), obj("o", value.Unknown()), diff.TextOptions{}},
		{"replace-hidden", obj("s", sec(obj("k", obj("x", num(1)), "l", num(1)))), obj("s", sec(obj("k", obj("x", num(2)), "l", num(2)))), diff.TextOptions{ReplaceOn: patterns("s.k.x")}},
		{"secret-dependencies", obj("s", sec(obj("k", num(1)))), obj("s", sec(obj("k", num(2))).WithDependencies("urn:pulumi:a::b::c::d")), diff.TextOptions{}},
	}
}

func deep(levels int, v value.Value) value.Value {
	for range levels {
		v = obj("a", arr(v))
	}
	return v
}

// onEveryLevel is a value with a number on each of many levels.
func onEveryLevel(levels int, f float64) value.Value {
	v := num(f)
	for range levels {
		v = obj("k", v, "v", num(f))
	}
	return v
}

func TestText(t *testing.T) {
	for _, c := range textCases() {
		t.Run(c.name, func(t *testing.T) {
			d := diff.Between(c.old, c.now, diff.Options{})
			g := golden.Open(t, "testdata/text/"+c.name+".txtar", *update)
			text := diff.Text(d, c.opts)
			g.Want("text", text)
			if text == "" {
				t.Error("a difference is shown as nothing")
			}
			checkLines(t, text)
			checkLines(t, diff.Text(d.Invert(), c.opts))
			if again := diff.Text(diff.Between(c.old, c.now, diff.Options{}), c.opts); again != text {
				t.Error("the same diff, another text")
			}
		})
	}
}

// checkLines: every text is UTF-8, ends with a newline, and holds nothing that
// moves a terminal's cursor.
func checkLines(t *testing.T, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Error("not UTF-8")
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		t.Error("no newline at the end")
	}
	for _, r := range text {
		if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e') {
			t.Errorf("the text holds %U", r)
		}
	}
}

func TestTextOfEqualValuesIsEmpty(t *testing.T) {
	v := obj("a", sec(num(1)))
	if text := diff.Text(diff.Between(v, v, diff.Options{}), diff.TextOptions{}); text != "" {
		t.Errorf("%q", text)
	}
}

// TestTextIsBounded: whatever the size of the values, a text of reasonable size,
// and the end of a long string is never walked.
func TestTextIsBounded(t *testing.T) {
	huge := strings.Repeat("ä", 5_000_000)
	wide := make([]value.Value, 200_000)
	for i := range wide {
		wide[i] = arr(num(float64(i)))
	}
	for name, v := range map[string]value.Value{
		"string": str(huge), "key": obj(huge, num(1)), "array": arr(wide...), "depth": deep(100_000, num(1)),
	} {
		d := diff.Between(obj(), obj("v", v), diff.Options{})
		if n := len(diff.Text(d, diff.TextOptions{})); n > 1<<20 {
			t.Errorf("%s: a text of %d bytes", name, n)
		}
		d = diff.Between(obj("v", str("x"+huge)), obj("v", v), diff.Options{})
		if n := len(d.String()); n > 1<<20 {
			t.Errorf("%s, updated: a text of %d bytes", name, n)
		}
		for c := range d.Changes() {
			if n := len(c.String()); n > 1<<20 {
				t.Errorf("%s: a change of %d bytes", name, n)
			}
		}
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

// TestTextOfDepthIsLinear: a change on each of 50,000 levels is told in a text of
// bounded size; a quadratic writer would take minutes.
func TestTextOfDepthIsLinear(t *testing.T) {
	d := diff.Between(onEveryLevel(50_000, 1), onEveryLevel(50_000, 2), diff.Options{})
	if text := diff.Text(d, diff.TextOptions{ReplaceOn: patterns("k.k.k")}); len(text) > 1<<18 || !strings.Contains(text, "more changes below") {
		t.Errorf("%d bytes", len(text))
	}
	if text := diff.Text(d, diff.TextOptions{Indent: math.MaxInt}); len(text) > 1<<19 {
		t.Errorf("%d bytes", len(text))
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

func TestTextOfZeroValues(t *testing.T) {
	if got := fmt.Sprint(diff.Diff{}, "|", diff.Change{}, "|", diff.Text(diff.Diff{}, diff.TextOptions{})); got != "||" {
		t.Errorf("%q", got)
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
