package patch_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/difftree"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Masked: what was masked is refused, what has no secret is as revealed.
func TestMasked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, now := pair(t)
		d := diff.Between(old, now, options(t))
		text, err := patch.Marshal(d, patch.Options{})
		if err != nil {
			return
		}
		secret := false
		for c := range d.Changes() {
			x, _ := c.Old()
			y, _ := c.New()
			secret = secret || c.Secret() || x.ContainsSecret() || y.ContainsSecret()
		}
		for p := range difftree.Places(diff.Internal.Tree(d)) {
			inside, _ := p.Inside()
			secret = secret || inside.Secret
		}
		p, err := patch.Unmarshal(text, patch.Options{})
		switch {
		case secret != strings.Contains(string(text), `"masked":true`):
			t.Fatalf("secret %v: %s", secret, text)
		case secret && !errors.Is(err, codec.ErrMasked):
			t.Fatalf("masked: %v\n%s", err, text)
		case secret && !strings.Contains(err.Error(), "with secrets shown"):
			t.Fatalf("no advice: %v", err)
		case !secret && (err != nil || !p.Diff().Equal(d)):
			t.Fatalf("%v\n%s", err, text)
		}
	})
}

// Ciphertexts are kept in values without other secrets.
func TestKeepSealed(t *testing.T) {
	sealed := func(text string) value.Value { return value.Sealed{Ciphertext: text}.Value() }
	for i, row := range []struct {
		old, now value.Value
		readable bool
	}{
		{obj("a", sealed("c")), obj("a", sealed("d")), true},
		{obj("a", sealed("c")), obj(), true},
		{obj(), obj("a", arr(num(1), sealed("d"))), true},
		{obj(), obj("a", arr(value.Secret(num(1)), sealed("d"))), false},
		{obj("a", sealed("c")), obj("a", value.Secret(num(1))), false},
		{obj("a", sealed("c")), obj("a", num(1)), false}, // a value that was secret
		{value.Secret(obj("a", sealed("c"))), value.Secret(obj("a", sealed("d"))), false},
	} {
		d := diff.Between(row.old, row.now, diff.Options{})
		for _, how := range []value.Secrets{value.MaskSecrets, value.KeepSealed, 200} {
			text, err := patch.Marshal(d, patch.Options{Secrets: how})
			if err != nil {
				t.Fatal(err)
			}
			p, err := patch.Unmarshal(text, patch.Options{})
			if readable := row.readable && how == value.KeepSealed; readable != (err == nil) || (readable && !p.Diff().Equal(d)) {
				t.Errorf("row %d, %d: %v\n%s", i, how, err, text)
			}
		}
	}
}

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
				for _, o := range []patch.Options{{}, {Secrets: value.KeepSealed}} {
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
			for _, how := range []value.Secrets{value.MaskSecrets, value.KeepSealed} {
				text, err := patch.Marshal(d, patch.Options{Secrets: how})
				if err != nil || strings.Contains(string(text), plain) {
					t.Fatalf("%v: %v\n%s", how, err, text)
				}
			}
		}
	})
}

// TestUnwritable: what JSON cannot hold is an error with its path, and nothing is
// written.
func TestUnwritable(t *testing.T) {
	secret := func(v value.Value) value.Value { return value.Secret(obj("k", v)) }
	deep := num(1)
	for range value.MaxDepth {
		deep = arr(deep)
	}
	for i, row := range []struct {
		old, now value.Value
		o        diff.Options
		at       string
		cause    error
	}{
		{obj("a", num(1)), obj("a", num(math.NaN())), diff.Options{}, "a", codec.ErrNumber},
		{obj("a", num(1)), obj("a", obj("b", arr(num(math.Inf(1))))), diff.Options{}, "a.b[0]", codec.ErrNumber},
		{obj("a", num(1)), obj("a", secret(num(math.NaN()))), diff.Options{}, "a[secret]", codec.ErrNumber},
		{obj("a", secret(num(1))), obj("a", secret(num(math.NaN()))), diff.Options{}, "a[secret]", codec.ErrNumber},
		{obj("\xff", num(1)), obj("\xff", num(2)), diff.Options{}, "[\"\xff\"]", codec.ErrUTF8},
		{obj("a", secret(obj("\xff", num(1)))), obj("a", secret(obj("\xff", num(2)))), diff.Options{}, "a[secret]", codec.ErrUTF8},
		{num(1), deep, diff.Options{}, "", codec.ErrDepth},
		{num(1), num(2), diff.Options{Relation: 1 << 9}, "", codec.ErrOptions},
	} {
		d := diff.Between(row.old, row.now, row.o)
		out, err := patch.Marshal(d, revealed)
		var e *patch.Error
		at := ""
		if errors.As(err, &e) {
			at = e.At.String()
		}
		if !errors.Is(err, row.cause) || (!errors.Is(err, codec.ErrDepth) && at != row.at) || out != nil {
			t.Errorf("row %d: %v at %q, %d bytes", i, err, at, len(out))
		}
	}
	for _, o := range []patch.Options{{Depth: -1}, {Base: "x"}} {
		if _, err := patch.Marshal(diff.Diff{}, o); !errors.Is(err, codec.ErrOptions) {
			t.Error(err)
		}
		if _, err := patch.Unmarshal(`{"propalg":"diff/1"}`, o); !errors.Is(err, codec.ErrOptions) {
			t.Error(err)
		}
	}
}
