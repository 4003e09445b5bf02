package scan

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// clipBefore and clipAfter bound how many bytes of an input an error text
// shows before and after the offset that the error is about.
const (
	clipBefore = 32
	clipAfter  = 28
)

// Clip returns the part of input around offset, quoted, for a one-line error text.
//
// The quoting is Go's: control characters, unprintable runes and invalid UTF-8 are
// escaped, so the result is printable UTF-8 without a line break. Three dots outside
// the quotes mean that the input continues. An offset out of range is moved to the
// nearest end. The result is at most about 4 × 60 bytes long, whatever the input.
func Clip(input string, offset int) string {
	offset = max(0, min(offset, len(input)))
	lo, hi := 0, len(input)
	if offset > clipBefore {
		lo = runeStart(input, offset-clipBefore)
	}
	if len(input)-offset > clipAfter {
		hi = runeStart(input, offset+clipAfter)
	}
	text := strconv.Quote(input[lo:hi])
	if lo > 0 {
		text = "..." + text
	}
	if hi < len(input) {
		text += "..."
	}
	return text
}

// runeStart moves i back to the start of the rune it stands in, so that a cut
// there shows no half of one. In bytes that are not UTF-8 it stays.
func runeStart(s string, i int) int {
	for j := i; j >= 0 && j > i-utf8.UTFMax; j-- {
		if utf8.RuneStart(s[j]) {
			if r, n := utf8.DecodeRuneInString(s[j:]); r != utf8.RuneError && j+n > i {
				return j
			}
			return i
		}
	}

	return i
}

// Found returns a description of what is at offset, for the "found" half of an error
// text: a quoted rune, "end of input", or "byte 0xff" for invalid UTF-8.
func Found(input string, offset int) string {
	if offset < 0 || offset >= len(input) {
		return "end of input"
	}

	r, n := utf8.DecodeRuneInString(input[offset:])
	if r == utf8.RuneError && n <= 1 {
		return fmt.Sprintf("byte 0x%02x", input[offset])
	}
	return strconv.QuoteRune(r)
}
