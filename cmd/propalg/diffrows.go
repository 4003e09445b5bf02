package main

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/diff"
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
func spanClass(s diff.Style) string {
	switch s {
	case diff.StyleKey:
		return "k"
	case diff.StyleIndex:
		return "i"
	case diff.StyleOld:
		return "o"
	case diff.StyleNew:
		return "n"
	case diff.StyleSame:
		return "s"
	case diff.StyleSecret:
		return "x"
	case diff.StyleUnknown:
		return "u"
	case diff.StyleHidden:
		return "h"
	case diff.StyleNote:
		return "t"
	case diff.StyleCount:
		return "c"
	case diff.StylePunctuation:
	}
	return "p"
}

func pageSpans(spans ...diff.Span) []pageSpan {
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
func pageRows(lines []diff.Line) []pageRow {
	rows := make([]pageRow, 0, len(lines))
	gone := 0 // rows before here that hold lines of a text which went, and nothing on the right
	for _, l := range lines {
		row := rowOf(l)
		isText := len(l.Spans) > 0 && l.Spans[0].Style == diff.StylePunctuation && strings.HasPrefix(l.Spans[0].Text, "|")
		switch {
		case !isText || row.Both != nil:
			gone = 0
		case row.New == nil:
			gone++
		case gone > 0: // in place of the first of them
			to := &rows[len(rows)-gone]
			to.New, to.Mark = row.New, diff.MarkUpdate.String()
			gone--
			continue
		}
		rows = append(rows, row)
	}
	return rows
}

func rowOf(l diff.Line) pageRow {
	row := pageRow{Level: l.Level, Mark: l.Mark.String(), Open: l.Fold == diff.FoldOpen}
	if l.Fold == diff.FoldClose {
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
	for notes > 0 && rest[notes-1].Style == diff.StyleNote {
		notes--
	}
	for i, s := range rest[:notes] {
		before, after, ok := strings.Cut(s.Text, " => ")
		if s.Style != diff.StylePunctuation || !ok {
			continue
		}
		punctuation := func(text string) []diff.Span {
			if text == "" {
				return nil
			}
			return []diff.Span{{Text: text, Style: diff.StylePunctuation}}
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

func joinSpans(parts ...[]diff.Span) (all []diff.Span) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// labels takes the label off a line: a key or an index, and where an element was
// before, if that is elsewhere.
func labels(spans []diff.Span) (was, is, rest []diff.Span) {
	named := func(i int) bool {
		return i+1 < len(spans) && (spans[i].Style == diff.StyleKey || spans[i].Style == diff.StyleIndex) && spans[i+1].Style == diff.StylePunctuation
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
	colon := diff.Span{Text: label + ": ", Style: diff.StylePunctuation}
	was, is = []diff.Span{spans[0], colon}, []diff.Span{spans[at-1], colon}
	if rest = spans[at+1:]; more != "" {
		rest = joinSpans([]diff.Span{{Text: more, Style: diff.StylePunctuation}}, rest)
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
