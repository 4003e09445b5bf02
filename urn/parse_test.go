package urn_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/propalg/propalg/urn"
	"pgregory.net/rapid"
)

const bucket = "urn:pulumi:dev::shop::my:index:Web$aws:s3/bucketV2:BucketV2::assets"

func read(u urn.URN) refURN {
	return refURN{
		Stack: u.Stack(), Project: u.Project(), Qualified: u.QualifiedType(), Name: u.Name(),
		Parents: append([]string{}, slices.Collect(u.Parents())...),
		Type:    u.Type(), Package: u.Package(), Module: u.Module(), TypeName: u.TypeName(), All: u.String(),
	}
}

// fataler is what *testing.T and *rapid.T have in common here.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// agree is the law that Parse and the slow parser mean the same.
func agree(t fataler, text string) {
	t.Helper()
	want, ok := refParse(text)
	u, err := urn.Parse(text)
	if ok != (err == nil) {
		t.Fatalf("Parse(%.200q): error %v, reference says URN: %v", text, err, ok)
	}
	if err != nil {
		var e *urn.Error
		if !errors.As(err, &e) || !errors.Is(err, urn.ErrSyntax) || e.Input != text || e.Offset < 0 || e.Offset > len(text) {
			t.Fatalf("Parse(%.200q): bad error %#v", text, err)
		}
		if u != (urn.URN{}) {
			t.Fatalf("Parse(%.200q): error, and the URN %.200q", text, u)
		}
		return
	}
	if got := read(u); !reflect.DeepEqual(want, got) { // go-cmp is slow on the long ones
		t.Fatalf("Parse(%.200q), -reference +got:\n%s", text, cmp.Diff(want, got))
	}
	sdkTakes := strings.HasPrefix(text, "urn:pulumi:") && strings.Count(text, "::") >= 3
	if !sdkTakes {
		t.Fatalf("Parse(%.200q): the SDK would refuse it", text)
	}
}

func TestParseAgreesWithReference(t *testing.T) {
	t.Run("random", rapid.MakeCheck(func(t *rapid.T) { agree(t, anyText().Draw(t, "text")) }))
	t.Run("hostile", func(t *testing.T) {
		for _, h := range hostile() {
			agree(t, h)
			agree(t, "urn:pulumi:"+h)
			for _, g := range []string{"", "x", ":", "$", h} {
				agree(t, "urn:pulumi:"+h+"::"+g+"::"+g+"::"+g)
				agree(t, "urn:pulumi:"+g+"::"+h+"::"+g+"::"+g)
				agree(t, "urn:pulumi:"+g+"::"+g+"::"+h+"::"+g)
				agree(t, "urn:pulumi:"+g+"::"+g+"::"+g+"::"+h)
			}
		}
	})
	t.Run("long", func(t *testing.T) {
		for _, long := range []string{strings.Repeat("n", 1<<20), strings.Repeat("::", 1<<19), strings.Repeat("$", 1<<20)} {
			agree(t, "urn:pulumi:s::p::t::"+long)
			agree(t, "urn:pulumi:s::p::"+long+"::n")
			agree(t, "urn:pulumi:"+long)
			agree(t, long)
		}
	})
}

// All texts of few letters, so that no run of colons is left out.
func TestParseAgreesExhaustively(t *testing.T) {
	const letters = ":$a"
	var walk func(text string, left int)
	walk = func(text string, left int) {
		agree(t, "urn:pulumi:"+text)
		if left > 0 {
			for i := range len(letters) {
				walk(text+letters[i:i+1], left-1)
			}
		}
	}
	walk("", 9)
}

