package lines_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/cmd/propalg/internal/lines"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/value"
)

// linesOf returns the lines of the diff of two objects with one member each.
func linesOf(key string, old, now value.Value) (all []render.Line) {
	d := diff.Between(value.Object(value.Field(key, old)), value.Object(value.Field(key, now)), diff.Options{})
	for l := range render.Lines(d, render.Options{Indent: 2}) {
		all = append(all, l)
	}

	return all
}

func text(all []render.Line) string {
	var b strings.Builder
	for _, l := range all {
		b.WriteString(l.String() + "\n")
	}

	return b.String()
}

// A line that does not fit is broken before the arrow; the part after it, and what
// does not fit alone, is indented further.
func TestWrap(t *testing.T) {
	l := linesOf("name", value.String("one and two"), value.String("three and four and five"))[0]
	for columns, want := range map[int]string{
		0:  `        ~ name: "one and two" => "three and four and five"` + "\n",
		58: `        ~ name: "one and two" => "three and four and five"` + "\n",
		57: `        ~ name: "one and two"` + "\n" + `            => "three and four and five"` + "\n",
		36: `        ~ name: "one and two"` + "\n" + `            => "three and four and ` + "\n" + `            five"` + "\n",
	} {
		if got := text(lines.Wrap(l, columns)); got != want {
			t.Errorf("%d columns: got\n%swant\n%s", columns, got, want)
		}
	}
}

// Nothing is wider than the columns, apart from indentation that leaves no room, and
// nothing is lost but spaces at the beginning of lines.
func TestWrapKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOf(rapid.RuneFrom([]rune("ab =>\"\\é世[]{}")))
		columns := rapid.IntRange(1, 90).Draw(t, "columns")

		for _, l := range linesOf(word.Draw(t, "key"), value.String(word.Draw(t, "old")), value.String(word.Draw(t, "new"))) {
			joined := ""

			for i, piece := range lines.Wrap(l, columns) {
				s := piece.String()
				if n := utf8.RuneCountInString(s); n > max(columns, 4*l.Level+2+20) {
					t.Fatalf("%d columns: %q has %d", columns, s, n)
				}

				if i > 0 {
					s = strings.TrimPrefix(s, strings.Repeat(" ", 4*l.Level+4))
				}

				joined += s
			}

			if got, want := squeezed(joined), squeezed(l.String()); got != want {
				t.Fatalf("got %q, want %q", got, want)
			}
		}
	})
}

func squeezed(s string) string { return strings.ReplaceAll(s, " ", "") }

func TestSplit(t *testing.T) {
	for _, row := range []struct {
		key, old, now, label, before, after string
	}{
		{"a", "x", "y", "a: ", `"x"`, `"y"`},
		{"a => b", "x => y", "x => z", `"a => b": `, `"x => y"`, `"x => z"`},
	} {
		l := linesOf(row.key, value.String(row.old), value.String(row.now))[0]
		label, _, rest := lines.Labels(l.Spans)
		before, after, ok := lines.Split(rest)

		if !ok || joined(label) != row.label || joined(before) != row.before || joined(after) != row.after {
			t.Errorf("%+v: %q, %q, %q, %v", row, joined(label), joined(before), joined(after), ok)
		}
	}
}

func joined(spans []render.Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}

	return b.String()
}
