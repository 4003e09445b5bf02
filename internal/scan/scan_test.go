package scan_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/internal/test/kit"
)

func TestClip(t *testing.T) {
	long := strings.Repeat("0123456789", 10)
	for i, c := range []struct {
		input  string
		offset int
		want   string
	}{
		{"", 0, `""`},
		{"a[", 2, `"a["`},
		{"a\n\x00\xff\"", 1, `"a\n\x00\xff\""`},
		{"naïve\u202e", 3, `"naïve\u202e"`},
		{long, 0, `"` + long[:28] + `"...`},
		{long, 50, `..."` + long[18:78] + `"...`},
		{long, 100, `..."` + long[68:] + `"`},
		{long, -5, `"` + long[:28] + `"...`},
		{long, 1 << 30, `..."` + long[68:] + `"`},
		{"é" + long, 33, `"é` + long[:59] + `"...`},    // the cut would halve the é
		{long[:27] + "é", 0, `"` + long[:27] + `"...`}, // likewise behind
	} {
		if got := scan.Clip(c.input, c.offset); got != c.want {
			t.Errorf("row %d: got %s, want %s", i, got, c.want)
		}
	}
}

func TestClipIsOnePrintableLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		input := string(rapid.SliceOf(rapid.Byte()).Draw(t, "input"))
		input += rapid.String().Draw(t, "more")
		got := scan.Clip(input, rapid.IntRange(-2, len(input)+2).Draw(t, "offset"))
		if len(got) > 4*60+10 || !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Fatalf("%d bytes: %q", len(got), got)
		}
	})
}

func TestFound(t *testing.T) {
	for i, c := range []struct {
		input  string
		offset int
		want   string
	}{
		{"ab", 1, "'b'"},
		{"ab", 2, "end of input"},
		{"ab", -1, "end of input"},
		{"a\n", 1, `'\n'`},
		{"a'", 1, `'\''`},
		{"é", 0, "'é'"},
		{"é", 1, "byte 0xa9"},
		{"\xff", 0, "byte 0xff"},
		{"\ufffd", 0, "'\ufffd'"},
	} {
		if got := scan.Found(c.input, c.offset); got != c.want {
			t.Errorf("row %d: got %s, want %s", i, got, c.want)
		}
	}
}

// slowQuoted is Quoted and WriteUnquoted a byte at a time.
func slowQuoted(text string, lo int, esc scan.Escapes) (contents string, hi int, ok bool) {
	var out []byte
	for i := lo; i < len(text); i++ {
		next := byte(0)
		if i+1 < len(text) {
			next = text[i+1]
		}
		switch {
		case text[i] == '"':
			return string(out), i, true
		case text[i] == '\\' && (next == '"' || (esc == scan.Both && next == '\\')):
			i++
			out = append(out, next)
		case text[i] == '\\' && esc == scan.Both && i+1 < len(text):
			return "", i + 1, false
		default:
			out = append(out, text[i])
		}
	}
	return "", len(text), false
}

func TestQuotedAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{`"`, `\`, `a`, "\n", "\xff", "é"})).Draw(t, "text"), "")
		esc := rapid.SampledFrom([]scan.Escapes{scan.Both, scan.QuoteOnly}).Draw(t, "escapes")
		lo := rapid.IntRange(0, len(text)).Draw(t, "lo")
		want, hi, ok := slowQuoted(text, lo, esc)
		s, gotOK := scan.Quoted(text, lo, esc)
		if gotOK != ok || s.Hi != hi || s.Lo != lo {
			t.Fatalf("%q from %d: got %+v, %v; want %d, %v", text, lo, s, gotOK, hi, ok)
		}
		if !ok {
			return
		}
		var b strings.Builder
		scan.WriteUnquoted(&b, text, s, esc)
		if appended := string(scan.AppendUnquoted([]byte("x"), text, s, esc)); appended != "x"+want {
			t.Fatalf("%q from %d: appended %q, want %q", text, lo, appended, want)
		}
		if b.String() != want || s.Len() != len(want) {
			t.Fatalf("%q from %d: contents %q, length %d, want %q", text, lo, b.String(), s.Len(), want)
		}
	})
}

func TestQuotedReadsAppendQuoted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		esc := rapid.SampledFrom([]scan.Escapes{scan.Both, scan.QuoteOnly}).Draw(t, "escapes")
		want := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{`"`, `\`, `a`, "\x00", "\xff"})).Draw(t, "want"), "")
		if esc == scan.QuoteOnly {
			want = strings.TrimRight(want, `\`)
		}
		text := string(scan.AppendQuoted([]byte("x"), want, esc)) + "y"
		s, ok := scan.Quoted(text, 2, esc)
		var b strings.Builder
		if ok {
			scan.WriteUnquoted(&b, text, s, esc)
		}
		if !ok || b.String() != want || s.Hi != len(text)-2 {
			t.Fatalf("%q: %q", text, b.String())
		}
	})
}

// A quadratic scan takes minutes over these.
func TestQuotedIsLinear(t *testing.T) {
	const n = 1 << 22
	for i, text := range []string{
		strings.Repeat(`\\`, n) + `"`,
		strings.Repeat(`\"`, n) + `"`,
		strings.Repeat(`\a`, n) + `"`,
		strings.Repeat(`\\`, n),
		strings.Repeat(`\"`, n),
	} {
		for _, esc := range []scan.Escapes{scan.Both, scan.QuoteOnly} {
			kit.Within(t, fmt.Sprintf("text %d, escapes %d", i, esc), 5*time.Second, func() {
				if s, ok := scan.Quoted(text, 0, esc); ok {
					var b strings.Builder
					scan.WriteUnquoted(&b, text, s, esc)
				}
			})
		}
	}
}

// TestPrintable: what is printable stays, and everything else is what Go writes for it.
func TestPrintable(t *testing.T) {
	for _, row := range [][2]string{
		{"", ""},
		{`a "b" \c é 🙂`, `a "b" \c é 🙂`},
		{"a\nb", `a\nb`},
		{"\x1b]0;\a", `\x1b]0;\a`},
		{"\u202e\u2028\u00a0", `\u202e\u2028\u00a0`},
		{"\xff\ufffd", `\xff` + "\ufffd"},
		{"\U000e0001", `\U000e0001`},
	} {
		if got := scan.Printable(row[0]); got != row[1] {
			t.Errorf("%q: got %q, want %q", row[0], got, row[1])
		}
	}

	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		quoted := scan.Printable(strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `"`, `\"`))

		if back, err := strconv.Unquote(`"` + quoted + `"`); err != nil || back != text {
			t.Fatalf("%q: %s, read as %q, %v", text, quoted, back, err)
		}
	})
}
