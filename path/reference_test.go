package path_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
)

// This file holds the slow and obvious: parsers over slices of steps, and the
// generators that all laws of this package draw from.

// slowCanonical reads the canonical grammar by its regular expression.
func slowCanonical(text string, pattern bool) ([]path.Step, bool) {
	step := regexp.MustCompile(`^(?:(\.?)([A-Za-z_][A-Za-z0-9_]*)|\[(0|[1-9][0-9]*)\]|\["((?:[^"\\]|\\["\\])*)"\]|(\[\*\*?\]))`)
	unescape := strings.NewReplacer(`\\`, `\`, `\"`, `"`)
	var steps []path.Step
	for rest := text; rest != ""; {
		m := step.FindStringSubmatchIndex(rest)
		if m == nil {
			return nil, false
		}
		part := func(i int) (string, bool) {
			if m[2*i] < 0 {
				return "", false
			}
			return rest[m[2*i]:m[2*i+1]], true
		}
		dot, _ := part(1)
		if name, ok := part(2); ok {
			if (dot == ".") != (len(rest) < len(text)) {
				return nil, false
			}
			steps = append(steps, path.Key(name))
		} else if digits, ok := part(3); ok {
			n, err := strconv.ParseInt(digits, 10, 32)
			if err != nil {
				return nil, false
			}
			steps = append(steps, path.Index(int(n)))
		} else if raw, ok := part(4); ok {
			steps = append(steps, path.Key(unescape.Replace(raw)))
		} else if wild, _ := part(5); pattern && wild == "[**]" {
			steps = append(steps, path.AnyDepth())
		} else if pattern {
			steps = append(steps, path.Any())
		} else {
			return nil, false
		}
		rest = rest[m[1]:]
	}
	return steps, true
}

// slowPulumi reads Pulumi's dialect, lax mode, a byte at a time. A segment is
// a string or an int64; the wildcard is "*".
func slowPulumi(text string) ([]any, bool) {
	segments, ok, _ := slowPulumiStrict(text)
	return segments, ok
}

// slowPulumiStrict also says whether strict mode would take the text.
func slowPulumiStrict(text string) (segments []any, ok, strict bool) {
	strict = true
	if strings.HasPrefix(text, ".") {
		return nil, false, false
	}
	for i := 0; i < len(text); {
		switch {
		case text[i] == '.':
			if i++; i == len(text) {
				return nil, false, false
			}
			strict = strict && text[i] != '['
		case strings.HasPrefix(text[i:], `["`):
			var key []byte
			for i += 2; ; i++ {
				if i >= len(text) {
					return nil, false, false
				}
				if text[i] == '"' {
					break
				}
				if strings.HasPrefix(text[i:], `\"`) {
					i++
				}
				key = append(key, text[i])
			}
			if i++; i >= len(text) || text[i] != ']' {
				return nil, false, false
			}
			segments = append(segments, string(key))
			i++
		case text[i] == '[':
			inside, _, ok := strings.Cut(text[i+1:], "]")
			if !ok {
				return nil, false, false
			}
			if inside == "*" {
				segments = append(segments, "*")
			} else if n, err := strconv.ParseInt(inside, 10, 64); err == nil {
				segments = append(segments, n)
			} else {
				return nil, false, false
			}
			i += len(inside) + 2
		default:
			end := i
			for end < len(text) && text[end] != '.' && text[end] != '[' {
				end++
			}
			segments = append(segments, text[i:end])
			i = end
		}
	}
	return segments, true, strict
}

// stepsOf turns segments into steps of a role, and says whether each index is
// one that a Step can have.
func stepsOf(segments []any, pattern bool) ([]path.Step, bool) {
	steps := make([]path.Step, len(segments))
	for i, s := range segments {
		switch s := s.(type) {
		case string:
			steps[i] = path.Key(s)
			if s == "*" && pattern {
				steps[i] = path.Any()
			}
		case int64:
			if s < 0 || s > path.MaxIndex {
				return nil, false
			}
			steps[i] = path.Index(int(s))
		}
	}
	return steps, true
}

// pathOf is the path of steps that have no wildcard.
func pathOf(t rapid.TB, steps []path.Step) path.Path {
	p, ok := path.PatternOf(steps...).Path()
	if !ok {
		t.Fatalf("a wildcard in the path %v", steps)
	}
	return p
}

