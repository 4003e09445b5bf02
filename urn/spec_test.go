package urn_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/propalg/propalg/urn"
	"pgregory.net/rapid"
)

// refSpec is the spec grammar by splitting, on the parts that the slow parser found.
func refSpec(u urn.URN) bool {
	ref, ok := refParse(u.String())
	if !ok {
		return false
	}
	for _, t := range append(ref.Parents, ref.Type) {
		words := strings.Split(t, ":")
		if len(words) != 2 && len(words) != 3 {
			return false
		}
		for _, word := range words {
			letters := []rune(strings.ReplaceAll(word, "_", "1")) // "_" is allowed where a digit is
			if len(letters) == 0 || unicode.IsDigit(letters[0]) || !utf8.ValidString(word) ||
				slices.ContainsFunc(letters, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.Nd) }) {
				return false
			}
		}
	}
	return utf8.ValidString(ref.Stack) && utf8.ValidString(ref.Project) && utf8.ValidString(ref.Name) && !strings.Contains(ref.Name, "::")
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
		err = u.CheckSpec()
		if (err == nil) != refSpec(u) {
			t.Fatalf("CheckSpec of %q: %v, reference says %v", u, err, refSpec(u))
		}
		if e := (*urn.Error)(nil); err != nil && (!errors.Is(err, urn.ErrSpec) || !errors.As(err, &e) || e.Input != text || e.Offset > len(text)) {
			t.Fatalf("CheckSpec of %q: bad error %#v", u, err)
		}
	})
}

func TestCheckSpec(t *testing.T) {
	for i, test := range []struct {
		text   string
		offset int // -1: no error
		want   string
	}{
		{"urn:pulumi:dev::shop::random:index:Pet::cat", -1, ""},
		{"urn:pulumi:dev::shop::a:B$c:d:E$f:G::cat", -1, ""},
		{"urn:pulumi:::::a:B::", -1, ""},
		{"urn:pulumi::a::b c\n::é1_:世:Ñ::$/ \x00", -1, ""},
		{"urn:pulumi:s::p::a٣:B_1::n", -1, ""},
		{"urn:pulumi:s::p::a½:B::n", 18, `urn: outside the URN specification: package: want a letter, a digit or "_", found "½" at byte 18 of "urn:pulumi:s::p::a½:B::n"`},
		{"urn:pulumi:�\xff::p::a:B::n", 14, `urn: outside the URN specification: stack: want valid UTF-8, found "\xff" at byte 14 of "urn:pulumi:�\xff::p::a:B::n"`},
		{"urn:pulumi:s::p::a:B$c$d:E::n", 22, `urn: outside the URN specification: package: want ":" and a type name, found "$" at byte 22 of "urn:pulumi:s::p::a:B$c$d:E::n"`},
		{"urn:pulumi:s\xff::p::a:B::n", 12, `urn: outside the URN specification: stack: want valid UTF-8, found "\xff" at byte 12 of "urn:pulumi:s\xff::p::a:B::n"`},
		{"urn:pulumi:s::\xc3::a:B::n", 14, `urn: outside the URN specification: project: want valid UTF-8, found "\xc3" at byte 14 of "urn:pulumi:s::\xc3::a:B::n"`},
		{"urn:pulumi:s::p::::n", 17, `urn: outside the URN specification: package: want a letter, found "::" at byte 17 of "urn:pulumi:s::p::::n"`},
		{"urn:pulumi:s::p::T::n", 18, `urn: outside the URN specification: package: want ":" and a type name, found "::" at byte 18 of "urn:pulumi:s::p::T::n"`},
		{"urn:pulumi:s::p::T$a:B::n", 18, `urn: outside the URN specification: package: want ":" and a type name, found "$" at byte 18 of "urn:pulumi:s::p::T$a:B::n"`},
		{"urn:pulumi:s::p::$a:B::n", 17, `urn: outside the URN specification: package: want a letter, found "$" at byte 17 of "urn:pulumi:s::p::$a:B::n"`},
		{"urn:pulumi:s::p::a:B$::n", 21, `urn: outside the URN specification: package: want a letter, found "::" at byte 21 of "urn:pulumi:s::p::a:B$::n"`},
		{"urn:pulumi:s::p::a:$b:C::n", 19, `urn: outside the URN specification: type name: want a letter, found "$" at byte 19 of "urn:pulumi:s::p::a:$b:C::n"`},
		{"urn:pulumi:s::p::_a:B::n", 17, `urn: outside the URN specification: package: want a letter, found "_" at byte 17 of "urn:pulumi:s::p::_a:B::n"`},
		{"urn:pulumi:s::p::a-b:B::n", 18, `urn: outside the URN specification: package: want a letter, a digit or "_", found "-" at byte 18 of "urn:pulumi:s::p::a-b:B::n"`},
		{"urn:pulumi:s::p::a:s3/b:B::n", 21, `urn: outside the URN specification: module: want a letter, a digit or "_", found "/" at byte 21 of "urn:pulumi:s::p::a:s3/b:B::n"`},
		{"urn:pulumi:s::p::a:x:y:B::n", 20, `urn: outside the URN specification: module: want a letter, a digit or "_", found ":" at byte 20 of "urn:pulumi:s::p::a:x:y:B::n"`},
		{"urn:pulumi:s::p::a:m:9::n", 21, `urn: outside the URN specification: type name: want a letter, found "9" at byte 21 of "urn:pulumi:s::p::a:m:9::n"`},
		{"urn:pulumi:s::p::a:B\xff::n", 20, `urn: outside the URN specification: type name: want a letter, a digit or "_", found "\xff" at byte 20 of "urn:pulumi:s::p::a:B\xff::n"`},
		{"urn:pulumi:s::p::a:B::n::m", 23, `urn: outside the URN specification: name: want no "::", found "::" at byte 23 of "urn:pulumi:s::p::a:B::n::m"`},
		{"urn:pulumi:s::p::a:B::\xff::", 22, `urn: outside the URN specification: name: want valid UTF-8, found "\xff" at byte 22 of "urn:pulumi:s::p::a:B::\xff::"`},
		{"urn:pulumi:s::p::a:B::::\xff", 22, `urn: outside the URN specification: name: want no "::", found "::" at byte 22 of "urn:pulumi:s::p::a:B::::\xff"`},
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
	want := `urn: outside the URN specification: prefix: want "urn:pulumi:", found end of text at byte 0 of ""`
	if err := (urn.URN{}).CheckSpec(); err == nil || err.Error() != want || !errors.Is(err, urn.ErrSpec) {
		t.Errorf("zero URN: %v", err)
	}
}
