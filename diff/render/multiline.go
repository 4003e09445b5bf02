package render

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/align"
)

// At most comparedLines lines of each text are compared, from the first that differs on.
const comparedLines = 2000

// lineDiff holds the differences of two texts, line by line. A text with n line
// ends has n+1 lines, of which the last may be empty.
type lineDiff struct {
	before           int // equal lines at the beginning
	lines            []textLine
	after            int // equal lines at the end
	restOld, restNew int // lines after them that were not compared
}

// textLine is a line of either text or of both. Of a line that was replaced or replaces
// another one, other is the other one.
type textLine struct {
	text, other string
	in          sides
	paired      bool
}

type sides uint8

const (
	inOld sides = 1 << iota
	inNew
)

// severalLines reports whether a text has more than one line and its end.
func severalLines(s string) bool {
	i := strings.IndexByte(s, '\n')
	return i >= 0 && i < len(s)-1
}

func counts(a, b int) string {
	if a == b {
		return strconv.Itoa(a)
	}
	return strconv.Itoa(a) + arrow + strconv.Itoa(b)
}

func countLines(s string) int { return strings.Count(s, "\n") + 1 }

// compareTexts compares two texts line by line. Some equal lines around the
// differences are among its lines. Beyond looking for what is common at the ends
// and counting, the time is bounded.
func compareTexts(x, y string, context int) lineDiff {
	var d lineDiff
	lo, tail := commonLines(x, y)
	front, back := x[:lo], x[len(x)-tail:]
	x, y = x[lo:len(x)-tail], y[lo:len(y)-tail]
	before := lastLines(front, context)
	d.before = strings.Count(front, "\n") - len(before)
	olds, restOld := firstLines(x, tail > 0, comparedLines)
	news, restNew := firstLines(y, tail > 0, comparedLines)
	d.restOld, d.restNew = restOld, restNew
	for _, l := range before {
		d.same(l)
	}
	a, b := symbols(olds, news)
	i, j := 0, 0
	partner, moved := align.Align(a, b)
	for at, p := range partner {
		if p == align.None || moved[at] {
			continue // removed in one place, and added in another
		}
		d.gap(olds[i:p], news[j:at])
		d.same(news[at])
		i, j = int(p)+1, at+1
	}
	if restOld+restNew > 0 && i > 0 {
		// The partner of the next line may be among the rest.
		d.restOld, d.restNew = restOld+len(olds)-i, restNew+len(news)-j
	} else {
		d.gap(olds[i:], news[j:])
	}

	if tail > 0 {
		more, rest := firstLines(back, false, context)
		d.after = rest
		if d.restOld+d.restNew > 0 {
			d.after, more = rest+len(more), nil
		}
		for _, l := range more {
			d.same(l)
		}
	}

	return d
}

func (d *lineDiff) same(l string) {
	d.lines = append(d.lines, textLine{text: l, in: inOld | inNew})
}

// gap adds lines that were removed and those added in their place. If there are very
// many, some of both precede the rest.
func (d *lineDiff) gap(olds, news []string) {
	const half = maxText / 2
	if min(len(olds), len(news)) > half {
		d.gap(olds[:half], news[:half])
		olds, news = olds[half:], news[half:]
	}

	add := func(ls, others []string, in sides) {
		for i, l := range ls {
			t := textLine{text: l, in: in}
			if i < len(others) {
				t.other, t.paired = others[i], true
			}
			d.lines = append(d.lines, t)
		}
	}
	add(olds, news, inOld)
	add(news, olds, inNew)
}

func symbols(olds, news []string) (a, b []int32) {
	seen := make(map[string]int32, len(olds))
	number := func(ls []string) []int32 {
		ns := make([]int32, len(ls))
		for i, l := range ls {
			n, ok := seen[l]
			if !ok {
				n = int32(len(seen)) //nolint:gosec // a few thousand lines
				seen[l] = n
			}
			ns[i] = n
		}

		return ns
	}
	a = number(olds)
	return a, number(news)
}

// commonLines is how many bytes at the beginning and at the end of two texts are
// whole lines in common. Either ends where a line begins.
func commonLines(x, y string) (lo, tail int) {
	lo = strings.LastIndexByte(x[:commonPrefix(x, y)], '\n') + 1
	x, y = x[lo:], y[lo:]
	tail = commonSuffix(x, y)
	begins := func(s string) bool { return tail == len(s) || s[len(s)-tail-1] == '\n' }
	if tail > 0 && (!begins(x) || !begins(y)) {
		// A part of a line does not count.
		next := strings.IndexByte(x[len(x)-tail:], '\n')
		if next < 0 {
			return lo, 0
		}

		tail -= next + 1
	}
	return lo, tail
}

