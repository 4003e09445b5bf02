package jsonscan

import (
	"strings"
	"unicode/utf16"
)

// Unquote resolves the escapes of the contents of a string that [String] found
// to be valid. Without escapes it returns its argument; else it makes one copy,
// never longer than the argument.
func Unquote(inner string) string {
	if strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	var out strings.Builder
	out.Grow(len(inner))
	return UnquoteTo(&out, inner)
}

// UnquoteTo is [Unquote] of a string that has escapes, with its copy in memory
// that it shares with others: what is written to out, which has room for it.
func UnquoteTo(out *strings.Builder, inner string) string {
	from := out.Len()

	for {
		next := strings.IndexByte(inner, '\\')
		if next < 0 {
			break
		}
		out.WriteString(inner[:next])
		inner = inner[next+writeEscape(out, inner[next:]):]
	}
	out.WriteString(inner)
	return out.String()[from:]
}

// writeEscape writes what the escape at the beginning of s stands for, and
// returns the length of the escape.
func writeEscape(out *strings.Builder, s string) int {
	switch c := s[1]; c {
	case 'b':
		out.WriteByte('\b')
	case 'f':
		out.WriteByte('\f')
	case 'n':
		out.WriteByte('\n')
	case 'r':
		out.WriteByte('\r')
	case 't':
		out.WriteByte('\t')
	case 'u':
		r, _ := hex4(s, 2)
		if !utf16.IsSurrogate(r) {
			out.WriteRune(r)
			return 6
		}
		low, _ := hex4(s, 8)
		out.WriteRune(utf16.DecodeRune(r, low))
		return 12
	default:
		out.WriteByte(c)
	}

	return 2
}

// Text returns the contents of the string s[i:end], quotes
// included, and that [String] found to be valid.
func Text(s string, i, end int, plain bool) string {
	if plain {
		return s[i+1 : end-1]
	}
	return Unquote(s[i+1 : end-1])
}
