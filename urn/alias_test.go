package urn_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/urn"
)

// TestChild: a child has the types of its ancestors but that of the stack.
func TestChild(t *testing.T) {
	for parent, want := range map[string]string{
		"urn:pulumi:s::p::a:b:C::n":                     "urn:pulumi:s::p::a:b:C$x:y:Z::m",
		"urn:pulumi:s::p::a:b:C$d:e:F::n":               "urn:pulumi:s::p::a:b:C$d:e:F$x:y:Z::m",
		"urn:pulumi:s::p::pulumi:pulumi:Stack::n":       "urn:pulumi:s::p::x:y:Z::m",
		"urn:pulumi:s::p::a:b:C$pulumi:pulumi:Stack::n": "urn:pulumi:s::p::a:b:C$pulumi:pulumi:Stack$x:y:Z::m",
	} {
		if got, err := urn.MustParse(parent).Child("x:y:Z", "m"); err != nil || got.String() != want {
			t.Errorf("%s: %v, %v, want %s", parent, got, err, want)
		}
	}
	if got, err := urn.MustParse("urn:pulumi:s::p::a:b:C::n").Child("x::y", "m"); !errors.Is(err, urn.ErrPart) || !got.IsZero() {
		t.Errorf("%v, %v", got, err)
	}
}

func TestAliases(t *testing.T) {
	u := urn.MustParse("urn:pulumi:s::p::g:g:Group$x:y:Z::app-disk")
	parent, was, other := urn.MustParse("urn:pulumi:s::p::g:g:Group::app"), urn.MustParse("urn:pulumi:s::p::h:h:Old::was"), urn.MustParse("urn:pulumi:s::p::o:o:O::o")
	renamed := func(of urn.URN) urn.URN {
		if of == parent {
			return was
		}
		return urn.URN{}
	}
	for name, row := range map[string]struct {
		aliases []urn.Alias
		parent  urn.URN
		old     func(urn.URN) urn.URN
		want    string
	}{
		"none":        {},
		"URN":         {aliases: []urn.Alias{{URN: other, Name: "ignored"}}, want: "o:o:O::o"},
		"name":        {aliases: []urn.Alias{{Name: "disk"}}, parent: parent, want: "g:g:Group$x:y:Z::disk"},
		"type":        {aliases: []urn.Alias{{Type: "a:b:C"}, {Type: "a:b:C"}}, parent: parent, old: func(urn.URN) urn.URN { return urn.URN{} }, want: "g:g:Group$a:b:C::app-disk"},
		"parent":      {aliases: []urn.Alias{{Parent: other}}, parent: parent, want: "o:o:O$x:y:Z::app-disk"},
		"old parent":  {aliases: []urn.Alias{{Parent: parent}}, old: renamed, want: "h:h:Old$x:y:Z::app-disk"},
		"no parent":   {aliases: []urn.Alias{{NoParent: true, Parent: other}}, parent: parent, want: "x:y:Z::app-disk"},
		"inherited":   {parent: parent, old: renamed, want: "h:h:Old$x:y:Z::was-disk"},
		"all of them": {[]urn.Alias{{Name: "disk"}, {Type: "a:b:C"}}, parent, renamed, "g:g:Group$x:y:Z::disk g:g:Group$a:b:C::app-disk h:h:Old$x:y:Z::was-disk h:h:Old$x:y:Z::disk h:h:Old$a:b:C::was-disk"},
	} {
		got, err := u.Aliases(row.parent, row.aliases, row.old)
		text := strings.ReplaceAll(strings.Trim(fmt.Sprint(got), "[]"), "urn:pulumi:s::p::", "")
		if err != nil || text != row.want {
			t.Errorf("%s: %s, %v, want %s", name, text, err, row.want)
		}
	}

	got, err := u.Aliases(parent, []urn.Alias{{Stack: "t", Project: "q", NoParent: true}, {Stack: "t", Project: "q"}}, nil)
	if err != nil || fmt.Sprint(got) != "[urn:pulumi:t::q::x:y:Z::app-disk urn:pulumi:s::p::g:g:Group$x:y:Z::app-disk]" {
		t.Errorf("another stack: %v, %v", got, err)
	}
	if got, err := u.Aliases(parent, []urn.Alias{{Type: "a::b"}}, nil); !errors.Is(err, urn.ErrPart) || got != nil {
		t.Errorf("%v, %v", got, err)
	}
}
