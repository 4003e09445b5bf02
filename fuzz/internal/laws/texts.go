package laws

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/fuzz"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
)

// Law10PathsRoundTrip is the law that every sequence of steps has a canonical text that reads
// back to it, and to nothing else; so has every pattern, in which `[*]` is not
// `["*"]`. The operations on paths are those on the list of steps, and none of
// them changes its operands.
func Law10PathsRoundTrip(t *rapid.T) {
	steps := rapid.SliceOfN(fuzz.Internal.Steps(), 0, 8).Draw(t, "steps")
	more := rapid.SliceOfN(fuzz.Internal.Steps(), 0, 3).Draw(t, "more")
	p, text := path.Of(steps...), path.Of(steps...).String()
	back, err := path.Parse(text)
	if err != nil || back != p || !slices.Equal(slices.Collect(p.Steps()), steps) {
		t.Fatalf("%q reads back as %v, %v", text, back, err)
	}
	if asPattern, err := path.ParsePattern(text); err != nil || asPattern != p.Pattern() {
		t.Fatalf("%q reads as the pattern %v, %v", text, asPattern, err)
	}

	longer := p.Append(more...)
	if longer != path.Of(slices.Concat(steps, more)...) || longer != p.Join(path.Of(more...)) || p.String() != text {
		t.Fatalf("%v appended to %v is %v", more, p, longer)
	}
	rest, ok := longer.TrimPrefix(p)
	if !ok || !longer.HasPrefix(p) || rest != path.Of(more...) || longer.Prefix(len(steps)) != p || longer.Len() != len(steps)+len(more) {
		t.Fatalf("%v below %v is %v", longer, p, rest)
	}
	if sign := p.Compare(longer); sign > 0 || (sign == 0) != (len(more) == 0) || longer.Compare(p) != -sign {
		t.Fatalf("%v compared with %v is %d", p, longer, sign)
	}

	if last, ok := p.Last(); ok {
		parent, _ := p.Parent()
		if parent.Append(last) != p || last != steps[len(steps)-1] {
			t.Fatalf("%v is not %v in %v", p, last, parent)
		}
	}

	pattern := fuzz.Patterns().Draw(t, "pattern")
	if back, err := path.ParsePattern(pattern.String()); err != nil || back != pattern {
		t.Fatalf("%q reads back as %v, %v", pattern, back, err)
	}
	if key := path.Of(path.Key("*")); key.String() == path.PatternOf(path.Any()).String() || key.Pattern() == path.PatternOf(path.Any()) {
		t.Fatalf("the key * is the wildcard")
	}
}

// Law10PulumiDialect is the law that what the Pulumi dialect writes, it reads back to the same
// steps, in the role it was written for; what it does not write is one of the
// listed causes: a key that is not UTF-8, one that ends in a backslash and has a
// '.' or '[', and in a pattern the key `*` and the wildcard of any depth. Canonical texts without escapes mean
// the same in both dialects.
func Law10PulumiDialect(t *rapid.T) {
	p := fuzz.Paths().Draw(t, "path")
	text, err := p.Pulumi()
	if (err == nil) != pulumiCan(p.Pattern(), false) || (err != nil && !errors.Is(err, path.ErrUnwritable)) {
		t.Fatalf("%v is written as %q, %v", p, text, err)
	}
	if err == nil {
		if back, err := path.ParsePulumi(text); err != nil || back != p {
			t.Fatalf("%v is written as %q and reads back as %v, %v", p, text, back, err)
		}
	}

	pattern := fuzz.Patterns().Draw(t, "pattern")
	text, err = pattern.Pulumi()
	if (err == nil) != pulumiCan(pattern, true) {
		t.Fatalf("%v is written as %q, %v", pattern, text, err)
	}

	if err == nil {
		if back, err := path.ParsePulumiPattern(text); err != nil || back != pattern {
			t.Fatalf("%v is written as %q and reads back as %v, %v", pattern, text, back, err)
		}
	}
	if canonical := p.String(); !strings.ContainsAny(canonical, `\*`) {
		if back, err := path.ParsePulumi(canonical); err != nil || back != p {
			t.Fatalf("%q means %v in the Pulumi dialect, %v", canonical, back, err)
		}
	}
}

// pulumiCan says which patterns and paths the Pulumi dialect has a text for.
func pulumiCan(p path.Pattern, asPattern bool) bool {
	for s := range p.Steps() {
		key, isKey := s.AsKey()
		switch {
		case s.IsAnyDepth():
			return false
		case !isKey:
		case !utf8.ValidString(key):
			return false
		case asPattern && key == "*":
			return false
		case strings.HasSuffix(key, `\`) && strings.ContainsAny(key, ".["):
			return false
		}
	}

	return true
}

// Law10URNsRoundTrip is the law that a URN's text is the text that was parsed; its parts, built
// again, are the same URN (but for the root stack's type as only parent, which
// Build drops) or an error; what Build makes has the parts that it was made of.
// Changing one part changes that part only.
func Law10URNsRoundTrip(t *rapid.T) {
	text := fuzz.URNs().Draw(t, "URN").String()
	u, err := urn.Parse(text)
	if err != nil || u.String() != text {
		t.Fatalf("%q reads as %q, %v", text, u, err)
	}

	parts := u.Parts()
	if built, err := urn.Build(parts); err == nil && built != u && !onlyRoot(parts.Parents) {
		t.Fatalf("%q is built as %q", text, built)
	}

	drawn := fuzz.Internal.URNParts().Draw(t, "parts")
	built, err := urn.Build(drawn)
	if err != nil {
		if !errors.Is(err, urn.ErrPart) {
			t.Fatalf("%+v: %v", drawn, err)
		}
		return
	}
	if back, err := urn.Parse(built.String()); err != nil || back != built || !sameParts(back.Parts(), drawn) {
		t.Fatalf("%+v is built as %q, which reads as %+v, %v", drawn, built, back.Parts(), err)
	}
}

// sameParts compares parts; the root stack's type as only parent does not count, on
// either side.
func sameParts(a, b urn.Parts) bool {
	a.Parents, b.Parents = trimRoot(a.Parents), trimRoot(b.Parents)
	return a.Stack == b.Stack && a.Project == b.Project && a.Type == b.Type && a.Name == b.Name && slices.Equal(a.Parents, b.Parents)
}

func onlyRoot(parents []string) bool {
	return len(parents) == 1 && parents[0] == urn.RootStackType
}

func trimRoot(parents []string) []string {
	if onlyRoot(parents) {
		return nil
	}
	return parents
}