// The one difference in what is taken: the SDK counts the prefix's last colon.
func TestSDKTakesMore(t *testing.T) {
	seen := 0
	for bits := range 1 << 13 { // every text of colons and letters, of up to 12 bytes: the highest bit set is its length
		text := urn.Prefix
		for rest := bits; rest > 1; rest >>= 1 {
			text += ":a"[rest&1 : rest&1+1]
		}
		_, err := urn.Parse(text)
		if err == nil || strings.Count(text, "::") < 3 {
			continue
		}
		seen++
		if rest := text[len(urn.Prefix):]; rest[0] != ':' || strings.Count(rest, "::") != 2 {
			t.Errorf("the SDK takes %q and we do not, for a reason that is not listed", text)
		}
	}
	if _, err := urn.Parse("urn:pulumi::a::b::c"); seen == 0 || !errors.Is(err, urn.ErrSyntax) {
		t.Errorf("the listed difference no longer exists: %d texts, %v", seen, err)
	}
}

func TestParseErrors(t *testing.T) {
	long := strings.Repeat("long/", 40)
	for i, test := range []struct {
		text   string
		offset int
		part   string
		want   string
	}{
		{"", 0, "prefix", `urn: not a URN: prefix: expected "urn:pulumi:", found end of text at byte 0 of ""`},
		{"urn:", 4, "prefix", `urn: not a URN: prefix: expected "urn:pulumi:", found end of text at byte 4 of "urn:"`},
		{"urn:aws:a::b::c::d", 4, "prefix", `urn: not a URN: prefix: expected "urn:pulumi:", found "a" at byte 4 of "urn:aws:a::b::c::d"`},
		{"URN:pulumi:", 0, "prefix", `urn: not a URN: prefix: expected "urn:pulumi:", found "U" at byte 0 of "URN:pulumi:"`},
		{"\x00\n\xff", 0, "prefix", `urn: not a URN: prefix: expected "urn:pulumi:", found "\x00" at byte 0 of "\x00\n\xff"`},
		{"urn:pulumi:", 11, "stack", `urn: not a URN: stack: expected "::", found end of text at byte 11 of "urn:pulumi:"`},
		{"urn:pulumi:dev", 14, "stack", `urn: not a URN: stack: expected "::", found end of text at byte 14 of "urn:pulumi:dev"`},
		{"urn:pulumi:dev::p", 17, "project", `urn: not a URN: project: expected "::", found end of text at byte 17 of "urn:pulumi:dev::p"`},
		{"urn:pulumi:dev::p::", 19, "qualified type", `urn: not a URN: qualified type: expected "::", found end of text at byte 19 of "urn:pulumi:dev::p::"`},
		{"urn:pulumi::a::b::c", 19, "qualified type", `urn: not a URN: qualified type: expected "::", found end of text at byte 19 of "urn:pulumi::a::b::c"`},
		{long, 0, "prefix", `urn: not a URN: prefix: expected "urn:pulumi:", found "l" at byte 0 of "long/long/long/long/long/lon"...`},
		{urn.Prefix + long, 211, "stack", `urn: not a URN: stack: expected "::", found end of text at byte 211 of ..."g/long/long/long/long/long/long/"`},
		{urn.Prefix + "世世世世世世世世世世世", 44, "stack", `urn: not a URN: stack: expected "::", found end of text at byte 44 of ..."世世世世世世世世世世世"`},
		{urn.Prefix + strings.Repeat("é", 20) + "x", 52, "stack", `urn: not a URN: stack: expected "::", found end of text at byte 52 of ..."` + strings.Repeat("é", 16) + `x"`},
	} {
		_, err := urn.Parse(test.text)
		var e *urn.Error
		if !errors.As(err, &e) {
			t.Errorf("row %d: Parse(%q) = %v", i, test.text, err)
			continue
		}
		if e.Offset != test.offset || e.Part != test.part || e.Input != test.text || err.Error() != test.want {
			t.Errorf("row %d: offset %d, part %q, text\n%s, want %d, %q\n%s", i, e.Offset, e.Part, err, test.offset, test.part, test.want)
		}
	}
}

