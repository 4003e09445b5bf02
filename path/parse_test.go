package path_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
)

func TestParseTable(t *testing.T) {
	for i, c := range []struct {
		text string
		want []path.Step
	}{
		{"", nil},
		{"a", keys("a")},
		{"_a1.B", keys("_a1", "B")},
		{`["a"]["b"]`, keys("a", "b")},
		{`[""]`, keys("")},
		{`["*"].x`, keys("*", "x")},
		{`a["\"\\"]`, keys("a", `"\`)},
		{"[\"\n\x00\xff.[]\"]", keys("\n\x00\xff.[]")},
		{"a[0][10]", append(keys("a"), path.Index(0), path.Index(10))},
		{"[2147483647]", []path.Step{path.Index(path.MaxIndex)}},
	} {
		p, err := path.Parse(c.text)
		if want := pathOf(t, c.want); err != nil || p != want {
			t.Errorf("row %d %q: got %v, %v, want %v", i, c.text, p, err, want)
		}
		q, err := path.ParsePattern(c.text)
		if err != nil || q != p.Pattern() {
			t.Errorf("row %d %q as pattern: got %v, %v", i, c.text, q, err)
		}
	}
}

func keys(names ...string) []path.Step {
	steps := make([]path.Step, len(names))
	for i, name := range names {
		steps[i] = path.Key(name)
	}
	return steps
}

func TestParseErrorTable(t *testing.T) {
	for i, c := range []struct {
		text string
		want string
		is   error
	}{
		{".", `path: ".": offset 0: expected name or '[', found '.'`, path.ErrSyntax},
		{"0", `path: "0": offset 0: expected name or '[', found '0'`, path.ErrSyntax},
		{" a", `path: " a": offset 0: expected name or '[', found ' '`, path.ErrSyntax},
		{"a.", `path: "a.": offset 2: expected name, found end of input`, path.ErrSyntax},
		{"a..b", `path: "a..b": offset 2: expected name, found '.'`, path.ErrSyntax},
		{`a.["b"]`, `path: "a.[\"b\"]": offset 2: expected name, found '['`, path.ErrSyntax},
		{"a-b", `path: "a-b": offset 1: expected '.', '[' or end of input, found '-'; a key that is not a name is written ["a-b"]`, path.ErrSyntax},
		{"a[0]b", `path: "a[0]b": offset 4: expected '.', '[' or end of input, found 'b'`, path.ErrSyntax},
		{"é", `path: "é": offset 0: expected name or '[', found 'é'; a key that is not a name is written ["é"]`, path.ErrSyntax},
		{"[\"\xff\"].a-b", `path: "[\"\xff\"].a-b": offset 7: expected '.', '[' or end of input, found '-'`, path.ErrSyntax},
		{"[\"\n\"].a-b", `path: "[\"\n\"].a-b": offset 7: expected '.', '[' or end of input, found '-'`, path.ErrSyntax},
		{"a\xff", `path: "a\xff": offset 1: expected '.', '[' or end of input, found byte 0xff`, path.ErrSyntax},
		{"a[", `path: "a[": offset 2: expected index or quoted key, found end of input`, path.ErrSyntax},
		{"a[*]", `path: "a[*]": offset 2: expected index or quoted key, found '*'`, path.ErrSyntax},
		{"a[-1]", `path: "a[-1]": offset 2: expected index or quoted key, found '-'`, path.ErrSyntax},
		{"a[]", `path: "a[]": offset 2: expected index or quoted key, found ']'`, path.ErrSyntax},
		{"a[00]", `path: "a[00]": offset 3: expected ']', found '0'`, path.ErrSyntax},
		{"a[1", `path: "a[1": offset 3: expected ']', found end of input`, path.ErrSyntax},
		{`a["b"`, `path: "a[\"b\"": offset 5: expected ']', found end of input`, path.ErrSyntax},
		{`a["b`, `path: "a[\"b": offset 4: expected closing '"' of a key, found end of input`, path.ErrSyntax},
		{`a["b\`, `path: "a[\"b\\": offset 5: expected closing '"' of a key, found end of input`, path.ErrSyntax},
		{`a["\n"]`, `path: "a[\"\\n\"]": offset 4: expected '"' or '\\' after backslash, found 'n'`, path.ErrSyntax},
		{"a[2147483648]", `path: "a[2147483648]": offset 2: expected index from 0 to 2147483647, found 2147483648`, path.ErrIndex},
		{
			"a[4611686018427387904]",
			`path: "a[4611686018427387904]": offset 2: expected index from 0 to 2147483647, found 4611686018427387904`, path.ErrIndex,
		},
		{
			"a[" + strings.Repeat("9", 1000) + "]",
			`path: "a[9999999999999999999999999999"...: offset 2: expected index from 0 to 2147483647, found 999999999999999999999999...`, path.ErrIndex,
		},
	} {
		_, err := path.Parse(c.text)
		checkError(t, i, c.text, err, c.want, c.is)
	}
}

// The error of a key that has to be quoted says how to write it, and no other error does.
func TestHowToQuote(t *testing.T) {
	for text, want := range map[string]string{
		"tags.cost-center":              `tags["cost-center"]`,
		"tags.aws:region.x":             `tags["aws:region"]`,
		"a[0].b-c[1]":                   `a[0]["b-c"]`,
		`a["x y"].b-c`:                  `a["x y"]["b-c"]`,
		"a.b-c.d-e":                     `a["b-c"]`,
		"$ref":                          `["$ref"]`,
		"a.3com":                        `a["3com"]`,
		"a.größe":                       `a["größe"]`,
		"rules.0.port":                  "", // an index, more likely
		"rules.-1":                      "",
		"a[0]b-c":                       "", // a dot is missing
		"a..b-c":                        "",
		".a-b":                          "",
		"/a/b-c":                        "", // a JSON Pointer
		"labels.example.com/x-y":        "", // the key begins before
		"a-b*":                          "",
		"a-b,c":                         "",
		"a-b c":                         "",
		`a-b"`:                          "",
		"a-\xff":                        "",
		"a-\ufffd":                      "",
		"a." + strings.Repeat("b-", 40): "",
	} {
		_, err := path.Parse(text)
		if err == nil {
			t.Fatal(text)
		}
		_, got, _ := strings.Cut(err.Error(), " is written ")
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		if want != "" {
			path.MustParse(want)
		}
	}
	if _, err := path.ParsePattern("tags[*].*-b"); err == nil || strings.Contains(err.Error(), "written") {
		t.Error(err)
	}
}

// checkError compares an error with its text, its sentinel and its fields.
func checkError(t *testing.T, row int, text string, err error, want string, is error) {
	t.Helper()
	var e *path.Error
	switch {
	case !errors.As(err, &e):
		t.Errorf("row %d %q: got %v, no *path.Error", row, text, err)
	case err.Error() != want:
		t.Errorf("row %d %q:\n got %s\nwant %s", row, text, err, want)
	case !errors.Is(err, is):
		t.Errorf("row %d %q: %v is not %v", row, text, err, is)
	case e.Input != text || e.Want == "" || e.Found == "":
		t.Errorf("row %d %q: fields %+v", row, text, *e)
	}
}

func TestParsePatternErrors(t *testing.T) {
	for i, c := range []struct{ text, want string }{
		{"*", `path: "*": offset 0: expected name or '[', found '*'`},
		{"a.*", `path: "a.*": offset 2: expected name, found '*'`},
		{"[*", `path: "[*": offset 2: expected ']', found end of input`},
		{"[***]", `path: "[***]": offset 3: expected ']', found '*'`},
		{"[?]", `path: "[?]": offset 1: expected index, quoted key or '*', found '?'`},
	} {
		_, err := path.ParsePattern(c.text)
		checkError(t, i, c.text, err, c.want, path.ErrSyntax)
	}
}

// The fast parser reads what the regular expression reads, and nothing else.
func TestParseAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := genText().Draw(t, "text")
		want, ok := slowCanonical(text, true)
		got, err := path.ParsePattern(text)
		if (err == nil) != ok || got != path.PatternOf(want...) {
			t.Fatalf("%q as pattern: got %v, %v, want %v, %v", text, got, err, want, ok)
		}
		want, ok = slowCanonical(text, false)
		p, err := path.Parse(text)
		if (err == nil) != ok || (ok && p != pathOf(t, want)) {
			t.Fatalf("%q: got %v, %v, want %v, %v", text, p, err, want, ok)
		}
		if !ok {
			checkPlausible(t, text, err)
		}
	})
}

// checkPlausible checks what holds for the error of any text: the offset is in
// it, and what stands in front of the offset can still become a path.
func checkPlausible(t *rapid.T, text string, err error) {
	var e *path.Error
	if !errors.As(err, &e) || e.Input != text || e.Offset < 0 || e.Offset > len(text) {
		t.Fatalf("%q: %v", text, err)
	}
	if line := err.Error(); len(line) > 500 || strings.ContainsAny(line, "\n\x00") {
		t.Fatalf("%q: %d bytes: %q", text, len(line), line)
	}
	if errors.Is(err, path.ErrIndex) {
		return
	}
	before := text[:e.Offset]
	for _, rest := range []string{"", "a", "[0]", "0]", "]", `"]`, `""]`, `\"]`} {
		if _, err := path.Parse(before + rest); err == nil {
			return
		}
	}
	t.Fatalf("%q: nothing makes a path of %q: %v", text, before, err)
}

func TestTextFamilyAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := genPath().Draw(t, "path")
		text, err := p.MarshalText()
		if err != nil || string(text) != p.String() || fmt.Sprint(p) != p.String() {
			t.Fatalf("%q, %v", text, err)
		}
		q := path.MustParse("before")
		if err := q.UnmarshalText(text); err != nil || q != p || path.MustParse(string(text)) != p {
			t.Fatalf("unmarshalled as %v, %v", q, err)
		}
		pattern := p.Pattern().Append(path.Any())
		text, err = pattern.MarshalText()
		if err != nil || string(text) != pattern.String() || pattern.String() != p.String()+"[*]" {
			t.Fatalf("%q, %v", text, err)
		}
		var r path.Pattern
		if err := r.UnmarshalText(text); err != nil || r != pattern || path.MustParsePattern(string(text)) != pattern {
			t.Fatalf("unmarshalled as %v, %v", r, err)
		}
	})
}

func TestUnmarshalTextKeepsOnError(t *testing.T) {
	p, q := path.MustParse("a"), path.MustParsePattern("[*]")
	if p.UnmarshalText([]byte("[")) == nil || q.UnmarshalText([]byte("[")) == nil || p.String() != "a" || q.String() != "[*]" {
		t.Errorf("got %v, %v", p, q)
	}
}

func TestMapKeysInJSON(t *testing.T) {
	in := map[path.Path]int{path.MustParse("a[0].b"): 1, {}: 2}
	text, err := json.Marshal(in)
	if err != nil || string(text) != `{"":2,"a[0].b":1}` {
		t.Fatalf("%s, %v", text, err)
	}
	var out map[path.Path]int
	if err := json.Unmarshal(text, &out); err != nil || len(out) != 2 || out[path.MustParse("a[0].b")] != 1 {
		t.Fatalf("%v, %v", out, err)
	}
}

func TestMustParsePanicsWithTheError(t *testing.T) {
	for i, f := range []func(){func() { path.MustParse("a[") }, func() { path.MustParsePattern("a[") }} {
		func() {
			defer func() {
				if got, ok := recover().(string); !ok || !strings.HasPrefix(got, `path: "a[": offset 2: expected index`) {
					t.Errorf("row %d: %v", i, got)
				}
			}()
			f()
			t.Errorf("row %d: no panic", i)
		}()
	}
}
