package urn

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/scan"
)

// The causes that an [*Error] wraps.
var (
	// ErrSyntax reports that a text does not follow the lax grammar.
	ErrSyntax = errors.New("not a URN")
	// ErrSpec reports that a URN does not follow the spec grammar.
	ErrSpec = errors.New("outside the URN specification")
	// ErrPart reports that a URN cannot be built with a part.
	ErrPart = errors.New("invalid part of a URN")
)

// The parts of a URN, in the words of the grammar.
const (
	partPrefix        = "prefix"
	partStack         = "stack"
	partProject       = "project"
	partQualifiedType = "qualified type"
	partParentType    = "parent type"
	partType          = "type"
	partPackage       = "package"
	partModule        = "module"
	partTypeName      = "type name"
	partName          = "name"
)

// Error is the error of this package: what is wrong with a text, and where.
// It wraps [ErrSyntax], [ErrSpec] or [ErrPart].
type Error struct {
	Input  string // the whole text of the URN, or of the part with ErrPart
	Offset int    // in bytes, from 0 to len(Input)
	Part   string // the part at the offset, such as "stack" or "parent type"
	Want   string // what was expected there, in words
	Found  string // what was found there: quoted text, or "end of text"

	err error // the sentinel
}

// Error returns the error as one line of printable text. Input is quoted, with
// unprintable characters escaped, and cut to about 60 bytes around Offset.
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}

	kind := ""
	if e.err != nil {
		kind = e.err.Error() + ": "
	}
	return scan.Printable(fmt.Sprintf("urn: %s%s: expected %s, found %s at byte %d of %s", kind, e.Part, e.Want, e.Found, e.Offset, scan.Clip(e.Input, e.Offset)))
}

// Unwrap returns [ErrSyntax], [ErrSpec] or [ErrPart].
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}

// prefixError points at the first byte that differs from the prefix.
func prefixError(text string, kind error) error {
	i := 0
	for i < len(text) && text[i] == Prefix[i] {
		i++
	}
	return &Error{Input: text, Offset: i, Part: partPrefix, Want: strconv.Quote(Prefix), Found: foundAt(text, i), err: kind}
}

// unendedError reports a part that is not followed by "::" within the first limit bytes.
func unendedError(text string, limit int, part string) error {
	if len(text) <= limit {
		return &Error{Input: text, Offset: len(text), Part: part, Want: `"::"`, Found: foundAt(text, len(text)), err: ErrSyntax}
	}
	want := `"::" by byte ` + strconv.Itoa(limit)
	return &Error{Input: text, Offset: limit, Part: part, Want: want, Found: foundAt(text, limit), err: ErrSyntax}
}

// foundAt describes the text at offset: a separator, one character, one byte that is
// not UTF-8, or the end.
func foundAt(text string, offset int) string {
	rest := text[offset:]
	if rest == "" {
		return "end of text"
	}
	if strings.HasPrefix(rest, separator) {
		return `"::"`
	}

	_, size := utf8.DecodeRuneInString(rest)
	return strconv.Quote(rest[:size])
}

func invalidAt(s string) int {
	if utf8.ValidString(s) { // the usual case, and many bytes at a time
		return len(s)
	}

	i := 0
	for {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
}
