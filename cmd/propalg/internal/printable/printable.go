// Package printable makes what a command writes safe for terminals: nothing in a
// name, a value or an error moves the cursor or turns the direction of text.
package printable

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/propalg/propalg/value"
)

// Text returns s, quoted and with escapes if it holds anything that is not
// printable. The types and URNs of real stacks stay as they are.
func Text(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return s
	}
	return value.String(s).String()
}

// Thousands returns a number with commas.
func Thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Counted returns a number of things, with commas.
func Counted(n int, name string) string {
	if n != 1 {
		name += "s"
	}
	return Thousands(n) + " " + name
}

// Line returns the text of a message on one line, with spaces for characters that
// are not printable.
func Line(text string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// WriteJSON writes one value as JSON on one line, without escaping <, > and &.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(escaper{w})
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// WriteData writes one JSON text, or another text that is printable, on one line.
func WriteData(w io.Writer, text []byte) error {
	_, err := escaper{w}.Write(append(text, '\n'))
	return err
}

// escaper writes JSON texts, and escapes DEL and those characters beyond ASCII that
// are not printable. JSON has the other control characters escaped already, and
// such characters in strings only, so the text means the same. Each text has to
// be written whole.
type escaper struct{ to io.Writer }

// Write writes one text, or several.
func (e escaper) Write(text []byte) (int, error) {
	var out []byte // the text up to from
	from := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r >= 0x7f && !strconv.IsPrint(r) {
			out = append(out, text[from:i]...)
			for _, unit := range utf16.AppendRune(nil, r) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
			from = i + n
		}

		i += n
	}
	if from == 0 {
		out = text
	} else {
		out = append(out, text[from:]...)
	}
	if _, err := e.to.Write(out); err != nil {
		return 0, err
	}

	return len(text), nil
}
