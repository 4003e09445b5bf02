package patch_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

var revealed = patch.Options{Secrets: patch.RevealSecrets}

// unwritable are the causes for which Marshal may fail.
var unwritable = []error{codec.ErrUTF8, codec.ErrSentinel, codec.ErrSignature, codec.ErrNumber}

func TestRoundTrip(t *testing.T) {
	written, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		old, now := pair(t)
		o := options(t)
		d := diff.Between(old, now, o)
		text, err := patch.Marshal(d, revealed)
		if err != nil {
			refused++
			if !slices.ContainsFunc(unwritable, func(cause error) bool { return errors.Is(err, cause) }) {
				t.Fatalf("marshal: %v", err)
			}
			return
		}
		written++
		p, err := patch.Unmarshal(text, patch.Options{})
		if err != nil || !p.Diff().Equal(d) {
			t.Fatalf("%v, %v: %v\n%s\n%#v\nis not\n%#v", o.Relation, o.Arrays, err, text, p.Diff(), d)
		}
		again, err := patch.Marshal(p.Diff(), revealed)
		if err != nil || !bytes.Equal(text, again) {
			t.Fatalf("%v: other bytes\n%s\n%s", err, text, again)
		}
		next, err := p.Apply(old, patch.CheckBase)
		if err != nil || !o.Relation.Equal(next, now) {
			t.Fatalf("apply: %v\n%s", err, text)
		}
		inverse, err := patch.Marshal(d.Invert(), revealed)
		if err != nil {
			t.Fatalf("inverse: %v", err)
		}
		if p, err := patch.Unmarshal(inverse, patch.Options{}); err != nil || !p.Diff().Equal(d.Invert()) {
			t.Fatalf("inverse: %v\n%s", err, inverse)
		}
	})
	if written < refused {
		t.Errorf("%d written, %d refused", written, refused)
	}
}

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
		for p := range d.Places() {
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

// Ciphertexts are kept where there is no other secret.
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
		for _, how := range []patch.Secrets{patch.MaskSecrets, patch.KeepSealed, 200} {
			text, err := patch.Marshal(d, patch.Options{Secrets: how})
			if err != nil {
				t.Fatal(err)
			}
			p, err := patch.Unmarshal(text, patch.Options{})
			if readable := row.readable && how == patch.KeepSealed; readable != (err == nil) || readable && !p.Diff().Equal(d) {
				t.Errorf("row %d, %d: %v\n%s", i, how, err, text)
			}
		}
	}
}

// A patch is for one base, of which secrets do not count.
func TestFingerprint(t *testing.T) {
	secret := func(v value.Value) value.Value {
		return obj("a", num(1), "s", arr(value.Secret(v).WithDependencies("urn:a"), v.DropSecret()))
	}
	plain := func(v value.Value) value.Value { return obj("a", num(1), "s", arr(value.Secret(v), num(7))) }
	one := patch.Fingerprint(plain(str("x")))
	for i, row := range []struct {
		v    value.Value
		same bool
	}{
		{plain(str("y")), true},
		{plain(obj("k", value.Unknown().WithDependencies("urn:b"))), true},
		{plain(value.Sealed{Ciphertext: "c", Provider: "p"}.Value()), true},
		{plain(value.Null()), true},
		{obj("a", num(1), "s", arr(value.Secret(str("x")).WithDependencies("urn:a"), num(7))), false},
		{obj("a", num(1), "s", arr(str("x"), num(7))), false},
		{obj("a", num(2), "s", arr(value.Secret(str("x")), num(7))), false},
		{value.Secret(plain(str("x"))), false},
		{secret(str("x")), false},
	} {
		if got := patch.Fingerprint(row.v); len(got) != 64 || (got == one) != row.same {
			t.Errorf("row %d: %s, of the base %s", i, got, one)
		}
	}
	if patch.Fingerprint(value.Secret(num(1))) != patch.Fingerprint(value.Secret(arr(num(1))).Elem(0)) {
		t.Error("a secret that was handed out is another")
	}
	if patch.Fingerprint(num(1)) == patch.Fingerprint(num(2)) {
		t.Error("numbers")
	}
}

// The fingerprint is the digest of the value with its secrets replaced, however
// they are nested.
func TestFingerprintOfAny(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, _ := pair(t)
		want := v
		if v.IsSecret() {
			want = value.Secret(value.Null()).WithDependencies(slices.Collect(v.Dependencies())...)
		}
		for p := range value.SecretPaths(v) {
			at, _ := want.At(p)
			above, ok := p.Parent()
			if outer, _ := want.At(above); !ok || outer.IsSecret() {
				continue
			}
			want, _ = want.With(p, value.Secret(value.Null()).WithDependencies(slices.Collect(at.Dependencies())...))
		}
		if digest := want.Digest(); patch.Fingerprint(v) != hexOf(digest[:]) {
			t.Fatalf("%#v\n%#v", v, want)
		}
	})
}

func TestApplyChecksBase(t *testing.T) {
	old, now := obj("a", num(1), "b", num(1)), obj("a", num(2), "b", num(1))
	other := obj("a", num(1), "b", num(2))
	text, err := patch.Marshal(diff.Between(old, now, diff.Options{}), patch.Options{Base: patch.Fingerprint(old)})
	if err != nil {
		t.Fatal(err)
	}
	p, err := patch.Unmarshal(text, patch.Options{})
	if err != nil || p.Base() != patch.Fingerprint(old) {
		t.Fatal(err, p.Base())
	}
	if got, err := p.Apply(old, patch.CheckBase); err != nil || !got.Equal(now) {
		t.Error(err)
	}
	if got, err := p.Apply(other, patch.CheckBase); !errors.Is(err, patch.ErrBase) || !got.Identical(other) {
		t.Errorf("another base: %v, %v", got, err)
	}
	if got, err := p.Apply(other, patch.SkipBaseCheck); err != nil || !got.Equal(obj("a", num(2), "b", num(2))) {
		t.Errorf("any base: %v, %v", got, err)
	}
	if got, err := p.Apply(now, patch.SkipBaseCheck); !errors.Is(err, diff.ErrFit) || !got.Identical(now) {
		t.Errorf("a base that does not fit: %v, %v", got, err)
	}
}

func hexOf(b []byte) string {
	const digits = "0123456789abcdef"
	var out strings.Builder
	for _, c := range b {
		out.WriteByte(digits[c>>4])
		out.WriteByte(digits[c&15])
	}
	return out.String()
}
