package main

import (
	"strconv"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// exactly is a diff that knows the digits which doubles do not hold.
type exactly struct {
	diff.Diff                // of texts where numbers were rounded: for paths and kinds of changes, not to be shown
	hidden    []hiddenChange // what it has beyond the diff of the rounded numbers
}

// hiddenChange is a change of a number that doubles cannot tell: the texts in
// the two files differ, what they round to is equal. Of one that is on one side,
// in an element that was matched with another by what it is rounded to, it is not
// known whether it changed.
type hiddenChange struct {
	at       path.Shown
	whole    path.Path
	secret   bool
	forces   bool    // a replacement, where those are told
	old, now *string // behind pointers, where fmt does not look; nil: not there
}

// line is the line that shows the change.
func (h hiddenChange) line(o render.Options) render.Line {
	label := h.at.String()
	if o.Secrets == render.RevealSecrets {
		label = h.whole.String()
	}
	spans := []render.Span{{Text: plain(label), Style: render.StyleKey}, {Text: ": "}}
	side := func(text *string, style render.Style) {
		switch {
		case text == nil:
			return
		case h.secret && o.Secrets != render.RevealSecrets:
			spans = append(spans, render.Span{Text: "[secret]", Style: style})
		default:
			spans = append(spans, render.Span{Text: *text, Style: style})
		}
	}
	note := "  # differs in digits that a double cannot hold"
	side(h.old, render.StyleOld)
	if h.old != nil && h.now != nil {
		spans = append(spans, render.Span{Text: " => "})
	} else {
		note = "  # may differ in digits that a double cannot hold"
	}
	side(h.now, render.StyleNew)
	if h.forces && o.ReplaceOn != nil {
		note += ", forces replacement"
	}
	spans = append(spans, render.Span{Text: note, Style: render.StyleNote})
	return render.Line{Level: o.Indent, Mark: render.MarkUpdate, Op: diff.OpUpdate, Spans: spans}
}

// note is what to say where the digits cannot be shown.
func (h hiddenChange) note() string {
	if h.old == nil || h.now == nil {
		return "may differ in digits that a double cannot hold, which would not be in the result"
	}
	return "differs in digits that a double cannot hold, which is not in the result"
}

// lines are those of the changes; one for all in a secret.
func (e exactly) lines(o render.Options) (lines []render.Line) {
	for i, h := range e.hidden {
		if i > 0 && h.at.Cut() && o.Secrets != render.RevealSecrets && h.at.Path().Equal(e.hidden[i-1].at.Path()) {
			continue
		}
		lines = append(lines, h.line(o))
	}
	return lines
}

// exact compares two values as between does, but by all digits of their numbers;
// d is what between found.
func (f *diffFlags) exact(d diff.Diff, old, now value.Value, oldReport, nowReport *codec.Report) exactly {
	if len(oldReport.Rounded) == 0 && len(nowReport.Rounded) == 0 {
		return exactly{Diff: d}
	}
	e := exactly{Diff: f.between(withDigits(old, oldReport), withDigits(now, nowReport), d.Relation())}
	came := map[path.Path]diff.Op{} // or went, as a whole; index by index all did that have one side
	if !f.isPlain() {
		for c := range d.Leaves() {
			came[c.Path()] = c.Op()
		}
	}
	for c := range e.Leaves() {
		x, onOld := c.Old()
		y, onNow := c.New()
		was, before := digitsOf(x)
		is, after := digitsOf(y)
		if !before && !after || before && after && was == is {
			continue
		}
		h := hiddenChange{at: c.Shown(), whole: c.Path(), secret: c.Secret()}
		h.forces = f.replaceOn.Len() > 0 && len(c.Which(f.replaceOn)) > 0
		switch {
		case onOld && onNow:
			was, is = textOf(x), textOf(y)
			if was == "" || is == "" || rounded(was) != rounded(is) {
				continue
			}
			h.old, h.now = &was, &is
		case f.isPlain() || came[h.whole] == c.Op():
			continue
		case before:
			h.old = &was
		default:
			h.now = &is
		}
		if !f.isPlain() {
			h.veil(old, now)
		}
		e.hidden = append(e.hidden, h)
	}
	return e
}

// veil hides a change in an array that holds a secret on either side: all its
// digits matched the element with another one than between did, which may have
// found that it became secret (law 6).
func (h *hiddenChange) veil(old, now value.Value) {
	n := 0
	for step := range h.whole.Steps() {
		if !step.IsKey() {
			break
		}
		n++
	}
	x, _ := old.At(h.whole.Prefix(n))
	y, _ := now.At(h.whole.Prefix(n))
	if n == h.whole.Len() || !x.ContainsSecret() && !y.ContainsSecret() {
		return
	}
	h.secret = true
	if n < h.at.Path().Len() {
		h.at = path.Show(h.whole, n)
	}
}

// textOf is a number as the file has it; of what is none, nothing.
func textOf(v value.Value) string {
	if text, ok := digitsOf(v); ok {
		return text
	}
	if v.Kind() != value.KindNumber {
		return ""
	}
	return v.DropSecret().DropDependencies().String()
}

// rounded is the double next to a number.
func rounded(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64) // an error beyond the largest, which is an infinity then
	return f
}
