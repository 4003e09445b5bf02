package render_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/internal/test/golden"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// failer is a *testing.T or a *rapid.T.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

// checkText holds what must be so of every text, under any options.
func checkText(t failer, d diff.Diff, o render.Options) {
	t.Helper()
	lines := slices.Collect(render.Lines(d, o))
	var joined strings.Builder
	for _, l := range lines {
		joined.WriteString(l.String() + "\n")
		checkLine(t, l, o)
	}
	o.ANSI = false
	text := render.Text(d, o)
	if joined.String() != text {
		t.Errorf("the lines are not the text:\n%s\n%s", joined.String(), text)
	}
	o.ANSI = true
	coloured := render.Text(d, o)
	if got := plainText(coloured); got != text {
		t.Errorf("without its colours the text is another:\n%s\n%s", got, text)
	}
	if text != "" && strings.Count(coloured, "\x1b[0m")*2 != strings.Count(coloured, "\x1b") {
		t.Errorf("colours are not ended: %q", coloured)
	}
	checkFolds(t, lines)
}

func plainText(coloured string) string {
	return regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(coloured, "")
}

// checkLine: every line is printable UTF-8, with nothing that moves a cursor or
// turns the direction of writing, and no wider than Text says.
func checkLine(t failer, l render.Line, o render.Options) {
	t.Helper()
	text := l.String()
	if !utf8.ValidString(text) {
		t.Errorf("not UTF-8: %q", text)
	}
	for _, r := range text {
		if r < ' ' || (r >= 0x7f && r < 0xa0) || (r >= 0x200b && r <= 0x200f) || (r >= 0x2028 && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069) {
			t.Errorf("the text holds %U", r)
		}
	}
	width := o.Width
	if width == 0 {
		width = 120
	}
	if n := utf8.RuneCountInString(text); n > 3*max(width, 32)+800 {
		t.Errorf("a line of %d characters: %q", n, text)
	}
	for i, s := range l.Spans {
		if s.Text == "" || (i > 0 && l.Spans[i-1].Style == s.Style) {
			t.Errorf("spans could be fewer: %+v", l.Spans)
		}
		if strings.HasPrefix(s.Style.String(), "invalid") {
			t.Errorf("%+v", s)
		}
	}
}

