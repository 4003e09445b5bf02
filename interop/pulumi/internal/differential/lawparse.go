package differential

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/path"
)

// parseLaw: what both dialects accept has one meaning; what one accepts has
// something that is listed.
func parseLaw(t *rapid.T, tally *Tally) {
	ParseText(t, pathText(t), tally)
}

// pathText draws a path, or what is nearly one, in any dialect.
func pathText(t *rapid.T) (text string) {
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		text = string(rapid.SliceOfN(rapid.SampledFrom([]byte("a.[]\"*\\0-+9_nx\n\xff")), 0, 14).Draw(t, "bytes"))
	case 1:
		text = strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", ".b", "[0]", "[*]", ".*", "*", `["x"]`, `["*"]`, `["a\"b"]`, `["a\\b"]`, `["\n"]`, `["ü"]`, "[007]", "[2147483647]", "[2147483648]",
			"[9223372036854775807]", "[9223372036854775808]", "._1", ".", "[", "]", "ü", `[""]`, "[-1]",
		}), 1, 6).Draw(t, "parts"), "")
	default:
		text = Known(fuzz.Patterns()).Draw(t, "pattern").String()
	}
	return text
}

// Test is what a test, a fuzz target and a law have in common.
type Test interface {
	Fatalf(format string, args ...any)
}

// ParseText holds the canonical parsers of both sides against each other.
func ParseText(t Test, text string, tally *Tally) {
	if len(text) > longestKey {
		tally.Add("key-that-is-long-in-a-text")
		return
	}

	var glob property.Glob
	theirErr := glob.UnmarshalText([]byte(text))
	ours, ourErr := path.ParsePattern(text)
	switch {
	case theirErr != nil && ourErr != nil:
		tally.Add("refused by both")
	case theirErr == nil && ourErr == nil:
		theirs, err := pulumi.FromGlob(glob)
		switch {
		case err == nil && theirs == ours:
			tally.Add(Same)
		case !utf8.ValidString(text):
			tally.Add("text-that-is-not-utf8")
		default:
			t.Fatalf("%q: %v, the SDK reads %v, %v", text, ours, theirs, err)
		}
	case ourErr == nil:
		if text != "" && !strings.Contains(text, "\n") && !strings.Contains(text, "[**]") {
			t.Fatalf("%q: %v, the SDK says %v", text, ours, theirErr)
		}

		tally.Add("taken by us only")
	default:
		if !looser().MatchString(strings.ReplaceAll(text, "[*]", "")) {
			t.Fatalf("%q: %v, the SDK reads %#v", text, ourErr, glob)
		}
		tally.Add("taken by the SDK only")
	}
}

// looser finds what the SDK's parser takes and our canonical one does not: a dot
// in front, a bare star, zeros in front, an index out of range, Go's escapes.
func looser() *regexp.Regexp { return regexp.MustCompile(`^\.|\*|\[0[0-9]|\[[0-9]{10,}|\\`) }

// parseClassicLaw: what the SDK's classic parser makes of a text, ours of that
// dialect makes of it, as a path and as a pattern.
func parseClassicLaw(t *rapid.T, tally *Tally) { ParseClassicText(t, pathText(t), tally) }

// ParseClassicText holds the parsers of Pulumi's dialect against each other.
func ParseClassicText(t Test, text string, tally *Tally) {
	theirs, theirErr := resource.ParsePropertyPath(text)
	var wantPath path.Path
	var wantPattern path.Pattern
	if theirErr == nil {
		if wantPath, theirErr = pulumi.FromPropertyPath(theirs); theirErr == nil {
			wantPattern, theirErr = pulumi.FromPropertyPathPattern(theirs)
		}
	}

	p, err := path.ParsePulumi(text)
	if (err == nil) != (theirErr == nil) || (err == nil && p != wantPath) {
		t.Fatalf("%q: %v, %v; the SDK says %v, %v", text, p, err, wantPath, theirErr)
	}
	q, err := path.ParsePulumiPattern(text)
	if (err == nil) != (theirErr == nil) || (err == nil && q != wantPattern) {
		t.Fatalf("%q: %v, %v; the SDK says %v, %v", text, q, err, wantPattern, theirErr)
	}
	if err != nil {
		tally.Add("refused by both")
		return
	}
	tally.Add(Same)
}

// printClassicLaw: what we write in Pulumi's dialect the SDK reads as the same
// steps, and writes as the same text but for what is listed.
func printClassicLaw(t *rapid.T, tally *Tally) {
	p := fuzz.Paths().Draw(t, "path")
	text, err := p.Pulumi()
	if err != nil {
		tally.Add("no text")
		return
	}

	theirs, err := resource.ParsePropertyPath(text)
	if err != nil {
		t.Fatalf("the SDK does not read what we write: %s: %v", text, err)
	}
	if back, err := pulumi.FromPropertyPath(theirs); err != nil || back != p {
		t.Fatalf("%v: the SDK reads %v as %v", err, text, back)
	}
	written := pulumi.ToPropertyPath(p).String()
	if written == text {
		tally.Add(Same)
		return
	}

	for s := range p.Steps() {
		key, isKey := s.AsKey()
		switch {
		case isKey && key == "":
			tally.Add("empty-key")
			return
		case strings.HasSuffix(key, `\`):
			tally.Add("key-that-ends-in-a-backslash")
			return
		}
	}
	t.Fatalf("%q, the SDK writes %q", text, written)
}

// containsLaw: a pattern covers what the classic model says that it contains.
func containsLaw(t *rapid.T, tally *Tally) {
	at := fuzz.Paths().Draw(t, "path")
	p := Known(fuzz.PatternsFor(at)).Draw(t, "pattern")
	theirs, err := pulumi.ToPropertyPathPattern(p)
	if err != nil {
		tally.Add("key-that-is-a-star")
		return
	}
	if got, want := p.Covers(at), theirs.Contains(pulumi.ToPropertyPath(at)); got != want {
		t.Fatalf("%v covers %v: %v, the SDK says %v", p, at, got, want)
	}

	tally.Add(Same)
}

// pathModelsLaw: the SDK's conversions of paths between its models and our
// adapters make one thing, of paths whose texts are the same in both dialects.
func pathModelsLaw(t *rapid.T, tally *Tally) {
	p := fuzz.Paths().Draw(t, "path")
	for s := range p.Steps() {
		key, isKey := s.AsKey()
		if isKey && (escapes(key) || strings.ContainsAny(key, `\`) || len(key) > longestKey || startsWithDigit(key)) {
			tally.Add("path-that-changes-between-models")
			return
		}
	}
	if p.IsRoot() {
		tally.Add("root-without-a-text")
		return
	}

	model, err := pulumi.ToPath(p)
	if err != nil {
		tally.Add(noRoom)
		return
	}
	if got, err := pulumi.FromPropertyPath(resource.ToResourcePropertyPath(model)); err != nil || got != p {
		t.Fatalf("%v: %v, the SDK makes classic %v", err, p, got)
	}
	if got, err := pulumi.FromPath(resource.FromResourcePropertyPath(pulumi.ToPropertyPath(p))); err != nil || got != p {
		t.Fatalf("%v: %v, the SDK makes new %v", err, p, got)
	}
	tally.Add(Same)
}

// startsWithDigit reports whether a key is bare in the classic dialect and not in
// the new one, or empty.
func startsWithDigit(key string) bool { return key == "" || (key[0] >= '0' && key[0] <= '9') }
