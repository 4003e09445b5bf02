package jsonscan

import (
	"math/bits"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/scan"
)

// Space returns the offset of the first byte at or after i that is not white
// space.
func Space(s string, i int) int {
	if i < len(s) && s[i] > ' ' {
		return i
	}
	return spaces(s, i)
}

// spaces is Space where there is some. It passes the indentation of a line eight bytes at a
// time.
func spaces(s string, i int) int {
	for {
		if i < len(s) && s[i] == '\n' {
			i++
		}
		for len(s)-i >= 8 {
			other := scan.Word(s[i:]) ^ ' '*ones
			if other != 0 {
				i += bits.TrailingZeros64(other) >> 3
				break
			}
			i += 8
		}
		if i >= len(s) || (s[i] != ' ' && s[i] != '\n' && s[i] != '\t' && s[i] != '\r') {
			return i
		}
		i++
	}
}

// String scans the string whose opening quote is at i. It returns the
// offset after the closing quote. A plain string has no escapes: its contents
// are s[i+1 : end-1]; those of any other are [Unquote] of that.
func String(s string, i int) (end int, plain bool, f *Fault) {
	plain, isASCII := true, true
	for j := i + 1; ; {
		j = ordinary(s, j)
		switch {
		case j >= len(s):
			if isASCII || utf8.ValidString(s[i+1:]) {
				return 0, false, Expected(s, j, "end of string")
			}
		case s[j] == '"':
			if isASCII || utf8.ValidString(s[i+1:j]) { // looked at once, and seldom
				return j + 1, plain, nil
			}
		case s[j] >= utf8.RuneSelf:
			j, isASCII = foreign(s, j), false
			continue
		case s[j] == '\\':
			if n, f := escape(s, j); f == nil {
				plain, j = false, j+n
				continue
			}
		}
		return 0, false, unquotable(s, i+1)
	}
}

const ones, tops = 0x0101010101010101, 0x8080808080808080

// ordinary passes, from j on, what is ASCII and neither below 0x20 nor a quote or backslash.
func ordinary(s string, j int) int {
	for len(s)-j >= 8 {
		x := scan.Word(s[j:])
		if others := (x | special(x)) & tops; others != 0 {
			return j + bits.TrailingZeros64(others)>>3
		}
		j += 8
	}
	for j < len(s) && s[j] >= 0x20 && s[j] < utf8.RuneSelf && s[j] != '"' && s[j] != '\\' {
		j++
	}
	return j
}

// special sets the top bit of each byte that is below 0x20, a quote or a backslash, if it is
// ASCII. A borrow can also set that of bytes above one of these, so only the lowest counts.
func special(x uint64) uint64 {
	return (x ^ 2*ones - '!'*ones) | (x ^ '\\'*ones - ones) // ^2 makes a quote a space
}

// foreign passes, from j on, what need not be ASCII, and is else what [ordinary] passes.
func foreign(s string, j int) int {
	for ; len(s)-j >= 8; j += 8 {
		x := scan.Word(s[j:])
		if others := special(x) &^ x & tops; others != 0 {
			return j + bits.TrailingZeros64(others)>>3
		}
	}
	for j < len(s) && s[j] >= 0x20 && s[j] != '"' && s[j] != '\\' {
		j++
	}
	return j
}

// Plain returns the length of the prefix of a text that needs no escapes between
// quotes, and whether it is ASCII.
func Plain(s string) (n int, ascii bool) {
	ascii = true
	for n = ordinary(s, 0); n < len(s) && s[n] >= utf8.RuneSelf; n = ordinary(s, n) {
		n, ascii = foreign(s, n), false
	}
	return n, ascii
}

// unquotable finds what is wrong with a string, from after its opening quote.
func unquotable(s string, j int) *Fault {
	for j = ordinary(s, j); j < len(s); j = ordinary(s, j) {
		switch c := s[j]; {
		case c == '\\':
			n, f := escape(s, j)
			if f != nil {
				return f
			}
			j += n
		case c < 0x20:
			return Expected(s, j, "escaped control character")
		default:
			r, n := utf8.DecodeRuneInString(s[j:])
			if r == utf8.RuneError && n <= 1 {
				return &Fault{Offset: j, Err: ErrUTF8}
			}
			j += n
		}
	}
	return Expected(s, j, "end of string")
}

