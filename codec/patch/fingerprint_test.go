package patch_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/value"
)

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
		for p := range v.SecretPaths() {
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

func hexOf(b []byte) string {
	const digits = "0123456789abcdef"
	var out strings.Builder
	for _, c := range b {
		out.WriteByte(digits[c>>4])
		out.WriteByte(digits[c&15])
	}
	return out.String()
}
