package path_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
	_ "unsafe" // for go:linkname

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
)

func TestPulumiTable(t *testing.T) {
	for i, c := range []struct {
		text      string
		canonical string
		written   string
	}{
		{"", "", ""},
		{"a.b", "a.b", "a.b"},
		{"a..b", "a.b", "a.b"},
		{"a...b", "a.b", "a.b"},
		{`a.["k"]`, "a.k", "a.k"},
		{`a..[0]`, "a[0]", "a[0]"},
		{"a[0]b", "a[0].b", "a[0].b"},
		{`["a"]b`, "a.b", "a.b"},
		{"a]", `["a]"]`, `["a]"]`},
		{"a b", `["a b"]`, `["a b"]`},
		{`a"b`, `["a\"b"]`, `["a\"b"]`},
		{`"a"`, `["\"a\""]`, `["\"a\""]`},
		{"0", `["0"]`, "0"},
		{"a.0", `a["0"]`, "a.0"},
		{"[+1]", "[1]", "[1]"},
		{"[-0]", "[0]", "[0]"},
		{"[0012]", "[12]", "[12]"},
		{`[""]`, `[""]`, `[""]`},
		{`a[""].b`, `a[""].b`, `a[""].b`},
		{`["a\n"]`, `["a\\n"]`, `["a\n"]`},
		{`["a\\"]`, ``, ``},
		{`["a\\"]"]`, `["a\\\"]"]`, `["a\\"]"]`},
		{`["\"\""]`, `["\"\""]`, `["\"\""]`},
		{`C:\`, `["C:\\"]`, `C:\`},
		{`a.C:\[0]`, `a["C:\\"][0]`, `a.C:\[0]`},
		{`[0]C:\.b`, `[0]["C:\\"].b`, `[0].C:\.b`},
		{`\\`, `["\\\\"]`, `\\`},
		{`"\`, `["\"\\"]`, `"\`},
		{"a\nb", "[\"a\nb\"]", "[\"a\nb\"]"},
		{"*", `["*"]`, `["*"]`},
		{"[*]", `["*"]`, `["*"]`},
		{`["*"]`, `["*"]`, `["*"]`},
		{"a.*.b", `a["*"].b`, `a["*"].b`},
		{"**", `["**"]`, `["**"]`},
	} {
		p, err := path.ParsePulumi(c.text)
		if c.text != "" && c.canonical == "" {
			if err == nil {
				t.Errorf("row %d %q: no error but %v", i, c.text, p)
			}
			continue
		}
		written, werr := p.Pulumi()
		if err != nil || werr != nil || p.String() != c.canonical || written != c.written {
			t.Errorf("row %d %q: got %s, %v, written %s, %v", i, c.text, p, err, written, werr)
		}
	}
}

func TestPulumiPatternTable(t *testing.T) {
	for i, c := range []struct{ text, canonical, written string }{
		{"*", "[*]", "[*]"},
		{"[*]", "[*]", "[*]"},
		{`["*"]`, "[*]", "[*]"},
		{"a.*.b", "a[*].b", "a[*].b"},
		{"a[*]b", "a[*].b", "a[*].b"},
		{`a.["*"]`, "a[*]", "a[*]"},
		{"a*", `["a*"]`, `["a*"]`},
		{`["\*"]`, `["\\*"]`, `["\*"]`},
	} {
		p, err := path.ParsePulumiPattern(c.text)
		written, werr := p.Pulumi()
		if err != nil || werr != nil || p.String() != c.canonical || written != c.written {
			t.Errorf("row %d %q: got %s, %v, written %s, %v", i, c.text, p, err, written, werr)
		}
	}
}