// checkFolds: a line that closes a container closes the last one that was opened
// on its level, with the same mark, and levels rise by what was opened only.
func checkFolds(t failer, lines []render.Line) {
	t.Helper()
	var open []render.Line
	for i, l := range lines {
		for len(open) > 0 && (l.Level < open[len(open)-1].Level || (l.Level == open[len(open)-1].Level && l.Fold != render.FoldClose)) {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && l.Fold != render.FoldClose && l.Level != open[len(open)-1].Level+1 {
			t.Errorf("line %d is on level %d, inside one of level %d", i, l.Level, open[len(open)-1].Level)
		}
		switch l.Fold {
		case render.FoldOpen:
			open = append(open, l)
		case render.FoldClose:
			if len(open) == 0 || open[len(open)-1].Level != l.Level || open[len(open)-1].Mark != l.Mark || open[len(open)-1].Op != l.Op {
				t.Errorf("line %d closes nothing: %v", i, l)
				continue
			}
			open = open[:len(open)-1]
		case render.FoldNone:
		}
	}
}

// TestLines pins what a line holds in addition to its text.
func TestLines(t *testing.T) {
	old := obj("a", num(1), "o", obj("p", sec(num(1)), "s", str("x1")), "t", str("a\nb\n"))
	now := obj("a", str("new"), "o", obj("p", sec(num(2)), "s", str("x2")), "t", str("a\nc\n"))
	var got strings.Builder
	for l := range render.Lines(diff.Between(old, now, diff.Options{}), render.Options{ReplaceOn: patterns("a")}) {
		fmt.Fprintf(&got, "%d %q %d %s", l.Level, l.Mark, l.Op, l.Fold)
		for _, s := range l.Spans {
			fmt.Fprintf(&got, " %s=%q", s.Style, s.Text)
		}
		got.WriteString("\n")
	}
	const want = `0 "+-" 3 none key="a" punctuation=": " old="1" punctuation=" => " new="\"new\"" note="  # forces replacement"
0 "~" 0 open key="o" punctuation=": {"
1 "~" 3 none key="p" punctuation=": " secret="[secret]" punctuation=" => " secret="[secret]"
1 "~" 3 none key="s" punctuation=": " same="\"x" old="1" same="\"" punctuation=" => " same="\"x" new="2" same="\""
0 "~" 0 close punctuation="}"
0 "~" 3 open key="t" punctuation=": text of " count="3 lines"
1 "" 0 none punctuation="| " same="a"
1 "-" 2 none punctuation="| " old="b"
1 "+" 1 none punctuation="| " new="c"
1 "" 0 none punctuation="|"
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// Iteration ends when the loop does.
func TestLinesStop(t *testing.T) {
	for _, c := range textCases() {
		d := diff.Between(c.old, c.now, c.how)
		all := slices.Collect(render.Lines(d, c.opts))
		for n := 1; n <= min(len(all), 12); n++ {
			count := 0
			for l := range render.Lines(d, c.opts) {
				if count++; l.String() != all[count-1].String() {
					t.Fatalf("%s: line %d is another one", c.name, count)
				}
				if count == n {
					break
				}
			}
		}
	}
}

// TestLineOfAnybody: lines that others make are written without trouble.
func TestLineOfAnybody(t *testing.T) {
	for _, row := range []struct {
		line render.Line
		want string
	}{
		{render.Line{}, "  "},
		{render.Line{Level: 1, Mark: render.MarkReplace, Spans: []render.Span{{Text: "x"}}}, "    +-x"},
		{render.Line{Level: -5, Mark: 200, Op: 200, Fold: 200, Spans: []render.Span{{Text: "x", Style: 200}}}, "  x"},
		{render.Line{Mark: render.MarkAdd, Fold: render.FoldClose, Spans: []render.Span{{Text: "}"}}}, "  }"},
	} {
		if got := row.line.String(); got != row.want {
			t.Errorf("%#v: %q, want %q", row.line, got, row.want)
		}
		if got := string(row.line.AppendText([]byte("> "), false)); got != "> "+row.want {
			t.Errorf("%q", got)
		}
	}
	if n := len(render.Line{Level: math.MaxInt}.String()); n > 1<<13 {
		t.Errorf("%d bytes", n)
	}
}

// TestLaw6Lines: no span of a masked diff holds what is secret, under any options.
func TestLaw6Lines(t *testing.T) {
	const canary = "canary"
	hidden := func(n string) value.Value {
		return obj(
			"s", sec(obj(canary+"Key", arr(str(canary), str(n)), canary+"\xff", str(n))),
			"t", sec(str(canary+n)), "u", sec(str("a\n"+canary+n+"\nb")), "j", sec(str(`{"`+canary+`":"`+n+`"}`)),
			"a", sec(value.TextAsset(canary+n)), "b", sec(literal(canary, value.TextAsset(canary+n))),
			"l", arr(sec(str(canary+n)), str("x"), sec(str(canary))),
		)
	}
	old, now := hidden("1"), hidden("2")
	open := func(s string) value.Value {
		return obj("s", str(s), "t", arr(str(s)), "u", str("a\nb\nc"), "l", arr(str("x"), str(s)))
	}
	for i, pair := range [][2]value.Value{
		{old, now},
		{sec(old), sec(now)},
		{old, open("open")},
		{old, obj()},
		{old, sec(open("open"))},
		{sec(old), str("x")},
		{obj("x", old), obj("x", sec(now))},
	} {
		for _, m := range []diff.Match{diff.Positional(), diff.Aligned(), diff.Unordered(), diff.Keyed(path.MustParse("x"))} {
			d := diff.Between(pair[0], pair[1], diff.Options{Arrays: m})
			for _, o := range []render.Options{
				{Documents: jsonDocument},
				{Documents: jsonDocument, ReplaceOn: patterns("s."+canary+"Key[0]", "l[0]", "b", `x.s`), HideDiffs: patterns("s."+canary+"Key", "t", "x.t."+canary)},
			} {
				for _, each := range []diff.Diff{d, d.Invert()} {
					for l := range render.Lines(each, o) {
						for _, s := range l.Spans {
							if strings.Contains(s.Text, canary) {
								t.Errorf("row %d: %+v", i, s)
							}
						}
						kit.CheckCanary(t, canary, l, []render.Line{l})
					}
					checkText(t, each, o)
				}
			}
		}
	}
	shown := render.Text(diff.Between(old, now, diff.Options{}), render.Options{Documents: jsonDocument, Secrets: value.RevealSecrets})
	if strings.Count(shown, canary) < 6 {
		t.Errorf("the canary does not sing when it may:\n%s", shown)
	}
}

// TestColours pins the colours of every mark; "{" is the escape character.
func TestColours(t *testing.T) {
	old := obj("came", value.Null(), "l", strs("a", "b"), "r", num(1), "s", str("common old"), "t", str("web"), "u", str("all"), "w", obj("x", num(1)), "lines", str("a\nb\n"))
	now := obj("l", strs("b", "a"), "n", arr(value.Unknown(), sec(num(1))), "r", num(2), "s", str("common new"), "t", str("web tier, TLS"), "u", str("every"), "w", obj("x", num(1)).WithDependencies(dependency), "lines", str("a\nc\n"))
	text := render.Text(diff.Between(old, now, diff.Options{Arrays: diff.Aligned()}), render.Options{ANSI: true, ReplaceOn: patterns("r")})
	g := golden.Open(t, "testdata/colours.txtar", *update)
	g.Want("colours", strings.ReplaceAll(text, "\x1b[", "{"))
}
