package rulebook_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/rulebook"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
)

// TestBook: what is said of a token is what all its patterns say.
func TestBook(t *testing.T) {
	var book rulebook.Book
	for _, err := range []error{
		book.Read([]byte(`{"foo:index:*": {"fix": {"zone": "z1", "size": 1}, "quiet": ["etag"]},
			"foo:index:Disk": {"fix": {"size": 2}, "skip": "deprecated"}}`)),
		book.ReadInputs([]byte(`{"foo:index:Disk": [{"name": "a"}], "foo:index:*": [{"name": "b"}]}`)),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}

	if got := book.Tokens(); !slices.Equal(got, []string{"foo:index:Disk"}) {
		t.Errorf("tokens with inputs: %q", got)
	}
	rules := book.Of("foo:index:Disk")
	if len(rules.Inputs) != 2 || len(rules.Quiet) != 1 || rules.Skip != "deprecated" {
		t.Errorf("%+v", rules)
	}
	want := value.Object(value.Field("name", value.String("a")), value.Field("size", value.Number(2)), value.Field("zone", value.String("z1")))
	if got := rules.Fixed(value.Object(value.Field("name", value.String("a")), value.Field("zone", value.String("z2")))); !got.Equal(want) {
		t.Errorf("fixed: %v", got)
	}
	var places []string
	for _, p := range rules.FixedPlaces() {
		places = append(places, p.String())
	}
	slices.Sort(places)
	if !slices.Equal(places, []string{"size", "zone"}) {
		t.Errorf("fixed places: %q", places)
	}
}

// TestBookErrors: an error names the token and the place.
func TestBookErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": {"sets": ["x"]}}`:           `json: unknown field "sets"`,
		`{"a": {"same": {"x": "upper"}}}`:  `a: x: expected fold, json, number, bool, space or empty, found "upper"`,
		`{"a": {"inputs": [{}, {"x": 1]}`:  "invalid character ']' after object key:value pair",
		`{"a": {"set": ["x["]}}`:           `a: path: "x[": offset 2: expected index`,
		`{"a": {"inputs": [{}, "b"]}}`:     "a: inputs: 1: ",
		`{"a": {"fix": {"zone": {"": 1}}}`: "unexpected EOF",
	} {
		var book rulebook.Book
		err := book.Read([]byte(text))
		if err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("%s: %v, wanted %s", text, err, want)
		}
	}
}

// TestCodes: each code has one rule of propalg test, and is in its guide.
func TestCodes(t *testing.T) {
	text, err := os.ReadFile("../../docs/guides/any-provider.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := slices.Collect(check.Rules())
	all := slices.Collect(rulebook.Codes())
	if len(all) <= len(checked) || !slices.Equal(all[:len(checked)], checked) {
		t.Fatalf("%d rules, which do not begin with the %d of package check", len(all), len(checked))
	}

	seen := map[string]bool{}
	for _, r := range all[len(checked):] {
		if seen[r.Code] || r.Advice == "" || r.Severity == 0 {
			t.Errorf("%s twice, or without advice or severity", r.Code)
		}
		seen[r.Code] = true
		if !strings.Contains(string(text), "`"+r.Code+"`") {
			t.Errorf("the guide does not have %s", r.Code)
		}
	}
}
