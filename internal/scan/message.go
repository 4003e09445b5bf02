package scan

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns a text for use in a one-line message. If not all of it is printable it
// is quoted as in Go; if it is longer than about 160 bytes, most of its middle is left
// out.
func Line(text string) string {
	const most, head, tail = 160, 80, 60
	if len(text) > most {
		text = strings.ToValidUTF8(text[:head], "") + " ... " + strings.ToValidUTF8(text[len(text)-tail:], "")
	}
	if isPrintable(text) {
		return text
	}

	return strconv.Quote(text)
}

func isPrintable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// Printable returns the text of an error with an escape, as in Go, for each character that
// is not printable and each byte that is not UTF-8. Every method Error of this module
// returns what Printable made, and need not know which of its parts came from outside. A
// name within a text is given to [Line] before, which also cuts it and shows where it
// ends.
func Printable(text string) string {
	if isPrintable(text) {
		return text
	}

	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if unicode.IsPrint(r) && (r != utf8.RuneError || size > 1) {
			b.WriteString(text[:size])
		} else {
			quoted := strconv.Quote(text[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[size:]
	}
	return b.String()
}

// Message returns the one-line text of an error. Parts that are empty or nil, and a
// negative offset, are left out: "codec: decode json: a.b[3]: offset 17: syntax error:
// expected ':', found end of input".
func Message(head, place string, offset int, cause error, want, found string) string {
	if place != "" {
		head += ": " + Line(place)
	}
	if offset >= 0 {
		head += ": offset " + strconv.Itoa(offset)
	}
	return Printable(head + Reason(cause, want, found))
}

// Reason returns the end of an error text, ": cause: expected this, found that". Parts
// that are empty or nil are left out.
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
