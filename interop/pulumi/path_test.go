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
	"github.com/propalg/propalg/path"
)

func TestPathRoundTrip(t *testing.T) {
	paths := fuzz.Paths()
	rapid.Check(t, func(t *rapid.T) {
		p := paths.Draw(t, "path")
		if back, err := pulumi.FromPath(pulumi.ToPath(p)); err != nil || back != p {
			t.Fatalf("%v: %v came back as %v", err, p, back)
		}
	})
	patterns := fuzz.Patterns()
	rapid.Check(t, func(t *rapid.T) {
		p := patterns.Draw(t, "pattern")
		theirs, err := pulumi.ToPathPattern(p)
		if err != nil {
			if hasStar := slices.Contains(slices.Collect(p.Steps()), path.Exactly(path.Key("*"))); !hasStar || !errors.Is(err, pulumi.ErrStar) {
				t.Fatal(err)
			}
			return
		}
		if back, err := pulumi.FromPathPattern(theirs); err != nil || back != p {
			t.Fatalf("%v: %v came back as %v", err, p, back)
		}
	})
}

// TestPathsMatchAlike: a pattern covers what the SDK says that it contains.
func TestPathsMatchAlike(t *testing.T) {
	paths := fuzz.Paths()
	rapid.Check(t, func(t *rapid.T) {
		at := paths.Draw(t, "path")
		p := fuzz.PatternsFor(at).Draw(t, "pattern")
		theirs, err := pulumi.ToPathPattern(p)
		if err != nil {
			t.Skip(err)
		}
		if want := theirs.Contains(pulumi.ToPath(at)); p.Covers(at) != want {
			t.Fatalf("%v covers %v: %v, the SDK says %v", p, at, !want, want)
		}
	})
}

// TestTextsParseAlike: what the SDK's parser makes of a text, ours makes of it.
func TestTextsParseAlike(t *testing.T) {
	same := 0
	check := func(text string) {
		theirs, theirErr := resource.ParsePropertyPath(text)
		var wantPath path.Path
		var wantPattern path.Pattern
		if theirErr == nil {
			if wantPath, theirErr = pulumi.FromPath(theirs); theirErr == nil {
				wantPattern, theirErr = pulumi.FromPathPattern(theirs)
			}
		}
		p, err := path.ParsePulumi(text)
		if (err == nil) != (theirErr == nil) || err == nil && p != wantPath {
			t.Errorf("%q: %v, %v; the SDK says %v, %v", text, p, err, wantPath, theirErr)
		}
		q, err := path.ParsePulumiPattern(text)
		if (err == nil) != (theirErr == nil) || err == nil && q != wantPattern {
			t.Errorf("%q: %v, %v; the SDK says %v, %v", text, q, err, wantPattern, theirErr)
		}
		if err == nil {
			same++
		}
	}
	for _, text := range []string{
		"", "a", "a.b", "a[0]", `a["b"]`, `["a"].b`, "a[*].b", `a["*"].b`, "*", "a.*", "a.[0]", ".a", "a.", "a..b", "a[", "a[]", "a[-1]", "a[+1]", "a[007]",
		"a[2147483647]", "a[2147483648]", "a[99999999999999999999]", `a["`, `a["\""]`, `a["\\"]`, `a["b`, `a["b"`, "a]b", "ü", "a[1]b", `a["b"]c`, "\xff",
	} {
		check(text)
	}
	rapid.Check(t, func(r *rapid.T) {
		check(string(rapid.SliceOfN(rapid.SampledFrom([]byte(`a.[]"*\0-+9`)), 0, 12).Draw(r, "text")))
	})
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
			check(row.Text + row.Path)
		}
	}
	if same < 20 {
		t.Errorf("only %d texts parsed", same)
	}
}

func TestPathErrors(t *testing.T) {
	one := func(_ any, err error) error { return err }
	for i, row := range []struct {
		err  error
		is   error
		text string
	}{
		{one(pulumi.FromPath(resource.PropertyPath{"a", -1})), pulumi.ErrRange, `pulumi: from path: a: index out of range: expected index from 0 to 2147483647, found -1`},
		{one(pulumi.FromPath(resource.PropertyPath{1.5})), pulumi.ErrKind, `pulumi: from path: no kind of property: expected string or int, found float64`},
		{one(pulumi.FromPathPattern(resource.PropertyPath{"a", "*", 1 << 31})), pulumi.ErrRange, `pulumi: from path pattern: a["*"]: index out of range: expected index from 0 to 2147483647, found 2147483648`},
		{one(pulumi.ToPathPattern(path.PatternOf(path.Exactly(path.Key("*"))))), pulumi.ErrStar, `pulumi: to path pattern: key reads as the wildcard`},
	} {
		if !errors.Is(row.err, row.is) || row.err.Error() != row.text {
			t.Errorf("row %d: %v, want %s", i, row.err, row.text)
		}
	}
}
