package path

// NOTE: The grammar follows Pulumi's parser. plain.go has its simple part again, for
// short texts.

import (
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/scan"
)

// ParsePulumi parses a path in the Pulumi dialect, by the rules that Pulumi itself has for
// keys of detailedDiff and properties of check failures: `["*"]`, `[*]` and a bare `*` are
// all the key `*`. The error is an *Error that wraps ErrSyntax or ErrIndex. ParsePulumi
// allocates once.
func ParsePulumi(text string) (Path, error) {
	packed, err := parse(text, pulumi, asPath)
	return Path{packed}, err
}

// ParsePulumiPattern parses a pattern in the Pulumi dialect, by the rules that Pulumi
// itself has for ignoreChanges, replaceOnChanges and hideDiffs: `["*"]`, `[*]` and a bare
// `*` are all the wildcard. The error is an *Error that wraps ErrSyntax or ErrIndex.
func ParsePulumiPattern(text string) (Pattern, error) {
	packed, err := parse(text, pulumi, asPattern)
	return Pattern{packed}, err
}

// lexPulumi follows Pulumi's parser in lax mode.
func lexPulumi(text string, at int, r role) (token, int, *Error) {
	if text[at] == '.' && at == 0 {
		return token{}, 0, syntaxError(text, at, "name or '['")
	}
	for at < len(text) && text[at] == '.' {
		at++
	}
	switch {
	case at == len(text):
		return token{}, 0, syntaxError(text, at, "name or '['")
	case text[at] == '[':
		return lexPulumiBracket(text, at+1, r)
	}

	end := at
	for end < len(text) && text[end] != '.' && text[end] != '[' {
		end++
	}
	return starOr(token{cell: Key(text[at:end])}, text[at:end], r), end, nil
}

// starOr returns tok, or the step that `*` means if that is its text.
func starOr(tok token, text string, r role) token {
	switch {
	case text != "*":
		return tok
	case r == asPattern:
		return token{cell: Any()}
	}
	return token{cell: Key(text)}
}

// lexPulumiBracket reads what follows a '['.
func lexPulumiBracket(text string, at int, r role) (token, int, *Error) {
	var tok token
	var end int
	switch {
	case at < len(text) && text[at] == '"':
		s, ok := scan.Quoted(text, at+1, scan.QuoteOnly)
		if !ok {
			return token{}, 0, quoteError(text, s.Hi, "")
		}
		tok = token{quoted: s, escapes: scan.QuoteOnly, isQuote: true}
		tok, end = starOr(tok, text[s.Lo:s.Hi], r), s.Hi+1
	case at < len(text) && text[at] == '*':
		tok, end = starOr(tok, text[at:at+1], r), at+1
	default:
		cell, behind, err := lexPulumiIndex(text, at)
		if err != nil {
			return token{}, 0, err
		}
		tok, end = token{cell: cell}, behind
	}
	if end == len(text) || text[end] != ']' {
		return token{}, 0, syntaxError(text, end, "']'")
	}

	return tok, end + 1, nil
}

// lexPulumiIndex reads a number as strconv.ParseInt does in base 10: a sign
// and leading zeros are fine. Unlike Pulumi, it refuses what no array can have.
func lexPulumiIndex(text string, at int) (Step, int, *Error) {
	digits := at
	if at < len(text) && (text[at] == '+' || text[at] == '-') {
		digits++
	}
	n, end := number(text, digits)
	switch {
	case end == digits:
		return Step{}, 0, syntaxError(text, digits, "index, quoted key or '*'")
	case n > MaxIndex, n > 0 && text[at] == '-':
		return Step{}, 0, indexError(text, at, end)
	}

	return Index(int(n)), end, nil
}

// Pulumi returns p in the Pulumi dialect. A key is bare if it is one or more of
// `A-Za-z0-9_` or ends in a backslash, else quoted; the root is the empty text. Pulumi's
// own parser reads the text back to the same steps, also in strict mode, except for the key
// `*`, which is the wildcard where a pattern is expected. The error is an *Error that wraps
// ErrUnwritable: for a key that is not UTF-8, and for one that ends in a backslash and
// contains '.' or '['.
func (p Path) Pulumi() (string, error) { return pulumiText(p.packed, asPath) }

// Pulumi returns p in the Pulumi dialect, like Path.Pulumi, with `[*]` for [Any]. The key
// `*` is an error that wraps ErrUnwritable, since Pulumi would read the wildcard, and so is
// [AnyDepth], which the dialect lacks.
func (p Pattern) Pulumi() (string, error) { return pulumiText(p.packed, asPattern) }