// firstLines returns the first lines of a text, and how many more there are. Of
// the beginning of a longer text every line is ended.
func firstLines(s string, ended bool, n int) (lines []string, rest int) {
	if ended && s == "" {
		return nil, 0
	}
	if ended {
		s = s[:len(s)-1]
	}
	lines = strings.SplitN(s, "\n", n+1)
	if len(lines) > n {
		return lines[:n], countLines(lines[n])
	}

	return lines, 0
}

// lastLines returns the last lines of a text in which every line is ended.
func lastLines(s string, n int) []string {
	var lines []string
	for ; s != "" && len(lines) < n; s = s[:len(s)-len(lines[len(lines)-1])-1] {
		lines = append(lines, s[strings.LastIndexByte(s[:len(s)-1], '\n')+1:len(s)-1])
	}
	slices.Reverse(lines)
	return lines
}

// near reports which lines to show: those that differ, some around them, and gaps of one
// line.
func (d *lineDiff) near(context int) []bool {
	shown := make([]bool, len(d.lines))
	last := -context - 1 // the last line that differs
	for i, l := range d.lines {
		if l.in == inOld|inNew {
			shown[i] = i-last <= context
			continue
		}
		from := max(0, i-context)
		if from-2 >= 0 && shown[from-2] {
			from--
		}
		for ; from <= i; from++ {
			shown[from] = true
		}
		last = i
	}

	return shown
}

func (w *writer) lines(x, y string, level int) {
	d := compareTexts(x, y, w.opts.Context)
	shown := d.near(w.opts.Context)
	skipped, next := d.before, 0
	for room := min(maxText, max(w.left, 1)); room > 0 && next < len(d.lines) && !w.done; next++ {
		if !shown[next] {
			skipped++
			continue
		}

		w.skip(level, skipped)
		w.textLine(level, d.lines[next])
		skipped = 0

		room--
	}
	if next == len(d.lines) {
		w.skip(level, skipped)
		if a, b := d.restOld, d.restNew; a+b > 0 {
			w.count(level, counts(a, b), "lines not compared")
		}
		w.skip(level, d.after)
		return
	}
	a, b := skipped+d.restOld+d.after, skipped+d.restNew+d.after
	for _, l := range d.lines[next:] {
		a += int(l.in & inOld)
		b += int(l.in&inNew) / int(inNew)
	}
	w.count(level, counts(a, b), "more lines")
}

func (w *writer) skip(level, n int) {
	switch n {
	case 0:
	case 1:
		w.count(level, "1", "line")
	default:
		w.count(level, strconv.Itoa(n), "lines")
	}
}

// textLine writes one line after a bar, so that nothing in it looks like a line of the
// renderer. If it could not be read exactly, it is quoted.
func (w *writer) textLine(level int, l textLine) {
	style, p := StyleSame, wholly(l.text)
	switch l.in {
	case inOld:
		w.begin(level, MarkDelete, diff.OpDelete)
		style = StyleOld
	case inNew:
		w.begin(level, MarkAdd, diff.OpAdd)
		style = StyleNew
	default:
		w.begin(level, MarkNone, 0)
	}

	if l.paired {
		p, _ = parted(l.text, l.other, w.opts.Width)
	}
	switch {
	case l.text == "":
		w.add(StylePunctuation, "|")
	case inexact(l.text, w.opts.Width):
		w.add(StylePunctuation, "| ")
		w.text(style, l.text, p)
	default:
		w.add(StylePunctuation, "| ")
		for s, piece := range p.pieces(style, l.text, 0, len(l.text)) {
			w.add(s, piece)
		}
	}

	w.end()
}

// inexact reports whether a line needs quotes: it is too long, is not printable, ends in a
// space, or looks as if it were quoted.
func inexact(s string, width int) bool {
	if len(s) > width*utf8.UTFMax || utf8.RuneCountInString(s) > width || !utf8.ValidString(s) {
		return true
	}
	return strings.HasPrefix(s, `"`) || strings.HasSuffix(s, " ") ||
		strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) })
}