func TestPulumiErrorTable(t *testing.T) {
	for i, c := range []struct {
		text string
		want string
		is   error
	}{
		{".", `path: ".": offset 0: expected name or '[', found '.'`, path.ErrSyntax},
		{".a", `path: ".a": offset 0: expected name or '[', found '.'`, path.ErrSyntax},
		{"a.", `path: "a.": offset 2: expected name or '[', found end of input`, path.ErrSyntax},
		{"a..", `path: "a..": offset 3: expected name or '[', found end of input`, path.ErrSyntax},
		{"[0].", `path: "[0].": offset 4: expected name or '[', found end of input`, path.ErrSyntax},
		{"[", `path: "[": offset 1: expected index, quoted key or '*', found end of input`, path.ErrSyntax},
		{"[]", `path: "[]": offset 1: expected index, quoted key or '*', found ']'`, path.ErrSyntax},
		{"[+]", `path: "[+]": offset 2: expected index, quoted key or '*', found ']'`, path.ErrSyntax},
		{"[1", `path: "[1": offset 2: expected ']', found end of input`, path.ErrSyntax},
		{"[1_0]", `path: "[1_0]": offset 2: expected ']', found '_'`, path.ErrSyntax},
		{"[ 1]", `path: "[ 1]": offset 1: expected index, quoted key or '*', found ' '`, path.ErrSyntax},
		{"[*a]", `path: "[*a]": offset 2: expected ']', found 'a'`, path.ErrSyntax},
		{`["a`, `path: "[\"a": offset 3: expected closing '"' of a key, found end of input`, path.ErrSyntax},
		{`["a\"]`, `path: "[\"a\\\"]": offset 6: expected closing '"' of a key, found end of input`, path.ErrSyntax},
		{`["a"`, `path: "[\"a\"": offset 4: expected ']', found end of input`, path.ErrSyntax},
		{`["a"b]`, `path: "[\"a\"b]": offset 4: expected ']', found 'b'`, path.ErrSyntax},
		{"a[-1]", `path: "a[-1]": offset 2: expected index from 0 to 2147483647, found -1`, path.ErrIndex},
		{"a[2147483648]", `path: "a[2147483648]": offset 2: expected index from 0 to 2147483647, found 2147483648`, path.ErrIndex},
		{"a[-9223372036854775809]", `path: "a[-9223372036854775809]": offset 2: expected index from 0 to 2147483647, found -9223372036854775809`, path.ErrIndex},
	} {
		_, err := path.ParsePulumi(c.text)
		checkError(t, i, c.text, err, c.want, c.is)
		_, err = path.ParsePulumiPattern(c.text)
		checkError(t, i, c.text, err, c.want, c.is)
	}
}

