package main

import (
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// hiddenChange is a change of a number that doubles cannot tell: the texts in
// the two files differ, what they round to is equal.
type hiddenChange struct {
	at       path.Shown
	whole    path.Path
	secret   bool
	old, now *string // behind pointers, where fmt does not look
}

// line is the line that shows the change.
func (h hiddenChange) line(level int, s diff.Secrets) diff.Line {
	label, old, now := h.at.String(), *h.old, *h.now
	switch {
	case s == diff.RevealSecrets:
		label = h.whole.String()
	case h.secret:
		old, now = "[secret]", "[secret]"
	}
	return diff.Line{Level: level, Mark: diff.MarkUpdate, Op: diff.OpUpdate, Spans: []diff.Span{
		{Text: plain(label), Style: diff.StyleKey},
		{Text: ": "},
		{Text: old, Style: diff.StyleOld},
		{Text: " => "},
		{Text: now, Style: diff.StyleNew},
		{Text: "  # differs in digits that a double cannot hold", Style: diff.StyleNote},
	}}
}

// hidden finds, among the numbers that were rounded on either side, those whose
// counterparts have another text but the same value.
func hidden(before, after value.Value, old, now *codec.Report) []hiddenChange {
	there := make(map[path.Path]codec.Rounded, len(old.Rounded))
	for _, r := range old.Rounded {
		there[r.At.RevealPath()] = r
	}
	var found []hiddenChange
	note := func(at path.Shown, old, now string) {
		whole := at.RevealPath()
		x, ok1 := before.At(whole)
		y, ok2 := after.At(whole)
		if !ok1 || !ok2 || x.Kind() != value.KindNumber || !value.IgnoreSecrets.Equal(x, y) {
			return
		}
		if old == "" {
			old = x.DropSecret().String()
		}
		if now == "" {
			now = y.DropSecret().String()
		}
		found = append(found, hiddenChange{at, whole, x.IsSecret() || y.IsSecret(), &old, &now})
	}
	for _, r := range now.Rounded {
		o, both := there[r.At.RevealPath()]
		delete(there, r.At.RevealPath())
		if both && o.SameText(r) {
			continue
		}
		note(r.At, o.RevealText(), r.RevealText())
	}
	for _, r := range old.Rounded {
		if _, only := there[r.At.RevealPath()]; only {
			note(r.At, r.RevealText(), "")
		}
	}
	return found
}
