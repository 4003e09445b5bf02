// Package digits finds differences between numbers that round to the same double.
// Files may have numbers with more digits than a double holds; a diff of the values
// that were decoded does not see that two of them differ.
package digits

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Side is one of two values, and the numbers in it that were rounded.
type Side struct {
	Value  value.Value
	Report *codec.Report
}

// Options says how values are compared.
type Options struct {
	Between   func(old, now value.Value) diff.Diff
	ByIndex   bool      // Between compares all arrays index by index
	ReplaceOn *path.Set // changes of these force a replacement
}

// Diff is a diff that takes all digits into account.
type Diff struct {
	diff.Diff          // of values with texts for rounded numbers: for paths and kinds of changes, not to be shown
	Hidden    []Change // those that the diff of the rounded numbers does not have
}

// Change is a change of a number whose texts differ in the two files, and round to
// the same double. Where one side is missing, an element was matched with another
// by what it rounds to, and it is unknown whether the number changed.
type Change struct {
	At       path.Shown
	isSecret bool
	replaces bool
	old, now *string // pointers, which fmt does not follow; nil: missing
}

// Compare compares two values by all digits of their numbers. d is their diff by
// the doubles.
func Compare(d diff.Diff, old, now Side, o Options) Diff {
	if len(old.Report.Rounded) == 0 && len(now.Report.Rounded) == 0 {
		return Diff{Diff: d}
	}
	exact := Diff{Diff: o.Between(withDigits(old.Value, old.Report), withDigits(now.Value, now.Report))}
	// Elements that d has added or deleted as a whole; by index, all with one side are.
	oneSided := map[path.Path]diff.Op{}
	if !o.ByIndex {
		for c := range d.Leaves() {
			oneSided[c.Path()] = c.Op()
		}
	}

	for c := range exact.Leaves() {
		h := Change{At: c.Shown(), isSecret: c.Secret()}
		h.old, h.now = hiddenTexts(c)
		isOneSided := h.old == nil || h.now == nil
		if (h.old == nil && h.now == nil) || (isOneSided && (o.ByIndex || oneSided[c.Path()] == c.Op())) {
			continue
		}
		h.replaces = c.Matches(o.ReplaceOn)
		if !o.ByIndex {
			h.hide(old.Value, now.Value)
		}
		exact.Hidden = append(exact.Hidden, h)
	}

	return exact
}

// hiddenTexts returns the texts of the numbers on both sides of a change, if doubles
// cannot distinguish them, or that on one side, if the other is missing.
func hiddenTexts(c diff.Change) (old, now *string) {
	x, onOld := c.Old()
	y, onNew := c.New()
	oldDigits, oldRounded := digitsOf(x)
	newDigits, newRounded := digitsOf(y)
	switch {
	case !onOld && newRounded:
		return nil, &newDigits
	case !onNew && oldRounded:
		return &oldDigits, nil
	case !onOld || !onNew || (!oldRounded && !newRounded) || (oldRounded && newRounded && oldDigits == newDigits):
		return nil, nil
	}

	was, is := numberText(x), numberText(y)
	if was == "" || is == "" || rounded(was) != rounded(is) {
		return nil, nil
	}
	return &was, &is
}

// hide hides a change in an array that holds a secret on either side: with all
// digits an element may be matched with another one than without, for which the
// diff may have found that it became secret (law 6).
func (c *Change) hide(old, now value.Value) {
	n, full := 0, c.At.RevealPath()
	for step := range full.Steps() {
		if !step.IsKey() {
			break
		}
		n++
	}

	x, _ := old.At(full.Prefix(n))
	y, _ := now.At(full.Prefix(n))
	if n == full.Len() || (!x.ContainsSecret() && !y.ContainsSecret()) {
		return
	}
	c.isSecret = true
	if n < c.At.Path().Len() {
		c.At = path.Show(full, n)
	}
}

// isComplete reports whether the number is on both sides.
func (c *Change) isComplete() bool { return c.old != nil && c.now != nil }

// Note says what the change is where its digits cannot be shown.
func (c *Change) Note() string {
	if c.isComplete() {
		return "differs in digits that a double cannot hold, which is not in the result"
	}
	return "may differ in digits that a double cannot hold, which would not be in the result"
}

// Lines returns the lines that show the hidden changes; one for all in a secret.
func (d *Diff) Lines(o render.Options) (lines []render.Line) {
	for i, c := range d.Hidden {
		isRepeated := i > 0 && c.At.Redacted() && c.At.Path().Equal(d.Hidden[i-1].At.Path())
		if isRepeated && o.Secrets != value.RevealSecrets {
			continue
		}

		lines = append(lines, c.line(o))
	}
	return lines
}

func (c *Change) line(o render.Options) render.Line {
	label := c.At.String()
	if o.Secrets == value.RevealSecrets {
		label = c.At.RevealPath().String()
	}
	spans := []render.Span{{Text: printable.Text(label), Style: render.StyleKey}, {Text: ": "}}
	note := "  # may differ in digits that a double cannot hold"

	if c.old != nil {
		spans = append(spans, render.Span{Text: c.text(c.old, o), Style: render.StyleOld})
	}
	if c.isComplete() {
		spans = append(spans, render.Span{Text: " => "})
		note = "  # differs in digits that a double cannot hold"
	}

	if c.now != nil {
		spans = append(spans, render.Span{Text: c.text(c.now, o), Style: render.StyleNew})
	}
	if c.replaces && o.ReplaceOn != nil {
		note += ", forces replacement"
	}
	spans = append(spans, render.Span{Text: note, Style: render.StyleNote})
	return render.Line{Level: o.Indent, Mark: render.MarkUpdate, Op: diff.OpUpdate, Spans: spans}
}

// text returns the digits of one side, unless they are secret.
func (c *Change) text(digits *string, o render.Options) string {
	if c.isSecret && o.Secrets != value.RevealSecrets {
		return veil.SecretText
	}
	return *digits
}

// mark begins a text that represents a number. It is not UTF-8, so no text of a
// file begins with it.
const mark = "\xff\xfe"

// withDigits returns a value in which the texts of numbers take the place of those
// that were rounded: what differs in the files differs in it.
func withDigits(v value.Value, r *codec.Report) value.Value {
	texts := map[path.Path]string{}
	rounded := make([]path.Pattern, 0, len(r.Rounded))
	for _, each := range r.Rounded {
		at := each.At.RevealPath()
		texts[at] = each.RevealText()
		rounded = append(rounded, at.Pattern())
	}
	made, err := v.Update(path.NewSet(rounded...), func(c *value.Cursor) (value.Value, error) {
		if c.Value().Kind() != value.KindNumber {
			return c.Value(), nil
		}
		return value.String(mark + texts[c.Path()]), nil
	})
	if err != nil {
		return v // a text in place of a number is always possible
	}

	return made
}

// digitsOf returns the digits of a text that represents a number.
func digitsOf(v value.Value) (text string, ok bool) {
	s, _ := v.AsString()
	return strings.CutPrefix(s, mark)
}

// numberText returns a number as the file has it, and nothing for other values.
func numberText(v value.Value) string {
	if text, ok := digitsOf(v); ok {
		return text
	}
	if v.Kind() != value.KindNumber {
		return ""
	}

	return v.DropSecret().DropDependencies().String()
}

// rounded returns the double next to a number, an infinity beyond the largest.
func rounded(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64)
	return f
}
