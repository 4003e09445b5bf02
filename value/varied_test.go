package value_test

import (
	"math"
	"strings"
	"testing"

	"github.com/propalg/propalg/value"
)

const (
	urnA = "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::a"
	urnB = "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::b"
	hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
)

func member(key string, v value.Value) value.Member { return value.Member{Key: key, Value: v} }

func object(ms ...value.Member) value.Value { return value.Object(ms...) }

func str(s string) value.Value { return value.String(s) }

func num(f float64) value.Value { return value.Number(f) }

// assetOf and archiveOf read what a value holds.
func assetOf(v value.Value) value.Asset {
	a, _ := v.AsAsset()
	return a
}

func archiveOf(v value.Value) value.Archive {
	a, _ := v.AsArchive()
	return a
}

func archive(t testing.TB, entries ...value.Member) value.Value {
	t.Helper()
	a, err := value.LiteralArchive(entries...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// varied returns values of every kind, with every combination of marks, in
// places where equality has a rule of its own. None contains another by intent;
// several are equal under some relation.
func varied(t testing.TB) []value.Value {
	t.Helper()
	vs := variedScalars()
	vs = append(vs, variedResources(t)...)
	vs = append(vs, variedContainers()...)
	marks := []value.Value{
		value.Null(), value.Bool(true), num(math.NaN()), str("x"), value.Array(num(1)), object(member("a", num(1))),
		value.FileAsset("f"), archive(t), value.ResourceReference{URN: urnA}.Value(), value.Unknown(),
		value.UnknownOf(value.KindBool), value.Sealed{Ciphertext: "c"}.Value(),
	}
	for _, v := range marks {
		secret := value.Secret(v)
		vs = append(vs, secret, v.WithDependencies(urnA), v.WithDependencies(urnB), secret.WithDependencies(urnB, urnA),
			value.Secret(object(member("a", v))).Field("a"), // inherited
			object(member("a", v)), object(member("a", secret)), value.Array(v), value.Array(secret),
			value.Secret(object(member("a", v))), value.Secret(object(member("a", secret))), // redundant
			object(member("a", value.Secret(value.Array(secret)))).WithDependencies(urnA))
	}
	return vs
}

func variedScalars() []value.Value {
	return []value.Value{
		value.Null(), value.Bool(false), value.Bool(true),
		num(0), num(math.Copysign(0, -1)), num(1), num(-1), num(1.5), num(math.NaN()),
		num(math.Float64frombits(0xfff8000000000123)), num(math.Inf(1)), num(math.Inf(-1)),
		num(math.MaxFloat64), num(math.SmallestNonzeroFloat64), num(1<<53 + 2),
		str(""), str("a"), str("b"), str("ab"), str("\x00"), str("\xff"), str("null"), str("1"), str(strings.Repeat("long", 200)),
		str(urnA), value.Unknown(), value.UnknownOf(value.KindArray), value.UnknownOf(value.KindSealed),
		value.Unknown().WithDependencies(urnA), value.UnknownOf(value.KindNumber).WithDependencies(urnA),
	}
}

func variedResources(t testing.TB) []value.Value {
	t.Helper()
	a := value.TextAsset("hello")
	one := archive(t, member("f", a))
	vs := []value.Value{
		value.TextAsset(""), a, value.FileAsset("hello"), value.FileAsset("f").WithHash(hash), value.URIAsset("f"), value.URIAsset("f").WithHash(hash),
		value.FileAsset("f"), value.TextAsset("").WithHash(hash).DropContent(), value.TextAsset("").WithHash("").DropContent(), value.TextAsset("other"),
		archive(t), value.FileArchive("f"), value.FileArchive("g"), value.URIArchive("f"), value.URIArchive("f").WithHash(hash),
		value.FileArchive("").WithHash(hash).DropContent(), one.WithHash(hash), one, archive(t, member("g", a)), archive(t, member("f", value.FileAsset("f"))),
		archive(t, member("f", value.FileAsset("f").WithHash(hash))),
		archive(t, member("f", one)), archive(t, member("f", one.WithHash(hash))),
		archive(t, member("f", archive(t, member("f", one))), member("g", a)),
	}
	for _, id := range []value.ID{{}, value.KnownID("i"), value.KnownID("j"), value.UnknownID()} {
		for _, r := range []value.ResourceReference{
			{URN: urnA}, {URN: urnB}, {URN: urnA, PackageVersion: "1.0.0"}, {URN: urnA, Name: "n"}, {URN: urnA, Type: "n"},
		} {
			r.ID = id
			vs = append(vs, r.Value())
		}
	}
	for _, s := range []value.Sealed{{}, {Ciphertext: "c"}, {Ciphertext: "d"}, {Ciphertext: "c", Provider: "p"}, {Ciphertext: "p", Provider: "c"}} {
		vs = append(vs, s.Value(), object(member("s", s.Value())))
	}
	return vs
}

func variedContainers() []value.Value {
	null := value.Null()
	return []value.Value{
		value.Array(), object(), value.Array(value.Array()), object(member("", object())),
		value.Array(null), value.Array(null, null), value.Array(num(1), null), value.Array(null, num(1)),
		value.Array(num(1)), value.Array(num(1), num(2)), value.Array(num(2), num(1)), value.Array(str("a"), str("b")), value.Array(str("ab")),
		object(member("a", null)), object(member("b", null)), object(member("a", null), member("b", null)),
		object(member("a", num(1)), member("b", null)), object(member("a", null), member("b", num(1))), object(member("b", num(1))),
		object(member("a", num(1)), member("b", num(1))), object(member("", num(1))), object(member("a\x00", num(1))),
		object(member("a", value.Secret(null))), object(member("a", null.WithDependencies(urnA))),
		value.Secret(object(member("a", value.Secret(null)), member("b", num(1)))), value.Secret(object(member("b", num(1)))),
		object(member("a", object(member("b", value.Array(null, object(member("c", null))))))),
		object(member("a", object(member("b", value.Array(null, object())))), member("z", null)),
		object(member("a", value.Unknown()), member("b", num(1))), object(member("a", value.UnknownOf(value.KindBool)), member("b", num(1))),
		value.Array(num(math.Copysign(0, -1))), value.Array(num(0)), value.Array(value.Secret(value.Array(value.Array(num(1))))),
		value.Array(value.Secret(value.Array(value.Secret(value.Array(num(1)))))), value.Secret(value.Array(value.Secret(value.Array(num(1).WithDependencies(urnA))))),
		value.Secret(value.Array(value.Array(num(1)))), value.Secret(value.Array(value.Array(value.Secret(num(1))))),
		value.Secret(value.Array(value.Array(num(1)).WithDependencies(urnA))), value.Secret(value.Array(value.Array(value.Secret(num(1))).WithDependencies(urnA))),
		value.Secret(object(member("a", object(member("a", value.Secret(null)), member("b", num(1))).WithDependencies(urnA)))),
		value.Secret(object(member("a", object(member("b", num(1))).WithDependencies(urnA)))),
		value.Array(str(urnA)).WithDependencies(urnA, urnB), value.Array(str(urnA)).WithDependencies(urnB),
		value.Array(str(urnA).WithDependencies(urnA)), value.Array(str(urnA), str(urnB)),
	}
}
