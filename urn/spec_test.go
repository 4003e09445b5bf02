package urn_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/propalg/propalg/urn"
	"pgregory.net/rapid"
)

// checkSpecs compares what CheckSpec and CheckSpecNested say of a URN with the grammar.
func checkSpecs(t fataler, u urn.URN) {
	t.Helper()
	letter, nested := published()
	for _, c := range []struct {
		in   rule
		err  error
		name string
	}{{letter, u.CheckSpec(), "CheckSpec"}, {nested, u.CheckSpecNested(), "CheckSpecNested"}} {
		text := u.String()
		if want := len(text) < 1<<10 && c.in(text, 0)[len(text)]; want != (c.err == nil) && len(text) < 1<<10 {
			t.Fatalf("%s of %q: %v, but of the grammar: %v", c.name, text, c.err, want)
		}
		if e := (*urn.Error)(nil); c.err != nil && (!errors.Is(c.err, urn.ErrSpec) || !errors.As(c.err, &e) || e.Input != text || e.Offset > len(text)) {
			t.Fatalf("%s of %q: bad error %#v", c.name, text, c.err)
		}
	}
}

func TestCheckSpecAgreesWithReference(t *testing.T) {
	typ := rapid.StringMatching(`[aé1٣½_:/]{0,3}(a:[aZ世_9]{1,3}){0,2}(:a){0,1}`)
	rapid.Check(t, func(t *rapid.T) {
		free := rapid.OneOf(rapid.StringMatching(`[a:]{0,3}`), rapid.SampledFrom([]string{"", "\xff", "n::m", "é", "�", "\n"}))
		types := strings.Join(rapid.SliceOfN(rapid.OneOf(typ, rapid.Just("a:b:C"), rapid.Just("a:C")), 1, 3).Draw(t, "types"), "$")
		text := urn.Prefix + free.Draw(t, "stack") + "::" + free.Draw(t, "project") + "::" + types + "::" + free.Draw(t, "name")
		u, err := urn.Parse(text)
		if err != nil {
			t.Fatalf("%v", err)
		}
		checkSpecs(t, u)
	})
}

