package patch_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// What is secret on one side shows on neither, also where a container is itself a
// change and has both values (law 6).
func TestMaskedOnBothSides(t *testing.T) {
	const plain = "PLAINTEXT"
	sec := func(s string) value.Value { return value.Secret(str(s)) }
	sealed := value.Sealed{Ciphertext: "c"}.Value()
	item := func(name string, pw value.Value) value.Value { return obj("name", str(name), "pw", pw) }
	rows := []struct {
		old, now value.Value
		want     string // part of the text
		moved    bool   // so that at an index there is another element
	}{
		{obj("o", obj("pw", str(plain))), obj("o", obj("pw", sec(plain)).WithDependencies("urn:x")), `"own":["dependencies"],"masked":true,"members":{"pw":{`, false},
		{obj("o", obj("pw", str(plain))), obj("o", obj("pw", sealed).WithDependencies("urn:x")), `"own":["dependencies"]`, false},
		{obj("o", obj("q", sec("s"), "p", num(1))), obj("o", obj("q", sec("s"), "p", num(2)).WithDependencies("urn:x")), `"p":{"op":"update","old":1,"new":2}`, false},
		{obj("o", obj("a", obj("pw", str(plain)))), obj("o", obj("a", obj("pw", sec(plain)).WithDependencies("urn:y")).WithDependencies("urn:x")), `"own":["dependencies"]`, false},
		{
			obj("l", arr(item("a", str(plain)), item("b", num(1)), item("c", num(1)))),
			obj("l", arr(item("c", num(1)), item("b", num(1)), item("a", sec(plain)))), "", true,
		},
		{
			obj("l", arr(item("a", str(plain)), item("b", sealed))),
			obj("l", arr(item("b", str("x")), item("a", sealed)).WithDependencies("urn:x")), "", true,
		},
		{obj("o", arr(str(plain))), obj("o", value.Secret(arr(str(plain)))), "", false},
	}
	for i, row := range rows {
		for _, how := range []diff.Match{diff.Positional(), diff.Keyed(path.MustParse("name")), diff.Aligned()} {
			for _, r := range []value.Relation{value.Strict, value.IgnoreSecrets} {
				for _, o := range []patch.Options{{}, {Secrets: patch.KeepSealed}} {
					d := diff.Between(row.old, row.now, diff.Options{Arrays: how, Relation: r})
					for _, d := range []diff.Diff{d, d.Invert()} {
						text, err := patch.Marshal(d, o)
						if err != nil {
							t.Fatal(err)
						}
						if (!row.moved || how != diff.Positional()) && strings.Contains(string(text), plain) {
							t.Errorf("row %d, %v, %v, %v: %s", i, how, r, o.Secrets, text)
						}
						if _, err := patch.Unmarshal(text, patch.Options{}); r == value.Strict && !errors.Is(err, codec.ErrMasked) {
							t.Errorf("row %d, %v, %v: %v\n%s", i, how, o.Secrets, err, text)
						}
					}
					if text, _ := patch.Marshal(d, o); r == value.Strict && !strings.Contains(string(text), row.want) {
						t.Errorf("row %d, %v: %s\nwithout %s", i, o.Secrets, text, row.want)
					}
				}
			}
		}
	}
}

// Marking anything below containers that change themselves hides what it was.
func TestMaskedLeaf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const plain = "PLAINTEXT"
		old, now := str(plain), value.Secret(str(plain))
		for range rapid.IntRange(1, 5).Draw(t, "depth") {
			wrap := rapid.IntRange(0, 3).Draw(t, "wrap")
			switch wrap & 1 {
			case 0:
				old, now = obj("name", str("n"), "v", old), obj("name", str("n"), "v", now)
			case 1:
				old, now = arr(num(1), obj("name", str("n"), "v", old), num(2)), arr(num(2), obj("name", str("n"), "v", now), num(1))
			}
			if wrap&2 != 0 {
				now = now.WithDependencies("urn:a")
			}
		}
		d := diff.Between(old, now, options(t))
		for _, d := range []diff.Diff{d, d.Invert()} {
			for _, how := range []patch.Secrets{patch.MaskSecrets, patch.KeepSealed} {
				text, err := patch.Marshal(d, patch.Options{Secrets: how})
				if err != nil || strings.Contains(string(text), plain) {
					t.Fatalf("%v: %v\n%s", how, err, text)
				}
			}
		}
	})
}
