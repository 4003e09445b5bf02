package diff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// Law 6: an element that became secret, or something in it, is hidden on both
// sides, also when it was edited, moved, or is of another kind now.
func TestElementsBecomeSecret(t *testing.T) {
	const plain = "PLAIN"
	rule := func(name, pw string, k float64) value.Value {
		return obj("name", str(name), "pw", str(pw), "k", num(k))
	}
	urn := "urn:pulumi:s::p::t::a"
	for i, c := range []struct {
		old, now value.Value
		keyed    bool // also where elements are matched by their names
	}{
		{arr(str(plain), str("y")), arr(str("y"), sec(str(plain))), true},
		{arr(str(plain), str("y")), arr(str("y"), sec(str(plain)).WithDependencies(urn)), true},
		{arr(rule("a", plain, 1), rule("b", "q", 1)), arr(rule("b", "q", 1), sec(rule("a", plain, 1)).WithDependencies(urn)), true},
		{arr(str(plain)), arr(sec(obj("v", str(plain)))), true},
		{arr(obj("pw", str(plain))), arr(sec(str(`{"pw":"PLAIN"}`))), true},
		{arr(rule("a", plain, 1), rule("b", "q", 1), rule("c", "q", 1)), arr(rule("b", "q", 1), rule("c", "q", 1), sec(rule("a", plain, 2))), true},
		{arr(rule("a", plain, 1), rule("b", "q", 1)), arr(rule("b", "q", 1), obj("name", str("a"), "pw", sec(str(plain)), "k", num(2))), true},
		{arr(rule("a", plain, 1)), arr(rule("z", "q", 1), sec(rule("a", plain, 2))), true},
		{arr(rule("b", "q", 1), rule("a", plain, 1)), arr(sec(rule("a", plain, 2))), true}, // the one most like it
		{arr(str("q"), str(plain).WithDependencies(urn), str("y")), arr(str("y"), sec(str(plain))), true},
		// An element with another key is another element.
		{arr(rule("a", plain, 1)), arr(sec(rule("b", plain, 1))), false},
		{arr(rule("a", plain, 1), str("x")), arr(str("x"), sec(obj("other", str(plain)))), false},
	} {
		for _, how := range modes()[1:] {
			if strings.HasPrefix(how.String(), "keyed") && !c.keyed {
				continue
			}
			for _, d := range []diff.Diff{
				diff.Between(obj("l", c.old), obj("l", c.now), diff.Options{Arrays: how}),
				diff.Between(obj("l", c.now), obj("l", c.old), diff.Options{Arrays: how}),
			} {
				for _, text := range []string{d.String(), fmt.Sprint(slices.Collect(d.Leaves())), d.Invert().String()} {
					if strings.Contains(text, plain) || text == "" {
						t.Errorf("row %d, %v: %s", i, how, text)
					}
				}
			}
		}
	}
}

// TestSecretLeaves: a leaf of an added secret shows that it was added, and no more.
func TestSecretLeaves(t *testing.T) {
	d := diff.Between(obj(), obj("s", sec(obj("PLAIN", num(1), "b", arr(str("PLAIN"))))), diff.Options{})
	for _, c := range slices.Collect(d.Leaves()) {
		if got := c.String(); got != "+ s[secret]: [secret]" && got != "+ s: [secret]" {
			t.Errorf("a leaf that came is told as %q", got)
		}
	}
	for _, c := range slices.Collect(d.Invert().Leaves()) {
		if got := c.String(); got != "- s[secret]: [secret]" && got != "- s: [secret]" {
			t.Errorf("a leaf that went is told as %q", got)
		}
	}
}

// Elements that differ in nothing but marks are compared with each other, also when the
// marks are deep inside and other elements are as much alike.
func TestElementsThatDifferInMarks(t *testing.T) {
	nested := func(v value.Value) value.Value { return obj("a", arr(obj("k", v))) }
	old := arr(nested(str("x")), nested(str("y")))
	now := arr(nested(sec(str("y"))), nested(sec(str("x"))))
	for _, how := range []diff.Match{diff.Aligned(), diff.Unordered()} {
		for c := range diff.Between(old, now, diff.Options{Arrays: how}).Changes() {
			if c.ValueChanged() {
				t.Errorf("%v: %v", how, c)
			}
		}
	}
}
