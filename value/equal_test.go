package value_test

import (
	"crypto/sha256"
	"hash/maphash"
	"math"
	"slices"
	"testing"

	"github.com/propalg/propalg/value"
)

// relations are all there are.
func relations() []value.Relation {
	all := value.NullAsMissing | value.IgnoreSecrets | value.IgnoreDependencies | value.IgnoreReferenceDetails
	var rs []value.Relation
	for r := value.Strict; r <= all; r++ {
		rs = append(rs, r)
	}
	return rs
}

func TestEqualMatrix(t *testing.T) {
	vs := varied(t)
	if len(vs) < 80 {
		t.Fatalf("only %d values", len(vs))
	}
	copies := make([]value.Value, len(vs)) // so that equality cannot be one of memory
	for i, v := range vs {
		if err := flaw(v); err != nil {
			t.Errorf("value %d: %v", i, err)
		}
		copies[i] = v.Compact()
	}
	seed := maphash.MakeSeed()
	equal := 0
	for _, r := range relations() {
		texts, hashes := make([]string, len(vs)), make([]uint64, len(vs))
		for i, v := range vs {
			texts[i], hashes[i] = oracle{rel: r}.text(v, v.IsSecret(), false), r.Hash(seed, v)
		}
		for i, v := range vs {
			for j, w := range copies {
				want := texts[i] == texts[j]
				if want {
					equal++
				}
				if got := r.Equal(v, w); got != want {
					t.Errorf("%v: Equal(%d, %d) = %v\n%s\n%s", r, i, j, got, texts[i], texts[j])
				}
				if got := r.Compare(v, w); (got == 0) != want || r.Compare(w, v) != -got {
					t.Errorf("%v: Compare(%d, %d) = %d and %d the other way\n%s\n%s", r, i, j, got, r.Compare(w, v), texts[i], texts[j])
				}
				if got := hashes[i] == hashes[j]; got != want {
					t.Errorf("%v: equality of hashes of %d, %d = %v\n%s\n%s", r, i, j, got, texts[i], texts[j])
				}
				if got := r.Compatible(v, w); (got == value.Same) != want || r.Compatible(w, v) != got {
					t.Errorf("%v: Compatible(%d, %d) = %v and %v the other way\n%s\n%s", r, i, j, got, r.Compatible(w, v), texts[i], texts[j])
				} else if got == value.Maybe && !open(v) && !open(w) {
					t.Errorf("%v: Compatible(%d, %d) = %v, but nothing is open\n%s\n%s", r, i, j, got, texts[i], texts[j])
				}
			}
		}
		checkOrder(t, r, vs)
	}
	t.Logf("%d values, %d equal pairs under %d relations", len(vs), equal, len(relations()))
}

// What is equal is so inside a container too, where Equal looks before it asks.
func TestEqualInside(t *testing.T) {
	vs := varied(t)
	copies := make([]value.Value, len(vs)) // so that equality cannot be one of memory
	inside := func(v value.Value) [2]value.Value {
		return [2]value.Value{value.Array(v), value.Object(value.Member{Key: "key", Value: v})}
	}
	olds, news := make([][2]value.Value, len(vs)), make([][2]value.Value, len(vs))
	for i, v := range vs {
		copies[i] = v.Compact()
		olds[i], news[i] = inside(v), inside(copies[i])
	}
	for _, r := range relations() {
		for i, v := range vs {
			for j, w := range copies {
				want := r.Equal(v, w)
				for k, in := range olds[i] {
					if got := r.Equal(in, news[j][k]); got != want {
						t.Errorf("%v: Equal(%d, %d) is %v, and %v in %v", r, i, j, want, got, in.Kind())
					}
				}
			}
		}
	}
}

// open reports whether something in v may turn out to be something else:
// unknowns, sealed secrets, contents of unknown hash.
func open(v value.Value) bool {
	for c := range v.Walk() {
		switch c.Value().Kind() {
		case value.KindUnknown, value.KindSealed, value.KindArchive, value.KindAsset:
			return true
		}
	}
	return v.ContainsUnknown()
}

// checkOrder checks that Compare is transitive: sorted by it, every value is at
// most every later one.
func checkOrder(t *testing.T, r value.Relation, vs []value.Value) {
	t.Helper()
	sorted := slices.Clone(vs)
	slices.SortFunc(sorted, r.Compare)
	for i := range sorted {
		for j := i; j < len(sorted); j++ {
			if r.Compare(sorted[i], sorted[j]) > 0 {
				t.Errorf("%v: no total order", r)
				return
			}
		}
	}
}

