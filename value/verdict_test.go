package value_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/value"
)

func TestCompatible(t *testing.T) {
	one, unknown, null := num(1), value.Unknown(), value.Null()
	sealed := value.Sealed{Ciphertext: "c"}.Value()
	reference := func(urn string, id value.ID) value.Value { return value.ResourceReference{URN: urn, ID: id}.Value() }
	hashed, unhashed := value.FileAsset("f").WithHash(hash), value.FileAsset("f")
	rows := []struct {
		name   string
		r      value.Relation
		v, w   value.Value
		expect value.Verdict
	}{
		{"equal", value.Strict, one, one, value.Same},
		{"different", value.Strict, one, num(2), value.Changed},
		{"kinds", value.Strict, one, str("1"), value.Changed},
		{"unknowns", value.Strict, unknown, value.UnknownOf(value.KindBool), value.Same},
		{"unknown and known", value.Strict, unknown, one, value.Maybe},
		{"unknown and null", value.Strict, unknown, null, value.Maybe},
		{"other marks", value.Strict, value.Secret(unknown), one, value.Changed},
		{"the same marks", value.Strict, value.Secret(unknown), value.Secret(one), value.Maybe},
		{"other dependencies", value.Strict, unknown.WithDependencies(urnA), one, value.Changed},
		{"other dependencies overlooked", value.IgnoreDependencies, unknown.WithDependencies(urnA), one, value.Maybe},
		{"changed outweighs maybe", value.Strict, value.Array(unknown, one), value.Array(one, num(2)), value.Changed},
		{"maybe outweighs same", value.Strict, value.Array(one, unknown), value.Array(one, one), value.Maybe},
		{"lengths", value.Strict, value.Array(unknown), value.Array(), value.Changed},
		{"unknown and missing", value.Strict, object(member("a", unknown)), object(), value.Changed},
		{"unknown and missing, nulls overlooked", value.NullAsMissing, object(member("a", unknown)), object(), value.Maybe},
		{"marked unknown and missing", value.NullAsMissing, object(member("a", value.Secret(unknown))), object(), value.Changed},
		{"null and missing", value.NullAsMissing, object(member("a", null)), object(), value.Same},
		{"unknown ID and known", value.Strict, reference(urnA, value.UnknownID()), reference(urnA, value.KnownID("i")), value.Maybe},
		{"unknown IDs", value.Strict, reference(urnA, value.UnknownID()), reference(urnA, value.KnownID("")), value.Same},
		{"unknown ID and none", value.Strict, reference(urnA, value.UnknownID()), reference(urnA, value.ID{}), value.Changed},
		{"unknown ID of another", value.Strict, reference(urnA, value.UnknownID()), reference(urnB, value.KnownID("i")), value.Changed},
		{"hashed and not", value.Strict, hashed, unhashed, value.Maybe},
		{"hashes", value.Strict, hashed, value.TextAsset("x"), value.Changed},
		{"archive with such an entry", value.Strict, archive(t, member("e", hashed)), archive(t, member("e", unhashed)), value.Maybe},
		{"hashed archive and not", value.Strict, value.FileArchive("").WithHash(hash).DropContent(), archive(t), value.Maybe},
		{"names of entries", value.Strict, archive(t, member("e", hashed)), archive(t, member("f", unhashed)), value.Changed},
		{"the same ciphertext", value.Strict, sealed, value.Sealed{Ciphertext: "c"}.Value(), value.Same},
		{"another ciphertext", value.Strict, sealed, value.Sealed{Ciphertext: "d"}.Value(), value.Maybe},
		{"ciphertext and plaintext", value.Strict, sealed, value.Secret(one), value.Maybe},
		{"ciphertext and no secret", value.Strict, sealed, one, value.Changed},
	}
	for _, row := range rows {
		if got := row.r.Compatible(row.v, row.w); got != row.expect {
			t.Errorf("%s: %v, want %v", row.name, got, row.expect)
		}
		if got := row.r.Compatible(row.w, row.v); got != row.expect {
			t.Errorf("%s, the other way: %v, want %v", row.name, got, row.expect)
		}
	}
}

// What Alone says of a member is what Compatible says of objects that have and
// have not the member.
func TestAlone(t *testing.T) {
	for i, v := range hosts(t) {
		v = object(member("a", v)).Field("a") // an inherited mark becomes its own
		for _, r := range relations() {
			if got, want := value.Internal.Alone(r, v), r.Compatible(object(member("a", v)), object()); got != want {
				t.Errorf("%v: value %d alone is %v, want %v", r, i, got, want)
			}
			had, has := value.Secret(object(member("a", v))), value.Secret(object())
			if got, want := value.Internal.Alone(r, had.Field("a")), r.Compatible(had, has); got != want {
				t.Errorf("%v: value %d alone in a secret is %v, want %v", r, i, got, want)
			}
		}
	}
}

