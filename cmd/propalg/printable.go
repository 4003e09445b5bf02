package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// writeJSON writes one object on one line, without escaping what is no markup.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(escaping{w})
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// writeData writes one JSON text on one line.
func writeData(w io.Writer, text []byte) error {
	_, err := escaping{w}.Write(append(text, '\n'))
	return err
}

// escaping writes JSON texts, and of their characters beyond ASCII those that are
// not printable, and DEL, by number: then nothing in a text moves a terminal, or
// turns the direction of what stands there. (Control characters of ASCII stand by
// number in any JSON.) It means the same, since such characters stand in strings
// only. A text has to come whole.
type escaping struct{ to io.Writer }

// Write writes one text, or several.
func (e escaping) Write(text []byte) (int, error) {
	var out []byte // of what stands before from
	from := 0
	for i := 0; i < len(text); {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(text[i:])
		}
		if r >= 0x7f && !strconv.IsPrint(r) {
			out = appendNumbered(append(out, text[from:i]...), r)
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

// appendNumbered appends a character as JSON writes it by number.
func appendNumbered(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}