func pulumiText(packed string, r role) (string, error) {
	if name := bareWord(packed); name != "" {
		return name, nil
	}

	var scratch [128]byte
	dst := scratch[:0]
	for i := 0; packed != ""; i++ {
		if h := uint(packed[0]); i > 0 && h > 0 && h&(0x80|tagMask) == tagKey && areWords(packed[1:h>>tagBits+1]) {
			dst = append(append(dst, '.'), packed[1:h>>tagBits+1]...)
			packed = packed[h>>tagBits+2:]
			continue
		}
		s, n := unpack(packed)
		packed = packed[n:]
		var err *Error
		if dst, err = appendPulumi(dst, s, i, r); err != nil {
			return "", err
		}
	}
	return string(dst), nil
}

// bareWord returns the text of a path of one short key that is a word, and "" for every
// other path.
func bareWord(packed string) string {
	if packed == "" {
		return ""
	}

	h := uint(packed[0])
	if h&(0x80|tagMask) != tagKey || int(h>>tagBits)+2 != len(packed) || !areWords(packed[1:len(packed)-1]) {
		return ""
	}
	return packed[1 : len(packed)-1]
}

// appendPulumi appends step number i.
func appendPulumi(dst []byte, s Step, i int, r role) ([]byte, *Error) {
	switch {
	case s.ref == wildMark:
		return append(dst, "[*]"...), nil
	case s.ref == deepMark:
		return nil, unwritable(i, "a key, an index or '[*]'", "'[**]'")
	case s.ref != 0:
		return appendIndex(dst, s), nil
	case r == asPattern && s.name == "*":
		return nil, unwritable(i, "a key other than '*'", "that key, which reads as the wildcard")
	}

	bare, err := isPulumiBare(s.name, i)
	switch {
	case err != nil:
		return nil, err
	case !bare:
		dst = scan.AppendQuoted(append(dst, '['), s.name, scan.QuoteOnly)
		return append(dst, ']'), nil
	case i > 0:
		dst = append(dst, '.')
	}
	return append(dst, s.name...), nil
}

// Pulumi returns the step in the Pulumi dialect: what [Path.Pulumi] returns for a path of
// this one step, or `[*]` for [Any]. The errors are those of [Pattern.Pulumi]. It
// allocates nothing for a key of `A-Za-z0-9_`.
func (s Step) Pulumi() (string, error) {
	if s.ref == 0 && s.name != "" && areWords(s.name) {
		return s.name, nil
	}
	var scratch [128]byte
	text, err := s.AppendPulumi(scratch[:0], true)
	return string(text), err
}

// AppendPulumi appends the text of the step in the Pulumi dialect. The texts of all steps
// of a path, one after the other, are what [Path.Pulumi] returns. The first step, for
// which first is true, has no dot before it. The errors are those of Path.Pulumi; then
// dst is returned as it was.
func (s Step) AppendPulumi(dst []byte, first bool) ([]byte, error) {
	if s.ref == 0 && s.name != "" && areWords(s.name) {
		if !first {
			dst = append(dst, '.')
		}
		return append(dst, s.name...), nil
	}

	i := 1
	if first {
		i = 0
	}
	longer, err := appendPulumi(dst, s, i, asPath)
	if err != nil {
		return dst, err
	}
	return longer, nil
}

// isPulumiBare says whether to write a key bare or in quotes. Bare names end
// at a '.' or '[' and have no escapes; in quotes only `\"` is one, so that a
// backslash at the end would swallow the closing quote, while one before a
// quote inside is safe (`\"` is written `\\"`: a backslash that is itself,
// then an escape). A bare name is preceded by a dot unless it is first, so
// nothing else in it can be mistaken for a separator.
func isPulumiBare(name string, i int) (bool, *Error) {
	switch {
	case name != "" && areWords(name):
		return true, nil
	case !utf8.ValidString(name):
		return false, unwritable(i, "a key that is UTF-8", "one that is not")
	case !strings.HasSuffix(name, `\`):
		return false, nil
	case strings.ContainsAny(name, ".["):
		return false, unwritable(i, "a key that does not end in a backslash", "one that does and has a '.' or '['")
	}

	return true, nil
}

// areWords reports whether all bytes of a text may be in a word. It tests eight at a time,
// since it is called for every key of every path that is written.
func areWords(text string) bool {
	n := len(text)
	if n < 8 {
		return areWord(shortWord(text) | '_'*eachByte<<(uint(8*n)&63)) // the text is followed by underscores
	}

	for i := 8; i < n; i += 8 {
		if !areWord(scan.Word(text[i-8:])) {
			return false
		}
	}
	return areWord(scan.Word(text[n-8:]))
}

const eachByte = 0x0101010101010101

func areWord(x uint64) bool {
	const high = 0x80 * eachByte
	// Of bytes below 0x80, whether they are from a first to a last one, in their highest bit.
	y := x | 0x20*eachByte
	letters := (y + (0x80-'a')*eachByte) &^ (y + (0x7f-'z')*eachByte)
	digits := (x + (0x80-'0')*eachByte) &^ (x + (0x7f-'9')*eachByte)
	lines := (x + (0x80-'_')*eachByte) &^ (x + (0x7f-'_')*eachByte)
	return (letters|digits|lines)&^x&high == high
}
