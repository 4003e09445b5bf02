package render_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/internal/test/golden"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

var update = golden.Flag()

func TestText(t *testing.T) {
	for _, c := range textCases() {
		t.Run(c.name, func(t *testing.T) {
			d := diff.Between(c.old, c.now, c.how)
			g := golden.Open(t, "testdata/text/"+c.name+".txtar", *update)
			text := render.Text(d, c.opts)
			g.Want("text", text)
			if text == "" {
				t.Error("a difference is shown as nothing")
			}
			checkText(t, d, c.opts)
			checkText(t, d.Invert(), c.opts)
			c.opts.Secrets = max(c.opts.Secrets, value.KeepSealed) // which has no form here, and masks
			if again := render.Text(diff.Between(c.old, c.now, c.how), c.opts); again != text {
				t.Error("the same diff, another text")
			}
		})
	}
}

func TestTextOfEqualValuesIsEmpty(t *testing.T) {
	v := obj("a", sec(num(1)))
	if text := render.Text(diff.Between(v, v, diff.Options{}), render.Options{}); text != "" {
		t.Errorf("%q", text)
	}
}

func TestTextOfZeroValues(t *testing.T) {
	if got := fmt.Sprint(diff.Diff{}, "|", diff.Change{}, "|", render.Text(diff.Diff{}, render.Options{})); got != "||" {
		t.Errorf("%q", got)
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

// One line is what was asked for, and enough to say what is missing.
func TestTextOfOneLine(t *testing.T) {
	d := diff.Between(obj(), obj("a", num(1), "b", num(2), "c", num(3)), diff.Options{})
	if got := render.Text(d, render.Options{MaxLines: 1}); got == render.Text(d, render.Options{}) {
		t.Errorf("%q", got)
	}
}

// TestMarshalled: structured logs say what changed, masked, and kinds by name.
func TestMarshalled(t *testing.T) {
	d := diff.Between(obj("p", sec(str("CANARY")), "n", num(1)), obj("p", sec(str("CANARY2")), "n", num(2)), diff.Options{})
	got, err := json.Marshal([]any{d, provider.Differ{}.Respond(d)})
	if err != nil || strings.Contains(string(got), "CANARY") {
		t.Fatalf("%s, %v", got, err)
	}
	for _, want := range []string{`n: 1 =\u003e 2`, `"Changes":"DIFF_SOME"`, `"Kind":"UPDATE"`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
}