func TestCheckSpec(t *testing.T) {
	for i, test := range []struct {
		text   string
		offset int // -1: no error
		want   string
	}{
		{"urn:pulumi:dev::shop::random:index:Pet::cat", -1, ""},
		{"urn:pulumi:dev::shop::a:B$f:G::cat", -1, ""},
		{"urn:pulumi:dev::shop::a:B$c:d:E$f:G::cat", 31, `urn: outside the URN specification: qualified type: expected one parent type at most, found "$" at byte 31 of "urn:pulumi:dev::shop::a:B$c:d:E$f:G::cat"`},
		{"urn:pulumi:s::p:::pkg:T::n", -1, ""},   // the project is "p:"
		{"urn:pulumi:s:::p:::pkg:T:::n", -1, ""}, // and the name ":n"
		{"urn:pulumi:s::::p::a:b::n::m", 25, `urn: outside the URN specification: name: expected no "::", found "::" at byte 25 of "urn:pulumi:s::::p::a:b::n::m"`},
		{"urn:pulumi:s::p:::a:s3/b:T::n", 22, `urn: outside the URN specification: module: expected a letter, a digit or "_", found "/" at byte 22 of "urn:pulumi:s::p:::a:s3/b:T::n"`},
		{"urn:pulumi:::::a:B::", -1, ""},
		{"urn:pulumi::a::b c\n::é1_:世:Ñ::$/ \x00", -1, ""},
		{"urn:pulumi:s::p::a٣:B_1::n", -1, ""},
		{"urn:pulumi:s::p::a½:B::n", 18, `urn: outside the URN specification: package: expected a letter, a digit or "_", found "½" at byte 18 of "urn:pulumi:s::p::a½:B::n"`},
		{"urn:pulumi:�\xff::p::a:B::n", 14, `urn: outside the URN specification: stack: expected valid UTF-8, found "\xff" at byte 14 of "urn:pulumi:�\xff::p::a:B::n"`},
		{"urn:pulumi:s::p::a:B$c$d:E::n", 22, `urn: outside the URN specification: package: expected ":" and a type name, found "$" at byte 22 of "urn:pulumi:s::p::a:B$c$d:E::n"`},
		{"urn:pulumi:s\xff::p::a:B::n", 12, `urn: outside the URN specification: stack: expected valid UTF-8, found "\xff" at byte 12 of "urn:pulumi:s\xff::p::a:B::n"`},
		{"urn:pulumi:s::\xc3::a:B::n", 14, `urn: outside the URN specification: project: expected valid UTF-8, found "\xc3" at byte 14 of "urn:pulumi:s::\xc3::a:B::n"`},
		{"urn:pulumi:s::p::::n", 17, `urn: outside the URN specification: package: expected a letter, found "::" at byte 17 of "urn:pulumi:s::p::::n"`},
		{"urn:pulumi:s::p::T::n", 18, `urn: outside the URN specification: package: expected ":" and a type name, found "::" at byte 18 of "urn:pulumi:s::p::T::n"`},
		{"urn:pulumi:s::p::T$a:B::n", 18, `urn: outside the URN specification: package: expected ":" and a type name, found "$" at byte 18 of "urn:pulumi:s::p::T$a:B::n"`},
		{"urn:pulumi:s::p::$a:B::n", 17, `urn: outside the URN specification: package: expected a letter, found "$" at byte 17 of "urn:pulumi:s::p::$a:B::n"`},
		{"urn:pulumi:s::p::a:B$::n", 21, `urn: outside the URN specification: package: expected a letter, found "::" at byte 21 of "urn:pulumi:s::p::a:B$::n"`},
		{"urn:pulumi:s::p::a:$b:C::n", 19, `urn: outside the URN specification: type name: expected a letter, found "$" at byte 19 of "urn:pulumi:s::p::a:$b:C::n"`},
		{"urn:pulumi:s::p::_a:B::n", 17, `urn: outside the URN specification: package: expected a letter, found "_" at byte 17 of "urn:pulumi:s::p::_a:B::n"`},
		{"urn:pulumi:s::p::a-b:B::n", 18, `urn: outside the URN specification: package: expected a letter, a digit or "_", found "-" at byte 18 of "urn:pulumi:s::p::a-b:B::n"`},
		{"urn:pulumi:s::p::a:s3/b:B::n", 21, `urn: outside the URN specification: module: expected a letter, a digit or "_", found "/" at byte 21 of "urn:pulumi:s::p::a:s3/b:B::n"`},
		{"urn:pulumi:s::p::a:x:y:B::n", 20, `urn: outside the URN specification: module: expected a letter, a digit or "_", found ":" at byte 20 of "urn:pulumi:s::p::a:x:y:B::n"`},
		{"urn:pulumi:s::p::a:m:9::n", 21, `urn: outside the URN specification: type name: expected a letter, found "9" at byte 21 of "urn:pulumi:s::p::a:m:9::n"`},
		{"urn:pulumi:s::p::a:B\xff::n", 20, `urn: outside the URN specification: type name: expected a letter, a digit or "_", found "\xff" at byte 20 of "urn:pulumi:s::p::a:B\xff::n"`},
		{"urn:pulumi:s::p::a:B::n::m", 23, `urn: outside the URN specification: name: expected no "::", found "::" at byte 23 of "urn:pulumi:s::p::a:B::n::m"`},
		{"urn:pulumi:s::p::a:B::\xff::", 22, `urn: outside the URN specification: name: expected valid UTF-8, found "\xff" at byte 22 of "urn:pulumi:s::p::a:B::\xff::"`},
		{"urn:pulumi:s::p::a:B::::\xff", 22, `urn: outside the URN specification: name: expected no "::", found "::" at byte 22 of "urn:pulumi:s::p::a:B::::\xff"`},
	} {
		err := urn.MustParse(test.text).CheckSpec()
		if test.offset < 0 {
			if err != nil {
				t.Errorf("row %d: %v", i, err)
			}
			continue
		}
		var e *urn.Error
		if !errors.As(err, &e) || e.Offset != test.offset || err.Error() != test.want {
			t.Errorf("row %d: got\n%v, want\n%s", i, err, test.want)
		}
	}
	if err := urn.MustParse("urn:pulumi:dev::shop::a:B$c:d:E$f:G::cat").CheckSpecNested(); err != nil {
		t.Errorf("with two parents: %v", err)
	}
	want := `urn: outside the URN specification: prefix: expected "urn:pulumi:", found end of text at byte 0 of ""`
	if err := (urn.URN{}).CheckSpec(); err == nil || err.Error() != want || !errors.Is(err, urn.ErrSpec) {
		t.Errorf("zero URN: %v", err)
	}
}
