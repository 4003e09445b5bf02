package path

// NOTE: What both syntaxes share. What a name may hold is nameEnd in canonical.go.

import (
	"strings"

	"github.com/propalg/propalg/internal/scan"
)

// role says what a text is read as.
type role uint8

const (
	asPath    role = iota // no wildcard
	asPattern             // with wildcard
)

type token struct {
	cell    Step        // of an index, the wildcard or a bare name
	quoted  scan.String // of a key in quotes
	escapes scan.Escapes
	isQuote bool
}

// A lexer reads the step that begins at text[at:], at < len(text), with the separator before
// it, and returns the offset after it.
type lexer func(text string, at int, r role) (token, int, *Error)

// A text of at most shortText bytes is read once, into scratch on the stack. Packing grows a
// text most for `.a`, from two bytes to three, so scratchSize is enough.
const (
	shortText   = 128
	scratchSize = 2 * shortText
)

// parse reads a whole text, in one allocation of the right size. A short one is
// packed into scratch and copied; a longer one is lexed twice, to measure and
// to write. Nearly all are plain, for which there is a shorter way.
func parse(text string, g grammar, r role) (string, error) {
	if packed, ok := parsePlain(text, g, r); ok {
		return packed, nil
	}
	if g == pulumi {
		return parseAny(text, lexPulumi, r)
	}
	return parseAny(text, lexCanonical, r)
}

func parseAny(text string, lex lexer, r role) (string, error) {
	if len(text) > shortText {
		return parseLong(text, lex, r)
	}

	var scratch [scratchSize]byte
	dst := scratch[:0]
	for at := 0; at < len(text); {
		tok, next, err := lex(text, at, r)
		if err != nil {
			return "", err
		}
		dst = tok.append(dst, text)
		at = next
	}
	return string(dst), nil
}

func parseLong(text string, lex lexer, r role) (string, error) {
	size := 0
	for at := 0; at < len(text); {
		tok, next, err := lex(text, at, r)
		if err != nil {
			return "", err
		}
		size += tok.size()
		at = next
	}

	var b strings.Builder
	b.Grow(size)
	for at := 0; at < len(text); {
		tok, next, _ := lex(text, at, r)
		tok.write(&b, text)
		at = next
	}
	return b.String(), nil
}

func (t token) size() int {
	if t.isQuote {
		n := t.quoted.Len()
		return packedSize(uint64(n)<<tagBits|tagKey, n)
	}
	return t.cell.size()
}

func (t token) append(dst []byte, text string) []byte {
	if !t.isQuote {
		return appendPacked(dst, t.cell)
	}
	n := t.quoted.Len()
	h := uint64(n)<<tagBits | tagKey
	dst = scan.AppendUnquoted(appendHead(dst, h), text, t.quoted, t.escapes)
	return appendTail(dst, h, n)
}

func (t token) write(b *strings.Builder, text string) {
	if !t.isQuote {
		writePacked(b, t.cell)
		return
	}

	var scratch [10]byte
	n := t.quoted.Len()
	h := uint64(n)<<tagBits | tagKey
	b.Write(appendHead(scratch[:0], h))
	scan.WriteUnquoted(b, text, t.quoted, t.escapes)
	b.Write(appendTail(scratch[:0], h, n))
}

// number reads digits at text[at:] and returns their value, at most MaxIndex+1, and the
// offset after them.
func number(text string, at int) (int64, int) {
	var n int64
	for ; at < len(text) && '0' <= text[at] && text[at] <= '9'; at++ {
		n = min(n*10+int64(text[at]-'0'), MaxIndex+1)
	}
	return n, at
}
