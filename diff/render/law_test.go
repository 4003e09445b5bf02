package render_test

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/internal/test/draw"
	"github.com/propalg/propalg/internal/test/kit"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// asDocument reads every text as a document, some as one that is not a container.
func asDocument(text string) (format string, document value.Value, ok bool) {
	switch len(text) % 4 {
	case 0:
		return "", value.Array(value.String(text)), true
	case 1:
		return "odd\x1b[31m", value.Object(value.Member{Key: text, Value: value.Null()}), true
	case 2:
		return "one", value.Null(), true
	}
	return "", value.Value{}, false
}

func drawTextOptions(t *rapid.T) render.Options {
	ps := func(label string) *path.Set {
		return rapid.SampledFrom([]*path.Set{nil, patterns("a"), patterns("[*]"), patterns("[*][*]", "list[0].name"), patterns("a.b", "b[*].a"), patterns("")}).Draw(t, label)
	}
	o := render.Options{
		Indent: rapid.IntRange(-1, 3).Draw(t, "indent"), ReplaceOn: ps("replace"), HideDiffs: ps("hide"),
		Secrets: rapid.SampledFrom([]value.Secrets{value.MaskSecrets, value.RevealSecrets}).Draw(t, "secrets"),
		Width:   rapid.IntRange(0, 60).Draw(t, "width"), Context: rapid.IntRange(-1, 3).Draw(t, "context"),
		MaxLines: rapid.IntRange(0, 40).Draw(t, "lines"),
	}
	if rapid.Bool().Draw(t, "documents") {
		o.Documents = asDocument
	}
	return o
}

// TestTextOfGeneratedPairs: whatever changed, in whatever way elements are
// matched and under any options, the text is what it must be, and never nothing.
func TestTextOfGeneratedPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, now := draw.Lists(t)
		o := drawTextOptions(t)
		for _, how := range modes() {
			d := diff.Between(old, now, diff.Options{Arrays: how, Relation: rapid.SampledFrom(kit.Relations()).Draw(t, "relation")})
			checkText(t, d, o)
			checkSomething(t, d, o)
			for c := range d.Changes() {
				checkNotTheSame(t, c.String())
			}
		}
	})
}

// checkSomething: a diff that is not empty has a line with a mark, and no update
// looks as if nothing had changed.
func checkSomething(t *rapid.T, d diff.Diff, o render.Options) {
	t.Helper()
	marked := d.Empty()
	for l := range render.Lines(d, o) {
		marked = marked || l.Mark != render.MarkNone
		if l.Fold == render.FoldNone && l.Op == diff.OpUpdate {
			checkNotTheSame(t, l.String())
		}
	}
	if !marked {
		t.Error("the text of a change shows none")
	}
}

func checkNotTheSame(t *rapid.T, line string) {
	t.Helper()
	if strings.Contains(line, "\n") || strings.Contains(line, "  # ") || strings.Contains(line, "[secret]") {
		return
	}
	for at := strings.Index(line, ": "); at >= 0; {
		rest := line[at+2:]
		if half := (len(rest) - len(" => ")) / 2; half > 0 && rest == rest[:half]+" => "+rest[:half] {
			t.Errorf("looks the same: %s", line)
		}
		next := strings.Index(rest, ": ")
		if next < 0 {
			return
		}
		at += 2 + next
	}
}

// sidesOf joins the two texts of which a comparison by line consists.
func sidesOf(t *rapid.T, x, y string) (old, now []string) {
	t.Helper()
	d := diff.Between(str(x), str(y), diff.Options{})
	first := true
	for l := range render.Lines(d, render.Options{Context: 1000, Width: 1000}) {
		if first {
			first = false
			continue
		}
		text := strings.TrimLeft(l.String(), " +-")
		if text != "|" {
			text = strings.TrimPrefix(text, "| ")
			if s, err := strconv.Unquote(text); err == nil {
				text = s
			}
		} else {
			text = ""
		}
		if l.Mark != render.MarkAdd {
			old = append(old, text)
		}
		if l.Mark != render.MarkDelete {
			now = append(now, text)
		}
	}
	return old, now
}

// TestLinesAreExact: with all the context there is, both texts can be read back
// from how they differ.
func TestLinesAreExact(t *testing.T) {
	line := rapid.SampledFrom([]string{"a", "b", "ba", "aab", "", "  - c", `"q"`, "tab\t", "space ", "\xff", "| bar", "… 2 lines", "ü"})
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(line, 0, 8).Draw(t, "lines"), "\n")
	})
	rapid.Check(t, func(t *rapid.T) {
		x, y := text.Draw(t, "old"), text.Draw(t, "new")
		several := func(s string) bool { return strings.Contains(strings.TrimSuffix(s, "\n"), "\n") }
		if x == y || !several(x) || !several(y) {
			return
		}
		old, now := sidesOf(t, x, y)
		if got := strings.Join(old, "\n"); got != x {
			t.Errorf("old: %q, want %q", got, x)
		}
		if got := strings.Join(now, "\n"); got != y {
			t.Errorf("new: %q, want %q", got, y)
		}
	})
}

// TestTextsAreExact: texts that fit are quoted as Go quotes them, and of those
// that do not, what is shown and what is counted make up the whole.
func TestTextsAreExact(t *testing.T) {
	piece := rapid.SampledFrom([]string{"\xe2", "\x82\xac", "\xe2", "\x82\xac", "€", "€", "a", "ab", "ü", "€", "\U0001f600", "\xff", "\xe2\x82", "\n", `"`, `\`, "\x1b", "\u200b", "\U000e0001", "\ufffd", "\x7f", "\u0085"})
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 30).Draw(t, "pieces"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		common, tail := text.Draw(t, "common"), text.Draw(t, "tail")
		x, y := common+text.Draw(t, "old")+tail, common+text.Draw(t, "new")+tail
		d := diff.Between(str(x), str(y), diff.Options{})
		if x == y || (strings.Contains(x, "\n") && strings.Contains(y, "\n")) {
			return
		}
		if got, want := render.Text(d, render.Options{Width: 2000}), "~ "+strconv.Quote(x)+" => "+strconv.Quote(y)+"\n"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		sides := strings.Split(strings.TrimPrefix(strings.TrimSuffix(render.Text(d, render.Options{Width: 1}), "\n"), "~ "), " => ")
		if len(sides) != 2 || sides[0] == sides[1] {
			t.Fatalf("%q", sides)
		}
		for i, whole := range []string{x, y} {
			if shown := rebuilt(t, sides[i], whole); shown != whole {
				t.Errorf("%s is not of %q", sides[i], whole)
			}
		}
	})
}

// rebuilt reads `…3 bytes… "text" …4 bytes… "text"`, with what is left out taken
// from the whole text.
func rebuilt(t *rapid.T, shown, whole string) string {
	t.Helper()
	out := ""
	for shown = strings.TrimSpace(shown); shown != ""; shown = strings.TrimSpace(shown) {
		if rest, ok := strings.CutPrefix(shown, "…"); ok {
			count, after, _ := strings.Cut(rest, " bytes…")
			n, err := strconv.Atoi(count)
			if err != nil || len(out)+n > len(whole) {
				t.Fatalf("%q: %v", shown, err)
			}
			out += whole[len(out) : len(out)+n]
			shown = after
			continue
		}
		quoted, err := strconv.QuotedPrefix(shown)
		if err != nil {
			t.Fatalf("%q: %v", shown, err)
		}
		text, _ := strconv.Unquote(quoted)
		out += text
		shown = shown[len(quoted):]
	}
	return out
}
