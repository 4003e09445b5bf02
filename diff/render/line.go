package render

import (
	"strings"

	"github.com/propalg/propalg/internal/scan"

	"github.com/propalg/propalg/diff"
)

// Line is one line of the text of a diff, as [Lines] returns it.
//
// [Text] joins such lines; other renderers can write them in another format, such as
// HTML. The zero Line is an empty line. Everything in a Line is safe to show: secrets
// are masked; control characters, escape sequences and invalid UTF-8 are escaped;
// lengths are limited by [Options].
type Line struct {
	// Level is the nesting level of the line, starting at the Indent of the options.
	Level int
	// Mark is the mark before the line. A line that closes a container has the mark of
	// the line that opened it, although the text does not show it.
	Mark Mark
	// Op is the operation on what the line names. It is 0 for values that are the same
	// and for containers that only contain changes. MarkReplace is the mark of any
	// operation that forces a replacement; Op says which one.
	Op diff.Op
	// Fold says whether lines below belong to this line.
	Fold Fold
	// Spans are the pieces of the text, from left to right.
	Spans []Span
}

// Span is a piece of a [Line] in a single style.
type Span struct {
	Text  string // printable UTF-8 without line breaks
	Style Style
}

// Mark is the symbol before a line. The set is closed.
type Mark uint8

// The marks, and how they are written.
const (
	MarkNone    Mark = iota // none: the value is the same
	MarkAdd                 // +
	MarkDelete              // -
	MarkUpdate              // ~
	MarkMove                // >
	MarkReplace             // +-: any operation that forces a replacement
)

// String returns the mark as it is written: "+", "-", "~", ">", "+-" or "".
func (m Mark) String() string {
	names := [...]string{
		MarkNone: "", MarkAdd: "+", MarkDelete: "-", MarkUpdate: "~", MarkMove: ">", MarkReplace: "+-",
	}
	if int(m) < len(names) {
		return names[m]
	}
	return ""
}

// Fold says how a line relates to the lines below it. The set is closed.
type Fold uint8

const (
	// FoldNone is a line on its own.
	FoldNone Fold = iota
	// FoldOpen is the first line of a group. The group ends before the next line of the
	// same or a lower level or, if the line opens a container, with the FoldClose of that
	// level. Groups that show a text, a document, or a value and its replacement have no
	// FoldClose.
	FoldOpen
	// FoldClose is a line that closes the container opened by the last FoldOpen of the
	// same level.
	FoldClose
)

// String returns the name of the fold in lower case: "none", "open", "close".
func (f Fold) String() string {
	return scan.Name(f, "invalid fold", []string{FoldNone: "none", FoldOpen: "open", FoldClose: "close"})
}

// Style is the kind of text in a [Span]. The set is closed.
type Style uint8

// The styles.
const (
	StylePunctuation Style = iota // brackets, colons, arrows, and spaces
	StyleKey                      // a key, or a path
	StyleIndex                    // [0]
	StyleOld                      // an old value, or an old part of a text
	StyleNew                      // a new value, or a new part of a text
	StyleSame                     // a value that is the same on both sides
	StyleSecret                   // [secret]
	StyleUnknown                  // [unknown]
	StyleHidden                   // (hidden)
	StyleNote                     // # a remark
	StyleCount                    // a number of things shown or left out
)

// String returns the name of the style in lower case, for use as a class in HTML. The
// names are "punctuation", "key", "index", "old", "new", "same", "secret", "unknown",
// "hidden", "note" and "count".
func (s Style) String() string {
	names := [...]string{
		StylePunctuation: "punctuation",
		StyleKey:         "key",
		StyleIndex:       "index",
		StyleOld:         "old",
		StyleNew:         "new",
		StyleSame:        "same",
		StyleSecret:      "secret",
		StyleUnknown:     "unknown",
		StyleHidden:      "hidden",
		StyleNote:        "note",
		StyleCount:       "count",
	}
	if int(s) < len(names) {
		return names[s]
	}

	return "invalid style"
}

// String returns the line without colour and without a newline.
func (l Line) String() string { return string(l.AppendText(nil, false)) }

// AppendText appends the line to dst, without a newline. The line is indented by 4
// spaces for each level and 2 more, which hold the mark. For ansi see [Options.ANSI].
func (l Line) AppendText(dst []byte, ansi bool) []byte {
	for range min(max(l.Level, 0), maxIndent) {
		dst = append(dst, "    "...)
	}
	mark := l.Mark
	if l.Fold == FoldClose {
		mark = MarkNone
	}

	p := painter{dst: dst, ansi: ansi}
	p.write(mark.sgr(), mark.String()+"  "[:2-len(mark.String())])
	for _, s := range l.Spans {
		p.write(l.Mark.paint(s.Style), s.Text)
	}
	return p.end()
}

// maxIndent bounds the levels of a line that a caller made.
const maxIndent = 1000

// plain returns the text of some spans, joined.
func plain(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}
