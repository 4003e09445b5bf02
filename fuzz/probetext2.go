package fuzz

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// lineProbes take texts of diffs apart.
func lineProbes() []probe {
	lines := func(s *scene, f func(l diff.Line)) {
		n := 0

		for _, d := range []diff.Diff{s.d, s.d.Invert(), {}} {
			for l := range diff.Lines(d, s.textOptions()) {
				if n == s.most(changesSeen) {
					break
				}

				n++

				f(l)
			}
		}

		f(diff.Line{})
		f(diff.Line{Level: s.index, Mark: diff.Mark(200), Op: diff.Op(200), Fold: diff.Fold(200), Spans: []diff.Span{{Style: diff.Style(200)}}})
	}

	return []probe{
		{"diff.Lines", "", func(s *scene) {
			lines(s, func(l diff.Line) {
				for _, span := range l.Spans {
					s.say(span.Text)
				}
			})

			for range diff.Lines(s.d, diff.TextOptions{MaxLines: s.index}) {
				break
			}
		}},
		{"diff.Line.AppendText", "", func(s *scene) {
			lines(s, func(l diff.Line) {
				s.say(string(l.AppendText([]byte("x"), diff.ANSI)), string(l.AppendText(nil, diff.Colour(200))))
			})
		}},
		{"diff.Line.GoString", "", func(s *scene) { lines(s, func(l diff.Line) { s.say(l.GoString()) }) }},
		{"diff.Line.String", "", func(s *scene) { lines(s, func(l diff.Line) { s.say(l.String(), l) }) }},
		{"diff.Mark.String", "", func(s *scene) { s.say(diff.Mark(200).String(), diff.MarkMove.String()) }},
		{"diff.Fold.String", "", func(s *scene) { s.say(diff.Fold(200).String()) }},
		{"diff.Style.String", "", func(s *scene) { s.say(diff.Style(200).String()) }},
		{"diff.Colour.String", "", func(s *scene) { s.say(diff.Colour(200).String()) }},
	}
}

// textOptions have all that is hard: patterns of places that are hidden and that
// force replacements, and every text a document.
func (s *scene) textOptions() diff.TextOptions {
	return diff.TextOptions{
		Indent: 1, Width: s.index, Context: s.index, ReplaceOn: s.set, HideDiffs: s.set, Colour: diff.Colour(200),
		Documents: func(text string) (string, value.Value, bool) {
			return "\x1b" + text, value.Array(value.String(text)), true
		},
	}
}