// hostileKeys are the keys that break parsers, by hand.
func hostileKeys() []string {
	return []string{
		"", "*", "\"", `\`, `\\`, `\"`, `"\`, `a\`, `C:\`, `a.b\`, `a[\`, "\n", "\x00", "\xff", "a\xffb\\", "é", "\u202e", ".", "..",
		"[", "]", "[*]", `["*"]`, "[0]", "0", "01", "-1", "+1", "a b", "a.b", "a-b", "a[0]", "$", "_", "__defaults", "#initerror",
		"[secret]", "4dabf18193072939515e22adb298388d", strings.Repeat("k", 127), strings.Repeat(`"`, 128), strings.Repeat("é", 1<<13), strings.Repeat(`\`, 1<<16),
	}
}

func genKey() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"a", "b", "c"}),
		rapid.SampledFrom(hostileKeys()),
		rapid.StringMatching(`[A-Za-z_][A-Za-z0-9_]{0,5}`),
		rapid.String(),
		rapid.StringOf(rapid.SampledFrom([]rune(`"\.[]*a0`))),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	)
}

func genStep() *rapid.Generator[path.Step] {
	return rapid.OneOf(
		rapid.Map(genKey(), path.Key),
		rapid.Map(rapid.OneOf(rapid.IntRange(0, 3), rapid.IntRange(0, path.MaxIndex), rapid.SampledFrom([]int{31, 32, 4095, 4096, 1 << 29, path.MaxIndex - 1, path.MaxIndex})), path.Index),
	)
}

func genSteps() *rapid.Generator[[]path.Step] { return rapid.SliceOfN(genStep(), 0, 6) }

func genPath() *rapid.Generator[path.Path] {
	return rapid.Map(genSteps(), func(steps []path.Step) path.Path { return path.Of(steps...) })
}

func genPatternSteps() *rapid.Generator[[]path.Step] {
	return rapid.SliceOfN(rapid.OneOf(genStep(), rapid.Just(path.Any())), 0, 6)
}

// genText draws texts near the grammars: of grammar parts, or a good text with
// some bytes changed.
func genText() *rapid.Generator[string] {
	parts := rapid.SampledFrom([]string{
		"a", "b_1", ".", "..", "[", "]", "\"", `\`, `\"`, `\\`, "*", "[*]", `["*"]`, "[0]", "[12]", "[01]", "[-1]", "[+1]", "[-0]", "[]", `[""]`, `["a b"]`,
		"[2147483647]", "[2147483648]", "[9223372036854775808]", "[00000000000000000000001]", " ", "\n", "\x00", "\xff", "é", "0", "+", "-", "_", "$",
	})
	assembled := rapid.Map(rapid.SliceOfN(parts, 0, 8), func(s []string) string { return strings.Join(s, "") })
	mutated := rapid.Custom(func(t *rapid.T) string {
		text := path.PatternOf(rapid.SliceOfN(rapid.OneOf(genStep(), rapid.Just(path.Any())), 1, 3).Draw(t, "steps")...).String()
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		cut := rapid.IntRange(at, min(at+2, len(text))).Draw(t, "cut")
		return text[:at] + rapid.OneOf(parts, rapid.Just("")).Draw(t, "insert") + text[cut:]
	})
	return rapid.OneOf(assembled, mutated)
}

func TestReferencesKnowTheirGrammar(t *testing.T) {
	// The references agree with each other where the grammars overlap, so that
	// they are not both wrong in the same way as the code under test.
	for i, c := range []struct {
		text string
		ok   bool
	}{
		{"", true}, {"a.b[0]", true}, {`["x y"].z`, true}, {".a", false}, {"a.", false}, {"[", false}, {`["`, false}, {`["a"`, false},
	} {
		slow, ok := slowCanonical(c.text, false)
		segments, ok2 := slowPulumi(c.text)
		steps, ok3 := stepsOf(segments, false)
		if ok != c.ok || ok2 != c.ok || (ok && !ok3) || (ok && path.PatternOf(slow...) != path.PatternOf(steps...)) {
			t.Errorf("row %d %q: %v %v, %v %v", i, c.text, slow, ok, segments, ok2)
		}
	}
}
