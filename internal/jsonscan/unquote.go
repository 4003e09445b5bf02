package jsonscan

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/given"
)

// Unquote resolves the escapes of the contents of a string that [String] found
// to be valid. Without escapes it returns its argument; else it makes one copy,
// never longer than the argument.
func Unquote(inner string) string {
	if strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	return given.Alias(AppendUnquoted(make([]byte, 0, len(inner)), inner))
}

// AppendUnquoted appends what [Unquote] returns.
func AppendUnquoted(to []byte, inner string) []byte {
	for {
		next := strings.IndexByte(inner, '\\')
		if next < 0 {
			return append(to, inner...)
		}
		to = append(to, inner[:next]...)
		var n int
		to, n = appendEscape(to, inner[next:])
		inner = inner[next+n:]
	}
}

// appendEscape appends what the escape at the beginning of s stands for, and
// returns the length of the escape.
func appendEscape(to []byte, s string) ([]byte, int) {
	c := s[1]
	switch c {
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		r, _ := hex4(s, 2)
		if !utf16.IsSurrogate(r) {
			return utf8.AppendRune(to, r), 6
		}
		low, _ := hex4(s, 8)
		return utf8.AppendRune(to, utf16.DecodeRune(r, low)), 12
	}
	return append(to, c), 2
}

// Text returns the contents of the string s[i:end], quotes
// included, and that [String] found to be valid.
func Text(s string, i, end int, plain bool) string {
	if plain {
		return s[i+1 : end-1]
	}
	return Unquote(s[i+1 : end-1])
}
