// Package lines breaks the lines of a diff into an old and a new side, and into
// pieces that fit into a number of columns.
package lines

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/diff/render"
)

// Arrow is what is between an old and a new value.
const Arrow = " => "

// Split splits the pieces of a line after its label at the arrow between an old and a
// new value. Notes at the end belong to the new one.
func Split(rest []render.Span) (before, after []render.Span, ok bool) {
	for i, s := range rest[:len(rest)-notes(rest)] {
		left, right, isArrow := strings.Cut(s.Text, Arrow)
		if s.Style == render.StylePunctuation && isArrow {
			return slices.Concat(rest[:i], punctuation(left)), slices.Concat(punctuation(right), rest[i+1:]), true
		}
	}

	return nil, nil, false
}

// notes counts the notes at the end.
func notes(rest []render.Span) int {
	n := 0
	for n < len(rest) && rest[len(rest)-1-n].Style == render.StyleNote {
		n++
	}
	return n
}

// Values returns the pieces without the notes at their end, and the notes.
func Values(rest []render.Span) (values, remarks []render.Span) {
	at := len(rest) - notes(rest)
	return rest[:at], rest[at:]
}

func punctuation(text string) []render.Span {
	if text == "" {
		return nil
	}
	return []render.Span{{Text: text, Style: render.StylePunctuation}}
}

// Labels splits the label off a line: a key or an index on each side, which differ
// for an element that was moved.
func Labels(spans []render.Span) (oldLabel, newLabel, rest []render.Span) {
	isLabel := func(i int) bool {
		return i+1 < len(spans) && (spans[i].Style == render.StyleKey || spans[i].Style == render.StyleIndex) && spans[i+1].Style == render.StylePunctuation
	}
	if !isLabel(0) {
		return nil, nil, spans
	}

	at := 1
	if spans[1].Text == Arrow && isLabel(2) {
		at = 3
	}
	// The value after the colon may begin with punctuation too.
	before, after, ok := strings.Cut(spans[at].Text, ": ")
	if !ok {
		return nil, nil, spans
	}
	colon := render.Span{Text: before + ": ", Style: render.StylePunctuation}
	return []render.Span{spans[0], colon}, []render.Span{spans[at-1], colon}, slices.Concat(punctuation(after), spans[at+1:])
}

// Len returns the number of characters of some pieces.
func Len(spans []render.Span) int {
	n := 0
	for _, s := range spans {
		n += utf8.RuneCountInString(s.Text)
	}
	return n
}

const (
	perLevel = 4 // columns of a level, as Line.AppendText writes them
	ofMark   = 2 // columns of the mark
	least    = 20
)

// Wrap breaks a line that does not fit into a number of columns: before the arrow, and
// where that is not enough anywhere. The lines after the first show no mark and are
// indented further. It has at least 20 columns for text, and does nothing if columns
// is 0.
func Wrap(l render.Line, columns int) []render.Line {
	room := columns - perLevel*l.Level - ofMark
	if columns <= 0 || Len(l.Spans) <= room {
		return []render.Line{l}
	}

	room = max(room, least)
	rows := [][]render.Span{l.Spans}
	if oldLabel, newLabel, rest := Labels(l.Spans); len(oldLabel) == 0 || oldLabel[0] == newLabel[0] {
		if before, after, ok := Split(rest); ok {
			rows = [][]render.Span{slices.Concat(oldLabel, before), slices.Concat(punctuation(Arrow[1:]), after)}
		}
	}

	var all []render.Line
	for _, row := range rows {
		for len(row) > 0 {
			to := l
			to.Spans = nil
			if len(all) > 0 {
				to.Fold = render.FoldClose // which shows no mark, and has its colours
				to.Spans = punctuation("  ")
			}
			var piece []render.Span
			piece, row = cut(row, room-Len(to.Spans))
			to.Spans = append(to.Spans, piece...)
			all = append(all, to)
		}
	}
	return all
}

// breakAt returns where to break a text: after a number of characters, or after a space
// in the last third of them.
func breakAt(text string, room int) int {
	at := 0
	for range room {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	if space := strings.LastIndexByte(text[:at], ' ') + 1; space > at*2/3 {
		return space
	}

	return at
}

// cut cuts pieces of text after a number of characters.
func cut(spans []render.Span, room int) (head, rest []render.Span) {
	for i, s := range spans {
		n := utf8.RuneCountInString(s.Text)
		if n <= room {
			room -= n
			continue
		}
		at := breakAt(s.Text, room)
		head = slices.Clone(spans[:i])
		if at > 0 {
			head = append(head, render.Span{Text: s.Text[:at], Style: s.Style})
		}
		return head, append([]render.Span{{Text: s.Text[at:], Style: s.Style}}, spans[i+1:]...)
	}

	return spans, nil
}