func TestUnwritable(t *testing.T) {
	for i, c := range []struct {
		path path.Path
		step int
		want string
	}{
		{path.Of(path.Key("a"), path.Key(`b.c\`)), 1, `path: step 1: not writable in the Pulumi dialect: expected a key that does not end in a backslash, found one that does and has a '.' or '['`},
		{path.Of(path.Key(`[\`)), 0, `path: step 0: not writable in the Pulumi dialect: expected a key that does not end in a backslash, found one that does and has a '.' or '['`},
		{path.Of(path.Index(1), path.Key("\xff")), 1, `path: step 1: not writable in the Pulumi dialect: expected a key that is UTF-8, found one that is not`},
		{path.Of(path.Key("\xff\\")), 0, `path: step 0: not writable in the Pulumi dialect: expected a key that is UTF-8, found one that is not`},
	} {
		text, err := c.path.Pulumi()
		checkUnwritable(t, i, text, err, c.step, c.want)
		text, err = c.path.Pattern().Pulumi()
		checkUnwritable(t, i, text, err, c.step, c.want)
	}
	text, err := path.Of(path.Index(0), path.Key("*")).Pattern().Pulumi()
	checkUnwritable(t, -1, text, err, 1, `path: step 1: not writable in the Pulumi dialect: expected a key other than '*', found that key, which reads as the wildcard`)
	if text, err := path.Of().Pulumi(); text != "" || err != nil {
		t.Errorf("the root: %q, %v", text, err)
	}
	if text, err := path.MustParse("a[0]").Pulumi(); text != "a[0]" || err != nil {
		t.Errorf("a key: %q, %v", text, err)
	}
}

func checkUnwritable(t *testing.T, row int, text string, err error, step int, want string) {
	t.Helper()
	var e *path.Error
	if text != "" || !errors.As(err, &e) || !errors.Is(err, path.ErrUnwritable) || e.Step != step || e.Input != "" || err.Error() != want {
		t.Errorf("row %d: got %q, %v", row, text, err)
	}
}

// isWritable says by the rules of the specification whether Pulumi's dialect
// has a text for a key.
func isWritable(key string, pattern bool) bool {
	switch {
	case !utf8.ValidString(key), pattern && key == "*":
		return false
	case strings.HasSuffix(key, `\`):
		return !strings.Contains(key, ".") && !strings.Contains(key, "[")
	}
	return true
}

// What can be written is written, and is read back by us and by the slow
// parser, which stands for Pulumi's own and is held to its answers by
// TestOracle.
func TestPulumiRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := genPatternSteps().Draw(t, "steps")
		pattern := path.PatternOf(steps...)
		writable := !slices.ContainsFunc(steps, func(s path.Step) bool {
			key, ok := s.AsKey()
			return ok && !isWritable(key, true)
		})
		text, err := pattern.Pulumi()
		if (err == nil) != writable {
			t.Fatalf("%v written as %q, %v", pattern, text, err)
		}
		if writable {
			back, err := path.ParsePulumiPattern(text)
			segments, _, ok := slowPulumiStrict(text)
			slow, ok2 := stepsOf(segments, true)
			if err != nil || back != pattern || !ok || !ok2 || !slices.Equal(slow, steps) || !utf8.ValidString(text) {
				t.Fatalf("%v written as %q, read as %v, %v, by the slow parser as %v", pattern, text, back, err, slow)
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		steps := genSteps().Draw(t, "steps")
		p := path.Of(steps...)
		writable := !slices.ContainsFunc(steps, func(s path.Step) bool {
			key, ok := s.AsKey()
			return ok && !isWritable(key, false)
		})
		text, err := p.Pulumi()
		if (err == nil) != writable {
			t.Fatalf("%v written as %q, %v", p, text, err)
		}
		if writable {
			back, err := path.ParsePulumi(text)
			segments, _, ok := slowPulumiStrict(text)
			slow, ok2 := stepsOf(segments, false)
			if err != nil || back != p || !ok || !ok2 || pathOf(t, slow) != p {
				t.Fatalf("%v written as %q, read as %v, %v, by the slow parser as %v", p, text, back, err, slow)
			}
		}
	})
}

func TestPulumiAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := genText().Draw(t, "text")
		segments, ok := slowPulumi(text)
		p, err := path.ParsePulumi(text)
		pattern, perr := path.ParsePulumiPattern(text)
		if (err == nil) != (perr == nil) {
			t.Fatalf("%q: %v as path, %v as pattern", text, err, perr)
		}
		steps, inRange := stepsOf(segments, false)
		if (err == nil) != (ok && inRange) || (ok && errors.Is(err, path.ErrIndex) == inRange) {
			t.Fatalf("%q: got %v, %v, want %v, %v", text, p, err, segments, ok)
		}
		if err != nil {
			return
		}
		patternSteps, _ := stepsOf(segments, true)
		if p != pathOf(t, steps) || pattern != path.PatternOf(patternSteps...) {
			t.Fatalf("%q: got %v and %v, want %v", text, p, pattern, segments)
		}
	})
}

// The texts of steps are that of the path they make: of one step, and one after the other.
func TestPulumiSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := genSteps().Draw(t, "steps")
		var written []byte
		var failed error
		for i, step := range steps {
			text, err := step.Pulumi()
			want, wantErr := path.Of(step).Pulumi()
			if text != want || (err == nil) != (wantErr == nil) {
				t.Fatalf("%v: %q, %v, want %q, %v", step, text, err, want, wantErr)
			}
			if failed == nil {
				written, failed = step.AppendPulumi(written, i == 0)
			}
		}
		want, wantErr := path.Of(steps...).Pulumi()
		if (failed == nil) != (wantErr == nil) || (failed == nil && string(written) != want) {
			t.Fatalf("%v: %q, %v, want %q, %v", steps, written, failed, want, wantErr)
		}
	})
}

// The overlap of the two grammars is most of what there is: canonical texts
// without a key that needs an escaped backslash mean the same in both.
func TestCanonicalTextsInPulumi(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := genText().Draw(t, "text")
		p, err := path.Parse(text)
		if err != nil || strings.Contains(text, `\\`) {
			return
		}
		if q, err := path.ParsePulumi(text); err != nil || q != p {
			t.Fatalf("%q: canonical %v, Pulumi %v, %v", text, p, q, err)
		}
	})
}

//go:linkname areWords github.com/propalg/propalg/path.areWords
func areWords(text string) bool

// TestAreWords: eight bytes at once say what they say one by one.
func TestAreWords(t *testing.T) {
	for size := 1; size <= 18; size++ {
		for at := range size {
			for c := range 256 {
				text := []byte("aZ09_zA5b_Yx7Q_k31"[:size])
				text[at] = byte(c)
				want := c < 0x80 && (c == '_' || (c >= '0' && c <= '9') || (c|0x20 >= 'a' && c|0x20 <= 'z'))
				if got := areWords(string(text)); got != want {
					t.Fatalf("%q: %v", text, got)
				}
			}
		}
	}
}
