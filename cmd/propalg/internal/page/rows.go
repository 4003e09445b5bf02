package page

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/lines"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
)

// Row is a line of a diff, with the old value on the left and the new one on the
// right.
type Row struct {
	Level int    `json:"level"`
	Mark  string `json:"mark,omitempty"`
	Open  bool   `json:"open,omitempty"` // the rows of higher levels after it are part of it
	Both  []Span `json:"both,omitempty"` // the same on both sides; or
	Old   []Span `json:"old,omitempty"`
	New   []Span `json:"new,omitempty"` // with Both: the right side, which says more
}

// Span is the class of a piece of text, and the text.
type Span [2]string

func spanClass(s render.Style) string {
	return [...]string{
		render.StylePunctuation: "p", render.StyleKey: "k", render.StyleIndex: "i", render.StyleOld: "o", render.StyleNew: "n", render.StyleSame: "s",
		render.StyleSecret: "x", render.StyleUnknown: "u", render.StyleHidden: "h", render.StyleNote: "t", render.StyleCount: "c",
	}[s]
}

func spansOf(spans ...render.Span) []Span {
	all := make([]Span, 0, len(spans))
	for _, s := range spans {
		all = append(all, Span{spanClass(s.Style), s.Text})
	}

	return all
}

// Rows splits lines into an old and a new side. Lines of a text
// that were deleted share their rows with those added after them.
func Rows(of []render.Line) []Row {
	rows := make([]Row, 0, len(of))
	free := 0 // rows at the end that hold a deleted line of a text, and nothing on the right
	for _, l := range of {
		row := rowOf(l)
		isText := len(l.Spans) > 0 && l.Spans[0].Style == render.StylePunctuation && strings.HasPrefix(l.Spans[0].Text, "|")
		switch {
		case !isText || row.Both != nil:
			free = 0
		case row.New == nil:
			free++
		case free > 0:
			to := &rows[len(rows)-free]
			to.New, to.Mark = row.New, render.MarkUpdate.String()
			free--
			continue
		}

		rows = append(rows, row)
	}

	return rows
}

func rowOf(l render.Line) Row {
	row := Row{Level: l.Level, Mark: l.Mark.String(), Open: l.Fold == render.FoldOpen}
	if l.Fold == render.FoldClose {
		row.Mark = ""
	}
	switch l.Op {
	case diff.OpAdd, diff.OpInsert:
		row.New = spansOf(l.Spans...)
		return row
	case diff.OpDelete, diff.OpRemove:
		row.Old = spansOf(l.Spans...)
		return row
	case diff.OpUpdate, diff.OpMove:
	}

	row.split(l.Spans)
	return row
}

// split puts the spans of a line on both sides, or the parts before and after the
// arrow on one side each.
func (r *Row) split(spans []render.Span) {
	oldLabel, newLabel, rest := lines.Labels(spans)
	if before, after, ok := lines.Split(rest); ok {
		r.Old = spansOf(slices.Concat(oldLabel, before)...)
		r.New = spansOf(slices.Concat(newLabel, after)...)
		return
	}

	values, remarks := lines.Values(rest)
	r.Both = spansOf(slices.Concat(oldLabel, values)...)
	if len(remarks) > 0 || !slices.Equal(oldLabel, newLabel) {
		r.New = spansOf(slices.Concat(newLabel, rest)...)
	}
}
