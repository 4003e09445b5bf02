package main

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
)

// pageRow is a line of a diff, with what was on the left and what is on the
// right.
type pageRow struct {
	Level int        `json:"level"`
	Mark  string     `json:"mark,omitempty"`
	Open  bool       `json:"open,omitempty"` // lines of higher levels belong to it
	Both  []pageSpan `json:"both,omitempty"` // what is the same on both sides; or
	Old   []pageSpan `json:"old,omitempty"`
	New   []pageSpan `json:"new,omitempty"` // with Both: what stands on the right instead, which says more
}

// pageSpan is the class of a piece of text, and the text.
type pageSpan [2]string

// spanClass is a short name for a style.
func spanClass(s render.Style) string {
	switch s {
	case render.StyleKey:
		return "k"
	case render.StyleIndex:
		return "i"
	case render.StyleOld:
		return "o"
	case render.StyleNew:
		return "n"
	case render.StyleSame:
		return "s"
	case render.StyleSecret:
		return "x"
	case render.StyleUnknown:
		return "u"
	case render.StyleHidden:
		return "h"
	case render.StyleNote:
		return "t"
	case render.StyleCount:
		return "c"
	case render.StylePunctuation:
	}
	return "p"
}

func pageSpans(spans ...render.Span) []pageSpan {
	all := make([]pageSpan, 0, len(spans))
	for _, s := range spans {
		class := spanClass(s.Style)
		if s.Text == `"` && class != "p" { // the quote of a text of which only a part differs
			class = "s"
		}
		all = append(all, pageSpan{class, s.Text})
	}
	return all
}

// pageRows puts what was beside what is.
func pageRows(lines []render.Line) []pageRow {
	rows := make([]pageRow, 0, len(lines))
	gone := 0 // rows before here that hold lines of a text which went, and nothing on the right
	for _, l := range lines {
		row := rowOf(l)
		isText := len(l.Spans) > 0 && l.Spans[0].Style == render.StylePunctuation && strings.HasPrefix(l.Spans[0].Text, "|")
		switch {
		case !isText || row.Both != nil:
			gone = 0
		case row.New == nil:
			gone++
		case gone > 0: // in place of the first of them
			to := &rows[len(rows)-gone]
			to.New, to.Mark = row.New, render.MarkUpdate.String()
			gone--
			continue
		}
		rows = append(rows, row)
	}
	return rows
}

func rowOf(l render.Line) pageRow {
	row := pageRow{Level: l.Level, Mark: l.Mark.String(), Open: l.Fold == render.FoldOpen}
	if l.Fold == render.FoldClose {
		row.Mark = ""
	}
	switch l.Op {
	case diff.OpAdd, diff.OpInsert:
		row.New = pageSpans(l.Spans...)
		return row
	case diff.OpDelete, diff.OpRemove:
		row.Old = pageSpans(l.Spans...)
		return row
	case diff.OpUpdate, diff.OpMove:
	}
	was, is, rest := labels(l.Spans)
	notes := len(rest)
	for notes > 0 && rest[notes-1].Style == render.StyleNote {
		notes--
	}
	for i, s := range rest[:notes] {
		before, after, ok := strings.Cut(s.Text, " => ")
		if s.Style != render.StylePunctuation || !ok {
			continue
		}
		punctuation := func(text string) []render.Span {
			if text == "" {
				return nil
			}
			return []render.Span{{Text: text, Style: render.StylePunctuation}}
		}
		row.Old = pageSpans(joinSpans(was, rest[:i], punctuation(before))...)
		row.New = pageSpans(joinSpans(is, punctuation(after), rest[i+1:])...)
		return row
	}
	row.Both = pageSpans(joinSpans(was, rest[:notes])...)
	if notes < len(rest) || len(was) != len(is) || len(was) > 0 && was[0] != is[0] {
		row.New = pageSpans(joinSpans(is, rest)...)
	}
	return row
}

func joinSpans(parts ...[]render.Span) (all []render.Span) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// labels takes the label off a line: a key or an index, and where an element was
// before, if that is elsewhere.
func labels(spans []render.Span) (was, is, rest []render.Span) {
	named := func(i int) bool {
		return i+1 < len(spans) && (spans[i].Style == render.StyleKey || spans[i].Style == render.StyleIndex) && spans[i+1].Style == render.StylePunctuation
	}
	if !named(0) {
		return nil, nil, spans
	}
	at := 1
	if spans[1].Text == " => " && named(2) {
		at = 3
	}
	// What comes behind the colon may be punctuation too.
	label, more, ok := strings.Cut(spans[at].Text, ": ")
	if !ok {
		return nil, nil, spans
	}
	colon := render.Span{Text: label + ": ", Style: render.StylePunctuation}
	was, is = []render.Span{spans[0], colon}, []render.Span{spans[at-1], colon}
	if rest = spans[at+1:]; more != "" {
		rest = joinSpans([]render.Span{{Text: more, Style: render.StylePunctuation}}, rest)
	}
	return was, is, rest
}

// numbered is a number of things.
func numbered(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