// The text of an error is one printable line of bounded length, whatever the input, also of an Error that a caller made.
func TestErrorText(t *testing.T) {
	texts := append(hostile(), strings.Repeat("\x80", 1000), strings.Repeat("\x00", 1<<20), urn.Prefix+strings.Repeat("\n", 100), urn.Prefix+strings.Repeat("世", 100))
	for i, text := range texts {
		for _, offset := range []int{0, 1, 2, 29, 30, 31, 32, 33, len(text) / 2, len(text), -1, len(text) + 1, math.MaxInt, math.MinInt} {
			got := (&urn.Error{Input: text, Offset: offset, Part: "name", Want: "w", Found: "f"}).Error()
			if strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r == '\u2028' || r == '\u202e' }) || len(got) > 400 {
				t.Errorf("row %d, offset %d: %d bytes: %q", i, offset, len(got), got)
			}
		}
	}
	if e := new(urn.Error); e.Error() != `urn: : expected , found  at byte 0 of ""` || errors.Unwrap(e) != nil {
		t.Errorf("zero Error: %q, wraps %v", e.Error(), errors.Unwrap(e))
	}
}

// The limit on the text before the name, with one that can be reached: "urn:pulumi:s::p::t::" has 20 bytes.
func TestParseBound(t *testing.T) {
	const text = "urn:pulumi:s::p::t::name"
	for limit := len(urn.Prefix); limit <= len(text)+1; limit++ {
		u, err := urn.ParseWithin(text, limit)
		if limit >= 20 {
			if err != nil || u != urn.MustParse(text) {
				t.Errorf("limit %d: %v, %v", limit, u, err)
			}
			continue
		}
		var e *urn.Error
		if !errors.As(err, &e) || e.Offset != limit || e.Want != fmt.Sprintf(`"::" by byte %d`, limit) {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}

func TestMustParse(t *testing.T) {
	if got := urn.MustParse(bucket).String(); got != bucket {
		t.Errorf("got %q", got)
	}
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, urn.ErrSyntax) {
			t.Errorf("panic with %v", err)
		}
	}()
	urn.MustParse("x")
	t.Error("no panic")
}

func TestZero(t *testing.T) {
	var u urn.URN
	if diff := cmp.Diff(refURN{Parents: []string{}}, read(u)); diff != "" || !u.IsZero() {
		t.Errorf("IsZero %v, -want +got:\n%s", u.IsZero(), diff)
	}
	if diff := cmp.Diff(urn.Parts{}, u.Parts()); diff != "" {
		t.Error(diff)
	}
	if urn.MustParse("urn:pulumi:::::::").IsZero() {
		t.Error("a URN of empty parts is zero")
	}
}

func TestSize(t *testing.T) {
	if got, want := unsafe.Sizeof(urn.URN{}), unsafe.Sizeof("")+16; got != want {
		t.Errorf("a URN has %d bytes, want %d", got, want)
	}
}

func TestEqualAndCompare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := func(label string) urn.URN {
			u, err := urn.Parse(urn.Prefix + rapid.StringMatching(`[:$ab]{0,3}::[:$ab]{0,3}::[:$ab]{0,3}::[:$ab]{0,3}`).Draw(t, label))
			if err != nil {
				t.Fatalf("%v", err)
			}
			return u
		}
		u, v := one("u"), one("v")
		if rapid.Bool().Draw(t, "zero") {
			v = urn.URN{}
		}
		if rapid.Bool().Draw(t, "same") {
			v = u
			if err := v.UnmarshalText([]byte(u.String())); err != nil { // in other memory
				t.Fatalf("%v", err)
			}
		}
		same := u.String() == v.String()
		if (u == v) != same || u.Equal(v) != same || u.Compare(v) != strings.Compare(u.String(), v.String()) || cmp.Equal(u, v) != same {
			t.Fatalf("%q and %q: == %v, Equal %v, Compare %d", u, v, u == v, u.Equal(v), u.Compare(v))
		}
	})
}
