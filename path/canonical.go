package path

// NOTE: plain.go has the simple part of this grammar again, for short texts, lexer.go what
// both syntaxes share, and errors.go what a mistake was meant to be; doc.go describes it.

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/scan"
)

// Parse parses a path in the canonical grammar (see the package documentation). The empty
// text is the root, and `["name"]` is accepted for `name`. The error is an *Error that
// wraps ErrSyntax or ErrIndex. Parse allocates once.
func Parse(text string) (Path, error) {
	packed, err := parse(text, canonical, asPath)
	return Path{packed}, err
}

// MustParse is like [Parse] but panics if text cannot be parsed. It is for paths that are
// literals.
func MustParse(text string) Path {
	p, err := Parse(text)
	if err != nil {
		panic(err.Error())
	}
	return p
}

// ParsePattern parses a pattern: a path in which `[*]` and `[**]` are the wildcards, and
// `["*"]` is the key `*`. Its errors are those of [Parse].
func ParsePattern(text string) (Pattern, error) {
	packed, err := parse(text, canonical, asPattern)
	return Pattern{packed}, err
}

// MustParsePattern is like [ParsePattern] but panics if text cannot be parsed.
func MustParsePattern(text string) Pattern {
	p, err := ParsePattern(text)
	if err != nil {
		panic(err.Error())
	}
	return p
}

// String returns the canonical text, which Parse reads back to p.
func (p Path) String() string { return packedText(p.packed) }

// GoString returns a Go expression for p.
func (p Path) GoString() string { return "path.MustParse(" + strconv.Quote(p.String()) + ")" }

// MarshalText returns the canonical text. The error is always nil. Package encoding/json
// replaces bytes that are not UTF-8, so a path with such keys does not survive it.
func (p Path) MarshalText() ([]byte, error) { return appendText(nil, p.packed), nil }

// UnmarshalText sets *p to the path of a canonical text. On error *p is unchanged.
func (p *Path) UnmarshalText(text []byte) error {
	q, err := Parse(string(text))
	if err == nil {
		*p = q
	}
	return err
}

// String returns the canonical text, which ParsePattern reads back to p.
func (p Pattern) String() string { return packedText(p.packed) }

// GoString returns a Go expression for p.
func (p Pattern) GoString() string {
	return "path.MustParsePattern(" + strconv.Quote(p.String()) + ")"
}

// MarshalText returns the canonical text. The error is always nil.
func (p Pattern) MarshalText() ([]byte, error) { return appendText(nil, p.packed), nil }

// UnmarshalText sets *p to the pattern of a canonical text. On error *p is unchanged.
func (p *Pattern) UnmarshalText(text []byte) error {
	q, err := ParsePattern(string(text))
	if err == nil {
		*p = q
	}
	return err
}

func packedText(packed string) string {
	var scratch [128]byte
	return string(appendText(scratch[:0], packed))
}

func appendText(dst []byte, packed string) []byte {
	for first := true; packed != ""; first = false {
		s, n := unpack(packed)
		dst = appendStep(dst, s, first)
		packed = packed[n:]
	}
	return dst
}

// appendStep appends one step, with the dot that a name needs unless first.
func appendStep(dst []byte, s Step, first bool) []byte {
	switch {
	case s.ref == wildMark:
		return append(dst, "[*]"...)
	case s.ref == deepMark:
		return append(dst, "[**]"...)
	case s.ref != 0:
		return appendIndex(dst, s)

	case nameEnd(s.name, 0) != len(s.name) || s.name == "":
		dst = scan.AppendQuoted(append(dst, '['), s.name, scan.Both)
		return append(dst, ']')
	case !first:
		dst = append(dst, '.')
	}
	return append(dst, s.name...)
}

func appendIndex(dst []byte, s Step) []byte {
	dst = strconv.AppendUint(append(dst, '['), uint64(s.ref-1), 10)
	return append(dst, ']')
}

// nameEnd returns the offset after the name that begins at text[at:], a letter or
// underscore, then letters, digits and underscores, or at if no name begins there.
func nameEnd(text string, at int) int {
	if at < len(text) && '0' <= text[at] && text[at] <= '9' {
		return at
	}
	for at < len(text) && isWord(text[at]) {
		at++
	}
	return at
}

func isWord(c byte) bool {
	return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_'
}

func lexCanonical(text string, at int, r role) (token, int, *Error) {
	switch {
	case text[at] == '[':
		return lexBracket(text, at+1, r)
	case at == 0:
		return lexName(text, 0, "name or '['")
	case text[at] == '.':
		return lexName(text, at+1, "name")
	}

	return token{}, 0, nameError(text, at, "'.', '[' or end of input")
}

func lexName(text string, at int, want string) (token, int, *Error) {
	end := nameEnd(text, at)
	if end == at {
		return token{}, 0, nameError(text, at, want)
	}
	return token{cell: Key(text[at:end])}, end, nil
}

func lexBracket(text string, at int, r role) (token, int, *Error) {
	want := "index or quoted key"
	if r == asPattern {
		want = "index, quoted key or '*'"
	}

	var tok token
	var end int
	switch {
	case at == len(text):
		return token{}, 0, syntaxError(text, at, want)
	case text[at] == '"':
		s, ok := scan.Quoted(text, at+1, scan.Both)
		if !ok {
			return token{}, 0, quoteError(text, s.Hi, `'"' or '\\' after backslash`)
		}
		tok, end = token{quoted: s, escapes: scan.Both, isQuote: true}, s.Hi+1
	case strings.HasPrefix(text[at:], "**") && r == asPattern:
		tok, end = token{cell: AnyDepth()}, at+2
	case text[at] == '*' && r == asPattern:
		tok, end = token{cell: Any()}, at+1
	case text[at] == '0':
		tok, end = token{cell: Index(0)}, at+1
	default:
		n, behind := number(text, at)
		if behind == at {
			return token{}, 0, syntaxError(text, at, want)
		}
		if n > MaxIndex {
			return token{}, 0, indexError(text, at, behind)
		}
		tok, end = token{cell: Index(int(n))}, behind
	}
	if end == len(text) || text[end] != ']' {
		return token{}, 0, syntaxError(text, end, "']'")
	}

	return tok, end + 1, nil
}

// quoteError returns the error for a quoted key that scan.Quoted refused.
func quoteError(text string, offset int, inside string) *Error {
	if offset == len(text) {
		return syntaxError(text, offset, "closing '\"' of a key")
	}
	return syntaxError(text, offset, inside)
}
