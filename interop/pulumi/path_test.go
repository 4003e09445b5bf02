package pulumi_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/interop/pulumi/internal/differential"
	"github.com/propalg/propalg/path"
)

func TestPathRoundTrip(t *testing.T) {
	paths := fuzz.Paths()
	rapid.Check(t, func(t *rapid.T) {
		p := paths.Draw(t, "path")
		if back, err := pulumi.FromPropertyPath(pulumi.ToPropertyPath(p)); err != nil || back != p {
			t.Fatalf("%v: %v came back as %v", err, p, back)
		}
	})
	patterns := differential.Known(fuzz.Patterns())
	rapid.Check(t, func(t *rapid.T) {
		p := patterns.Draw(t, "pattern")
		theirs, err := pulumi.ToPropertyPathPattern(p)
		if err != nil {
			if hasStar := slices.Contains(slices.Collect(p.Steps()), path.Key("*")); !hasStar || !errors.Is(err, pulumi.ErrStar) {
				t.Fatal(err)
			}
			return
		}
		if back, err := pulumi.FromPropertyPathPattern(theirs); err != nil || back != p {
			t.Fatalf("%v: %v came back as %v", err, p, back)
		}
	})
}

// pathTexts are texts with what parsers of paths differ in.
func pathTexts() []string {
	return []string{
		"", "a", "a.b", "a[0]", `a["b"]`, `["a"].b`, "a[*].b", `a["*"].b`, "*", "a.*", "a.[0]", ".a", "a.", "a..b", "a[", "a[]", "a[-1]", "a[+1]", "a[007]",
		"a[2147483647]", "a[2147483648]", "a[99999999999999999999]", `a["`, `a["\""]`, `a["\\"]`, `a["b`, `a["b"`, "a]b", "ü", "a[1]b", `a["b"]c`, "\xff",
		`a["\n"]`, "a[\"\n\"]", `a["\u00e9"]`, "_1.a1", "1a", "[\"\xff\"]",
	}
}

// TestTextsParseAlike: what the SDK's parsers make of texts, real ones too, ours
// make of them.
func TestTextsParseAlike(t *testing.T) {
	texts := pathTexts()
	f, err := os.Open("../../../shared/data/oracle-paths.jsonl")
	if err != nil {
		t.Log("no real paths here: ", err)
	} else {
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var row struct{ Text, Path string }
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, row.Text+row.Path)
		}
	}
	var classic, canonical differential.Tally
	for _, text := range texts {
		differential.ParseClassicText(t, text, &classic)
		differential.ParseText(t, text, &canonical)
	}
	if classic.Count(differential.Same) < 20 || canonical.Count(differential.Same) < 10 {
		t.Errorf("only %d and %d texts parsed alike", classic.Count(differential.Same), canonical.Count(differential.Same))
	}
}

func TestPathErrors(t *testing.T) {
	checkErrors(t, []errorRow{
		{failed(pulumi.FromPropertyPath(resource.PropertyPath{"a", -1})), pulumi.ErrRange, `pulumi: from property path: a: index out of range: expected index from 0 to 2147483647, found -1`},
		{failed(pulumi.FromPropertyPath(resource.PropertyPath{1.5})), pulumi.ErrKind, `pulumi: from property path: no kind of property: expected string or int, found float64`},
		{failed(pulumi.FromPropertyPathPattern(resource.PropertyPath{"a", "*", 1 << 31})), pulumi.ErrRange, `pulumi: from property path pattern: a["*"]: index out of range: expected index from 0 to 2147483647, found 2147483648`},
		{failed(pulumi.ToPropertyPathPattern(path.PatternOf(path.Key("*")))), pulumi.ErrStar, `pulumi: to property path pattern: key reads as the wildcard`},
	})
}