// escape returns the length of the escape whose backslash is at j.
func escape(s string, j int) (int, *Fault) {
	if j+1 >= len(s) {
		return 0, Expected(s, j+1, "end of string")
	}
	switch s[j+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, nil
	case 'u':
	default:
		return 0, Expected(s, j+1, "escape")
	}
	r, bad := hex4(s, j+2)
	if bad >= 0 {
		return 0, Expected(s, bad, "four hex digits")
	}
	if r < 0xd800 || r > 0xdfff {
		return 6, nil
	}

	if r < 0xdc00 && j+7 < len(s) && s[j+6] == '\\' && s[j+7] == 'u' {
		if low, bad := hex4(s, j+8); bad < 0 && low >= 0xdc00 && low <= 0xdfff {
			return 12, nil
		}
	}
	return 0, &Fault{Offset: j, Err: ErrUTF8, Want: "surrogate pair", Found: "half of one"}
}

// hex4 reads four hex digits; bad is the offset of what is none, or -1.
func hex4(s string, i int) (r rune, bad int) {
	for k := i; k < i+4; k++ {
		if k >= len(s) {
			return 0, k
		}

		c := s[k]
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, k
		}
	}
	return r, -1
}

// mostExact is a length that no number with more than 15 digits has: of any other without an
// exponent, [Float] says that a double holds it.
const mostExact = 15

// Number scans the number that begins at i and returns the offset after it. It reports whether
// a double certainly holds the number.
func Number(s string, i int) (end int, isExact bool, f *Fault) {
	begin := i
	if i < len(s) && s[i] == '-' {
		i++
	}

	switch {
	case i >= len(s) || s[i] < '0' || s[i] > '9':
		return 0, false, Expected(s, i, "digit")
	case s[i] == '0':
		i++
	default:
		i = digits(s, i)
	}
	if i < len(s) && s[i] == '.' {
		j := digits(s, i+1)
		if j == i+1 {
			return 0, false, Expected(s, j, "digit")
		}

		i = j
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		j := digits(s, i)
		if j == i {
			return 0, false, Expected(s, j, "digit")
		}
		return j, false, nil
	}
	return i, i-begin <= mostExact, nil
}

func digits(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

// scalar scans a number or a literal. It reports whether a double certainly holds a number.
func scalar(s string, i int) (end int, isExact bool, f *Fault) {
	switch c := s[i]; {
	case c == '-' || (c >= '0' && c <= '9'):
		return Number(s, i)
	case c == 't' || c == 'f' || c == 'n':
		end, f = Literal(s, i)
		return end, true, f
	}
	return 0, false, Expected(s, i, "value")
}

// Literal scans true, false or null, whose first letter is at i.
func Literal(s string, i int) (end int, f *Fault) {
	word := "null"
	switch s[i] {
	case 't':
		word = "true"
	case 'f':
		word = "false"
	}
	for k := range len(word) {
		if i+k >= len(s) || s[i+k] != word[k] {
			return 0, Expected(s, i+k, "true, false or null") // not which: a letter of a secret
		}
	}

	return i + len(word), nil
}

// Name scans the name of a member at i, the colon after it, and the white space up to the
// value.
func Name(s string, i int) (next int, name string, f *Fault) {
	end, plain, after, f := member(s, i)
	if f != nil {
		return 0, "", f
	}
	return Space(s, after), Text(s, i, end, plain), nil
}

// member scans the name of a member at i and the colon after it. It returns the offsets
// after each, and whether the name is plain, as [String] says.
func member(s string, i int) (end int, plain bool, after int, f *Fault) {
	if i >= len(s) || s[i] != '"' {
		return 0, false, 0, Expected(s, i, "name in quotes")
	}
	end, plain, f = String(s, i)
	if f != nil {
		return 0, false, 0, f
	}

	colon := Space(s, end)
	if colon >= len(s) || s[colon] != ':' {
		return 0, false, 0, Expected(s, colon, "':'")
	}
	return end, plain, colon + 1, nil
}

// Cost is what a container adds to the messages around what is in it.
func Cost(object bool) int {
	if object {
		return 3
	}
	return 2
}

// Closer is the closing bracket of a container.
func Closer(object bool) byte {
	if object {
		return '}'
	}
	return ']'
}
