package path

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/scan"
)

// The causes that an [*Error] wraps, for use with [errors.Is].
var (
	// ErrSyntax means that the text does not follow the grammar.
	ErrSyntax = errors.New("path: syntax error")
	// ErrIndex means that a number in brackets is below 0 or above MaxIndex.
	ErrIndex = errors.New("path: index out of range")
	// ErrUnwritable means that Pulumi's dialect has no text for the path or pattern.
	ErrUnwritable = errors.New("path: not writable in the Pulumi dialect")
)

// Error is the error type of this package. Its text is one line of printable UTF-8 of
// bounded length:
//
//	path: "a[": offset 2: expected index or quoted key, found end of input
//	path: "tags.cost-center": offset 9: expected '.', '[' or end of input, found '-'; a key that is not a name is written tags["cost-center"]
//	path: step 1: not writable in the Pulumi dialect: expected ...
//
// The text of an ErrUnwritable names a step by number and shows no key, since
// a path below a secret gives away keys; a parser's error shows its input.
type Error struct {
	Input  string // the text that was parsed; empty for ErrUnwritable
	Offset int    // byte offset in Input
	Step   int    // index of the step, for ErrUnwritable
	Want   string // what was expected
	Found  string // what was found
	quoted string // the text up to the step at Offset with its key in quotes, or empty
	err    error
}

// Error returns the error as one line. It quotes about 60 bytes of Input around Offset,
// and no key if the error wraps [ErrUnwritable].
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}

	at := scan.Clip(e.Input, e.Offset) + ": offset " + strconv.Itoa(e.Offset)
	if errors.Is(e.err, ErrUnwritable) {
		at = "step " + strconv.Itoa(e.Step) + ": not writable in the Pulumi dialect"
	}
	text := "path: " + at + ": expected " + e.Want + ", found " + e.Found
	if e.quoted != "" {
		text += "; a key that is not a name is written " + e.quoted
	}
	return scan.Printable(text)
}

// Unwrap returns ErrSyntax, ErrIndex or ErrUnwritable.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}

// syntaxError returns the error for the text at an offset.
func syntaxError(text string, offset int, want string) *Error {
	return &Error{Input: text, Offset: offset, Want: want, Found: scan.Found(text, offset), err: ErrSyntax}
}

// nameError is syntaxError where a bare name begins, or ends in a step that goes on. If the
// step looks like one key, of letters, digits and what is common between them, the error says
// how to quote it. A '/' is not such a byte: in example.com/name the key would often begin
// before the dot.
func nameError(text string, offset int, want string) *Error {
	const most = 60 // bytes to show
	e := syntaxError(text, offset, want)
	begin := offset
	for begin > 0 && isWord(text[begin-1]) {
		begin--
	}
	before := text[:begin]
	if before != "" {
		var afterDot bool
		if before, afterDot = strings.CutSuffix(before, "."); !afterDot {
			return e
		}
	}

	key := text[begin:]
	if end := strings.IndexAny(key, ".["); end >= 0 {
		key = key[:end]
	}
	// What is before may be a quoted key of any bytes, as in ["\n"].a-b.
	if len(before)+len(key) <= most && looksLikeKey(key) && scan.Printable(before) == before {
		e.quoted = before + Of(Key(key)).String()
	}
	return e
}

// looksLikeKey reports whether a text is likely to be one key. Digits alone are more
// likely an index.
func looksLikeKey(text string) bool {
	isOther := func(r rune) bool {
		return r == utf8.RuneError || (!unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-:$@", r))
	}
	return strings.ContainsFunc(text, unicode.IsLetter) && !strings.ContainsFunc(text, isOther)
}

func indexError(text string, lo, hi int) *Error {
	const shown = 24 // digits

	number := text[lo:hi]
	if len(number) > shown {
		number = number[:shown] + "..."
	}
	return &Error{
		Input: text, Offset: lo, err: ErrIndex,
		Want:  "index from 0 to " + strconv.Itoa(MaxIndex),
		Found: number,
	}
}

func unwritable(step int, want, found string) *Error {
	return &Error{Step: step, Want: want, Found: found, err: ErrUnwritable}
}