func TestNames(t *testing.T) {
	var names []string
	for k := value.KindNull; k <= value.KindSealed+1; k++ {
		names = append(names, k.String())
	}
	for s := value.SourceText; s <= value.SourceElided+1; s++ {
		names = append(names, s.String())
	}
	for v := value.Same; v <= value.Changed+1; v++ {
		names = append(names, v.String())
	}
	names = append(names, value.Strict.String(), value.Engine.String(), (value.IgnoreSecrets | value.IgnoreDependencies).String())
	const want = "null, bool, number, string, array, object, asset, archive, resource reference, unknown, sealed secret, invalid kind, " +
		"text, file, uri, literal, elided, invalid source, same, maybe, changed, invalid verdict, " +
		"strict, null as missing|ignore reference details, ignore secrets|ignore dependencies"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAssetsAndArchives(t *testing.T) {
	text := value.TextAsset("hello")
	if h, ok := assetOf(text).Hash(); !ok || h != hash {
		t.Errorf("a text is hashed to %q", h)
	}
	if h, _ := assetOf(text.WithHash("h").WithHash("")).Hash(); h != hash {
		t.Errorf("a text without hash has %q", h)
	}
	if a := value.TextAsset("").WithHash(hash).DropContent().WithHash(""); assetOf(a).Source() != value.SourceText {
		t.Errorf("an elided asset without hash is %v", a)
	}
	if a := value.FileArchive("").WithHash(hash).DropContent().WithHash(""); archiveOf(a).Source() != value.SourceLiteral || archiveOf(a).Len() != 0 || archiveOf(value.FileArchive("").DropContent()).Source() != value.SourceLiteral {
		t.Errorf("an elided archive without hash is %v", a)
	}
	if _, ok := assetOf(value.FileAsset("f").WithHash("h").WithHash("")).Hash(); ok {
		t.Error("a file keeps its hash")
	}
	if got, want := text.String()+value.FileAsset("f").String()+value.FileArchive("").WithHash("h").DropContent().String(), "asset(text:2cf24db)asset(file)archive(elided:h)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	inner := archive(t, member("b", text), member("a", value.URIAsset("u")), member("b", value.FileAsset("f")))
	outer := archive(t, member("dir", inner))
	var names []string
	for name := range archiveOf(inner).Entries() {
		names = append(names, name)
	}
	name, e := value.Internal.EntryAt(archiveOf(outer), 0)
	if strings.Join(names, " ") != "a b" || archiveOf(inner).Len() != 2 || name != "dir" || !e.Equal(inner) || !outer.Equal(archive(t, member("dir", inner))) {
		t.Errorf("wrong entries %q", names)
	}
	if _, f := value.Internal.EntryAt(archiveOf(inner), 1); !f.Equal(value.FileAsset("f")) || !value.FileAsset("f").Equal(value.FileAsset("f")) {
		t.Error("the later entry does not win")
	}
	for _, row := range []struct {
		entry value.Value
		want  value.Verdict
	}{
		{value.FileAsset("f"), value.Same},
		{value.FileAsset("f").WithHash(hash), value.Maybe},
		{value.FileAsset("g"), value.Changed},
		{value.FileArchive("f"), value.Changed},
	} {
		other := archive(t, member("dir", archive(t, member("a", value.URIAsset("u")), member("b", row.entry))))
		if got := value.Strict.Compatible(outer, other); got != row.want || outer.Equal(other) != (got == value.Same) {
			t.Errorf("with the entry %v: %v, want %v", row.entry, got, row.want)
		}
	}
	for _, bad := range []value.Value{value.Null(), str("x"), value.Array(), value.Unknown()} {
		if _, err := value.LiteralArchive(member("e", bad)); !errors.Is(err, value.ErrKind) {
			t.Errorf("an archive with %v: %v", bad.Kind(), err)
		}
	}
	for _, bad := range []value.Value{value.Secret(text), text.WithDependencies("u"), value.Secret(value.Array(text)).Elem(0)} {
		if _, err := value.LiteralArchive(member("e", bad)); !errors.Is(err, value.ErrMarks) {
			t.Errorf("an archive with a marked entry: %v", err)
		}
	}
	for _, v := range varied(t) { // the marks stay, and all of other kinds
		for _, got := range []value.Value{v.WithHash("h"), v.WithHash(""), v.DropContent()} {
			if same := got.IsSecret() == v.IsSecret() && got.OwnSecret() == v.OwnSecret() && slices.Equal(slices.Collect(got.Dependencies()), slices.Collect(v.Dependencies())); !same ||
				(v.Kind() != value.KindAsset && v.Kind() != value.KindArchive && !got.Identical(v)) {
				t.Errorf("%v became %v", v, got)
			}
		}
	}
}

func TestReferenceLowers(t *testing.T) {
	for _, row := range []struct {
		id   value.ID
		want value.Value
	}{
		{value.ID{}, str(urnA)}, {value.KnownID("i"), str("i")}, {value.UnknownID(), value.Unknown()}, {value.KnownID(""), value.Unknown()},
	} {
		r := value.ResourceReference{URN: urnA, ID: row.id}
		if !r.Lower().Identical(row.want) || r.Value().ContainsUnknown() != row.id.IsUnknown() {
			t.Errorf("%v lowers to %v", row.id, r.Lower())
		}
		if back, ok := r.Value().AsResourceReference(); !ok || back != r {
			t.Errorf("%v came back as %v", r, back)
		}
	}
	if s, ok := (value.Sealed{Ciphertext: "c", Provider: "p"}).Value().AsSealed(); !ok || s.Ciphertext != "c" || s.Provider != "p" {
		t.Error("a sealed secret came back otherwise")
	}
}
