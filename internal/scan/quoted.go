package scan

import "strings"

// Escapes selects the escapes that a quoted string can have.
type Escapes uint8

const (
	// Both allows \" and \\; a backslash before anything else is an error. It is the
	// rule of the canonical grammar of paths, and can write any string.
	Both Escapes = iota
	// QuoteOnly allows \" only; a backslash before anything else is literal. It is the
	// rule of Pulumi's grammar of paths, and cannot write a string that ends in a
	// backslash.
	QuoteOnly
)

// String is the position of a quoted string in a text.
type String struct {
	Lo, Hi  int // the raw contents, without the quotes, are text[Lo:Hi]
	Escapes int // number of escapes, each of one extra byte
}

// Len returns the number of bytes of the string without its escapes.
func (s String) Len() int { return s.Hi - s.Lo - s.Escapes }

// Quoted scans the string whose contents begin at text[lo:], just after the opening
// quote.
//
// It returns the string and true; the closing quote is at its Hi. If there is no such
// string it returns false, and Hi is the offset of the error: the end of text if the
// closing quote is missing, otherwise the byte after an invalid backslash. The time is
// linear in the bytes scanned.
func Quoted(text string, lo int, esc Escapes) (String, bool) {
	s := String{Lo: lo}
	for at := lo; at < len(text); at++ {
		switch text[at] {
		case '"':
			s.Hi = at
			return s, true
		case '\\':
			next := at + 1
			switch {
			case next == len(text): // the closing quote is missing
			case text[next] == '"', esc == Both && text[next] == '\\':
				s.Escapes++
				at = next
			case esc == Both:
				return String{Lo: lo, Hi: next}, false
			}
		}
	}

	return String{Lo: lo, Hi: len(text)}, false
}

// WriteUnquoted writes the contents of a string that Quoted found to b, without
// escapes.
func WriteUnquoted(b *strings.Builder, text string, s String, esc Escapes) {
	raw := text[s.Lo:s.Hi]
	for range s.Escapes {
		i := escapeAt(raw, esc)
		b.WriteString(raw[:i])
		b.WriteByte(raw[i+1])

		raw = raw[i+2:]
	}
	b.WriteString(raw)
}

// AppendUnquoted appends the contents of a string that Quoted found to dst, without
// escapes.
func AppendUnquoted(dst []byte, text string, s String, esc Escapes) []byte {
	raw := text[s.Lo:s.Hi]
	for range s.Escapes {
		i := escapeAt(raw, esc)
		dst = append(append(dst, raw[:i]...), raw[i+1])
		raw = raw[i+2:]
	}
	return append(dst, raw...)
}

func escapeAt(raw string, esc Escapes) int {
	i := strings.IndexByte(raw, '\\')
	for esc == QuoteOnly && raw[i+1] != '"' {
		i += 1 + strings.IndexByte(raw[i+1:], '\\')
	}
	return i
}

// AppendQuoted appends s in quotes to dst. With QuoteOnly, s must not end in a
// backslash: the closing quote would be read as escaped.
func AppendQuoted(dst []byte, s string, esc Escapes) []byte {
	dst = append(dst, '"')

	from := 0
	for i := range len(s) {
		if s[i] == '"' || (esc == Both && s[i] == '\\') {
			dst = append(dst, s[from:i]...)
			dst = append(dst, '\\')
			from = i
		}
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}
