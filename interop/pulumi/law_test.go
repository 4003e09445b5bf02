package pulumi_test

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi/internal/differential"
)

// TestLaws holds the SDK and us against each other; -rapid.checks makes a long run. Every law
// has inputs on which both agree, and says what else there was, by the names that
// docs/differences.md has.
func TestLaws(t *testing.T) {
	page, err := os.ReadFile("../../docs/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	entry := regexp.MustCompile("^[a-z0-9]+(-[a-z0-9]+)+$")
	for _, law := range differential.Laws() {
		t.Run(law.Name, func(t *testing.T) {
			var tally differential.Tally
			rapid.Check(t, func(t *rapid.T) { law.Check(t, &tally) })
			for _, outcome := range tally.Outcomes() {
				t.Logf("%6d %s", tally.Count(outcome), outcome)
				if entry.MatchString(outcome) && !bytes.Contains(page, []byte("\n### "+outcome+"\n")) {
					t.Errorf("docs/differences.md has no %s", outcome)
				}
			}
			if tally.Count(differential.Same) == 0 && !testing.Short() {
				t.Error("no inputs agree")
			}
		})
	}
}

// fuzzLaws runs laws on the bytes that a fuzzer makes, which rapid draws from.
func fuzzLaws(f *testing.F, names ...string) {
	f.Helper()
	fuzz.Native(f, lawsNamed(names...))
}

// lawsNamed are laws as one, of which each input draws one.
func lawsNamed(names ...string) func(t *rapid.T) {
	var some []differential.Law
	for _, law := range differential.Laws() {
		if slices.Contains(names, law.Name) {
			some = append(some, law)
		}
	}
	var tally differential.Tally
	return func(t *rapid.T) {
		i := rapid.IntRange(0, len(some)-1).Draw(t, "law")
		some[i].Check(t, &tally)
	}
}

func FuzzValueLaws(f *testing.F) {
	fuzzLaws(f, "values", "sdk-values", "models", "equal", "equal-classic")
}

func FuzzDiffLaws(f *testing.F) {
	fuzzLaws(f, "diff", "diff-classic", "diff-sides", "detailed")
}

func FuzzEditLaws(f *testing.F) {
	fuzzLaws(f, "get", "set", "get-classic", "set-classic", "add-classic", "delete-classic", "glob-get")
}

func FuzzPathLaws(f *testing.F) {
	fuzzLaws(f, "matches", "contains", "print", "print-classic", "path-models")
}

func FuzzWireLaws(f *testing.F) {
	fuzzLaws(f, "wire", "sdk-wire")
}

// FuzzPathTexts feeds any text to the parsers of paths.
func FuzzPathTexts(f *testing.F) {
	for _, text := range pathTexts() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var tally differential.Tally
		differential.ParseText(t, text, &tally)
		differential.ParseClassicText(t, text, &tally)
	})
}

// FuzzURNTexts feeds any text to the parsers of URNs.
func FuzzURNTexts(f *testing.F) {
	for _, text := range []string{"urn:pulumi:s::p::a$b:c/d:E::n::m", "urn:pulumi::a::b::c", "urn:pulumi:s:::p::t::n", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var tally differential.Tally
		differential.ParseURN(t, text, &tally)
	})
}
