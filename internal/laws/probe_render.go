package laws

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/value"
)

// lineProbes take texts of diffs apart.
func lineProbes() []probe {
	lines := func(s *scene, f func(l render.Line)) {
		n := 0

		for _, d := range []diff.Diff{s.d, s.d.Invert(), {}} {
			for l := range render.Lines(d, s.textOptions()) {
				if n == s.most(changesSeen) {
					break
				}

				n++

				f(l)
			}
		}

		f(render.Line{})
		f(render.Line{Level: s.index, Mark: render.Mark(200), Op: diff.Op(200), Fold: render.Fold(200), Spans: []render.Span{{Style: render.Style(200)}}})
	}

	return []probe{
		{"diff/render.Lines", "", func(s *scene) {
			lines(s, func(l render.Line) {
				for _, span := range l.Spans {
					s.say(span.Text)
				}
			})

			for range render.Lines(s.d, render.Options{MaxLines: s.index}) {
				break
			}
		}},
		{"diff/render.Line.AppendText", "", func(s *scene) {
			lines(s, func(l render.Line) {
				s.say(string(l.AppendText([]byte("x"), render.ANSI)), string(l.AppendText(nil, render.Colour(200))))
			})
		}},
		{"diff/render.Line.GoString", "", func(s *scene) { lines(s, func(l render.Line) { s.say(l.GoString()) }) }},
		{"diff/render.Line.String", "", func(s *scene) { lines(s, func(l render.Line) { s.say(l.String(), l) }) }},
		{"diff/render.Mark.String", "", func(s *scene) { s.say(render.Mark(200).String(), render.MarkMove.String()) }},
		{"diff/render.Fold.String", "", func(s *scene) { s.say(render.Fold(200).String()) }},
		{"diff/render.Style.String", "", func(s *scene) { s.say(render.Style(200).String()) }},
		{"diff/render.Colour.String", "", func(s *scene) { s.say(render.Colour(200).String()) }},
	}
}

// textOptions have all that is hard: patterns of places that are hidden and that
// force replacements, and every text a document.
func (s *scene) textOptions() render.Options {
	return render.Options{
		Indent: 1, Width: s.index, Context: s.index, ReplaceOn: s.set, HideDiffs: s.set, Colour: render.Colour(200),
		Documents: func(text string) (string, value.Value, bool) {
			return "\x1b" + text, value.Array(value.String(text)), true
		},
	}
}