func TestDigestAndIdenticalMatrix(t *testing.T) {
	vs := varied(t)
	for i, v := range vs {
		for j := range vs {
			w := vs[j].Compact()
			if got, want := v.Digest() == w.Digest(), v.Equal(w); got != want {
				t.Errorf("equality of digests of %d, %d = %v, of values %v", i, j, got, want)
			}
			if got, want := v.Identical(w), (oracle{exact: true}).same(v, w); got != want {
				t.Errorf("Identical(%d, %d) = %v, want %v", i, j, got, want)
			}
			if got := value.Internal.CompareIdentical(v, w); (got == 0) != v.Identical(w) || value.Internal.CompareIdentical(w, v) != -got {
				t.Errorf("CompareIdentical(%d, %d) = %d and %d the other way", i, j, got, value.Internal.CompareIdentical(w, v))
			}
			if v.Identical(w) && !v.Equal(w) {
				t.Errorf("%d, %d are identical, but not equal", i, j)
			}
			if value.Internal.SharesMemory(v, vs[j]) && !v.Identical(w) {
				t.Errorf("%d, %d share memory, but are not identical", i, j)
			}
		}
	}
}

// The digest is a promise across releases and machines: here is the form of a
// value, written by hand.
func TestDigestIsOfTheForm(t *testing.T) {
	reference := value.ResourceReference{URN: "u", ID: value.KnownID("i"), Name: "n"}
	v := object(
		member("a", value.Array(num(1), value.Secret(str("x")), value.Null(), value.Bool(true), num(math.Copysign(0, -1)))),
		member("b", value.Secret(value.Unknown()).WithDependencies("v", "u")),
		member("c", value.Array(value.TextAsset("hello"), value.FileAsset("f"), reference.Value())),
		member("d", archive(t, member("f", value.FileArchive("").WithHash("h").DropContent()))),
		member("e", value.Sealed{Ciphertext: "c", Provider: "p"}.Value()),
	)
	form := "propalg value 1\n{" +
		":\x01a[d\x3f\xf0\x00\x00\x00\x00\x00\x00Ss\x01xntd\x00\x00\x00\x00\x00\x00\x00\x00]" +
		":\x01bSD\x02\x01u\x01v?" +
		":\x01c[a\x40" + hash + "A\x01\x01f@\x01u\x01\x01i\x00\x01n\x00]" +
		":\x01dR\x03\x00:\x01fr\x01h}" +
		":\x01eSc\x01p\x01c}"
	if v.Digest() != sha256.Sum256([]byte(form)) {
		t.Errorf("the digest is not the SHA-256 of the form\n%q", form)
	}
}

func TestEqualTable(t *testing.T) {
	zero, minus := num(0), num(math.Copysign(0, -1))
	secretObject := value.Secret(object(member("a", num(1))))
	redundant := value.Secret(object(member("a", value.Secret(num(1)))))
	rows := []struct {
		name             string
		v, w             value.Value
		equal, identical bool
	}{
		{"NaN", num(math.NaN()), num(-math.NaN()), true, true},
		{"zeros", zero, minus, true, false},
		{"null and missing", object(member("a", value.Null())), object(), false, false},
		{"redundant mark", secretObject, redundant, true, false},
		{"needed mark", object(member("a", num(1))), object(member("a", value.Secret(num(1)))), false, false},
		{"secret twice", value.Secret(value.Secret(num(1))), value.Secret(num(1)), true, true},
		{"inherited and own", secretObject.Field("a"), value.Secret(num(1)), true, true},
		{"hints", value.Unknown(), value.UnknownOf(value.KindBool), true, false},
		{"hint reset by dependencies", value.UnknownOf(value.KindBool).WithDependencies(urnA), value.Unknown().WithDependencies(urnA), true, true},
		{"order of dependencies", num(1).WithDependencies(urnB, urnA, urnB), num(1).WithDependencies(urnA).WithDependencies(urnB), true, true},
		{"no dependencies", num(1).WithDependencies(), num(1), true, true},
		{"dropped dependencies", num(1).WithDependencies(urnA).DropDependencies(), num(1), true, true},
		{"hash and source", value.TextAsset("hello"), value.FileAsset("f").WithHash(hash), true, false},
		{"hashed and not", value.FileAsset("f").WithHash(hash), value.FileAsset("f"), false, false},
		{"empty assets", value.TextAsset(""), value.TextAsset("").WithHash("").DropContent(), true, true},
		{"member order", object(member("a", zero), member("b", zero)), object(member("b", zero), member("a", zero)), true, true},
		{"later of two members", object(member("a", str("x")), member("a", zero)), object(member("a", zero)), true, true},
		{"empty ID is unknown", value.ResourceReference{ID: value.KnownID("")}.Value(), value.ResourceReference{ID: value.UnknownID()}.Value(), true, true},
		{"no ID", value.ResourceReference{ID: value.ID{}}.Value(), value.ResourceReference{ID: value.UnknownID()}.Value(), false, false},
	}
	for _, row := range rows {
		if got := row.v.Equal(row.w); got != row.equal {
			t.Errorf("%s: Equal = %v", row.name, got)
		}
		if got := row.v.Identical(row.w); got != row.identical {
			t.Errorf("%s: Identical = %v", row.name, got)
		}
	}
}

func TestRelationHasNoOtherBits(t *testing.T) {
	v, w := num(0), num(math.Copysign(0, -1))
	wild := ^value.Relation(0)
	if !wild.Equal(v, w) || wild.Compare(v, w) != 0 || wild.Compatible(v, w) != value.Same {
		t.Error("bits that are no part of a Relation change it")
	}
}
