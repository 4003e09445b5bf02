package urn

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What an [*Error] wraps.
var (
	// ErrSyntax: the text is no URN, not even by the lax grammar.
	ErrSyntax = errors.New("not a URN")
	// ErrSpec: the URN is outside the spec grammar.
	ErrSpec = errors.New("outside the URN specification")
	// ErrPart: the part cannot stand where it should in a URN.
	ErrPart = errors.New("unfit part of a URN")
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

// An Error says what is wrong with a text, and where. It wraps [ErrSyntax], [ErrSpec] or [ErrPart].
type Error struct {
	Input  string // the whole text: of the URN, or with ErrPart of the part
	Offset int    // in bytes, from 0 to len(Input)
	Part   string // the part that the offset is in: prefix, stack, project, qualified type, parent type, type, package, module, type name, name
	Want   string // what was wanted there, in words
	Found  string // what stands there: quoted text, or "end of text"

	err error // the sentinel
}

// Error returns one line of printable text: Input is quoted, with what cannot be printed escaped, and only about 60 bytes around Offset are shown.
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	kind := ""
	if e.err != nil {
		kind = e.err.Error() + ": "
	}
	return fmt.Sprintf("urn: %s%s: want %s, found %s at byte %d of %s", kind, e.Part, e.Want, e.Found, e.Offset, clip(e.Input, e.Offset))
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}

// prefixError points at the first byte that is not the prefix's, in a text that does not begin with it.
func prefixError(text string, kind error) error {
	i := 0
	for i < len(text) && text[i] == Prefix[i] {
		i++
	}
	return &Error{Input: text, Offset: i, Part: partPrefix, Want: strconv.Quote(Prefix), Found: foundAt(text, i), err: kind}
}

// unendedError is for a part that should be followed by "::", and is not within the first limit bytes.
func unendedError(text string, limit int, part string) error {
	if len(text) <= limit {
		return &Error{Input: text, Offset: len(text), Part: part, Want: `"::"`, Found: foundAt(text, len(text)), err: ErrSyntax}
	}
	want := `"::" by byte ` + strconv.Itoa(limit)
	return &Error{Input: text, Offset: limit, Part: part, Want: want, Found: foundAt(text, limit), err: ErrSyntax}
}

// foundAt describes what stands at offset: a separator, one character, one byte that is not UTF-8, or the end.
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

// invalidAt returns the offset of the first byte that is not UTF-8, len(s) where there is none.
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

// clip quotes about 60 bytes of text around offset, with dots where it cut.
func clip(text string, offset int) string {
	const reach = 30
	offset = min(max(offset, 0), len(text)) // an Error may be made by others
	from, to := max(0, offset-reach), min(len(text), offset+reach)
	// Where a cut falls into a character, up to three bytes more show it whole; bytes that are not UTF-8 have no such place, and are cut anywhere.
	for i := 0; i < utf8.UTFMax-1 && from > 0 && !utf8.RuneStart(text[from]); i++ {
		from--
	}
	for i := 0; i < utf8.UTFMax-1 && to < len(text) && !utf8.RuneStart(text[to]); i++ {
		to++
	}
	quoted := strconv.Quote(text[from:to])
	if from > 0 {
		quoted = "..." + quoted
	}
	if to < len(text) {
		quoted += "..."
	}
	return quoted
}
