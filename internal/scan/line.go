package scan

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns a text as it may stand in a one-line message: as it is when all
// of it is printable, Go-quoted otherwise, and without most of its middle when
// it is longer than about 160 bytes.
func Line(text string) string {
	const most, head, tail = 160, 80, 60
	if len(text) > most {
		text = strings.ToValidUTF8(text[:head], "") + " ... " + strings.ToValidUTF8(text[len(text)-tail:], "")
	}
	if utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return text
	}
	return strconv.Quote(text)
}

// Message returns the one-line text of an error, as far as there is a place, an offset
// that is not negative, a cause, something wanted and something found:
// "codec: decode json: a.b[3]: offset 17: syntax error: expected ':', found end of input".
func Message(head, place string, offset int, cause error, want, found string) string {
	if place != "" {
		head += ": " + Line(place)
	}
	if offset >= 0 {
		head += ": offset " + strconv.Itoa(offset)
	}
	return head + Reason(cause, want, found)
}

// Reason is the end of an error text: ": cause: expected this, found that", as
// far as there is a cause, something wanted and something found.
func Reason(cause error, want, found string) string {
	var text string
	if cause != nil {
		text = ": " + cause.Error()
	}
	sep := ": "
	if want != "" {
		text += ": expected " + want
		sep = ", "
	}
	if found != "" {
		text += sep + "found " + found
	}
	return text
}
