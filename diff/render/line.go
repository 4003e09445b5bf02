package render

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/diff"
)

// Line is one line of the text of a diff, taken apart: what [Text] joins, and
// what another form, such as HTML, can be made of without a look at the values.
// [Lines] makes them. The zero Line is an empty one.
//
// Everything in it may be shown: secrets are masked, control characters, escape
// sequences and bytes that are no UTF-8 are escaped, and nothing is longer than
// [Options] say.
type Line struct {
	// Level is how deep the line is nested, from the Indent of the options on.
	Level int
	// Mark is what stands before it. A line that closes a container has the mark
	// of the one that opened it, though the text does not show that.
	Mark Mark
	// Op is what happened to what the line names; 0 when nothing did: for what
	// is the same, and for a container that only holds changes. With MarkReplace
	// it says what the mark does not.
	Op diff.Op
	// Fold says whether lines below belong to this one.
	Fold Fold
	// Spans are the text, from left to right.
	Spans []Span
}

// Span is a piece of a [Line] that is all of one sort.
type Span struct {
	Text  string // printable UTF-8 without line breaks
	Style Style
}

// Mark is what stands before a line. The set is closed.
type Mark uint8

// The marks, and how texts write them.
const (
	MarkNone    Mark = iota // nothing, for what is the same
	MarkAdd                 // +
	MarkDelete              // -
	MarkUpdate              // ~
	MarkMove                // >
	MarkReplace             // +-: what happened, whatever it is, forces a replacement
)

// String returns the mark as it is written: "+", "-", "~", ">", "+-", or nothing.
func (m Mark) String() string {
	switch m {
	case MarkAdd:
		return "+"
	case MarkDelete:
		return "-"
	case MarkUpdate:
		return "~"
	case MarkMove:
		return ">"
	case MarkReplace:
		return "+-"
	case MarkNone:
	}
	return ""
}

// Fold says how a line belongs with the ones below it. The set is closed.
type Fold uint8

const (
	// FoldNone is for a line that stands for itself.
	FoldNone Fold = iota
	// FoldOpen is for a line to which the lines below of higher levels belong, and
	// the one that closes it, if there is one.
	FoldOpen
	// FoldClose is for a line that closes the container that the last FoldOpen of
	// its level opened.
	FoldClose
)

// String returns the name of the fold in lower case: "none", "open", "close".
func (f Fold) String() string {
	switch f {
	case FoldNone:
		return "none"
	case FoldOpen:
		return "open"
	case FoldClose:
		return "close"
	}
	return "invalid fold"
}

// Style is what a [Span] is. The set is closed.
type Style uint8

// The styles.
const (
	StylePunctuation Style = iota // brackets, colons, arrows, and spaces
	StyleKey                      // a key, or a path
	StyleIndex                    // [0]
	StyleOld                      // a value, or the part of a text, that was
	StyleNew                      // and that is
	StyleSame                     // what is the same on both sides
	StyleSecret                   // [secret]
	StyleUnknown                  // [unknown]
	StyleHidden                   // (hidden)
	StyleNote                     // # what the values do not show
	StyleCount                    // how much there is, or is left out
)

// String returns the name of the style in lower case, fit for the class of an
// HTML element: "punctuation", "key", "index", "old", "new", "same", "secret",
// "unknown", "hidden", "note", "count".
func (s Style) String() string {
	switch s {
	case StylePunctuation:
		return "punctuation"
	case StyleKey:
		return "key"
	case StyleIndex:
		return "index"
	case StyleOld:
		return "old"
	case StyleNew:
		return "new"
	case StyleSame:
		return "same"
	case StyleSecret:
		return "secret"
	case StyleUnknown:
		return "unknown"
	case StyleHidden:
		return "hidden"
	case StyleNote:
		return "note"
	case StyleCount:
		return "count"
	}
	return "invalid style"
}

// String returns the line without colour and without a newline.
func (l Line) String() string { return string(l.AppendText(nil, NoColour)) }

// GoString is what %#v shows: the line in quotes.
func (l Line) GoString() string { return "diff/render.Line{" + strconv.Quote(l.String()) + "}" }

// AppendText appends the line, without a newline: 4 spaces a level and 2 more,
// the last two of which hold the mark, then the spans.
func (l Line) AppendText(dst []byte, c Colour) []byte {
	for range min(max(l.Level, 0), maxIndent) {
		dst = append(dst, "    "...)
	}
	mark := l.Mark
	if l.Fold == FoldClose {
		mark = MarkNone
	}
	p := painter{dst: dst, colour: c}
	p.write(mark.sgr(), mark.String()+"  "[:2-len(mark.String())])
	for _, s := range l.Spans {
		p.write(l.Mark.paint(s.Style), s.Text)
	}
	return p.end()
}

// maxIndent bounds the levels of a line that somebody else made.
const maxIndent = 1000

// plain is the text of some spans, joined.
func plain(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}
