package pulumi

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/propalg/propalg/path"
)

// The causes of errors. Every error of this package is an [*Error] that wraps one of
// these.
var (
	ErrKind   = errors.New("no kind of property") // a kind or Go type that does not fit
	ErrSealed = errors.New("sealed secret")
	ErrSource = errors.New("ambiguous source of an asset")
	ErrMarks  = errors.New("marks cannot be kept here")
	ErrDepth  = errors.New("nested too deeply")
	ErrRange  = errors.New("index out of range")
	ErrStar   = errors.New("key reads as the wildcard")
	ErrLong   = errors.New("too long a path")
	ErrHint   = errors.New("expected kind of an unknown cannot be kept")
	ErrURN    = errors.New("no urn") // a text that is not a URN
	ErrOrder  = errors.New("elements are not matched index by index")
	ErrFit    = errors.New("diff does not fit the value")
	ErrClash  = errors.New("more or less than one thing said of one place") // a contradictory object diff
)

// MaxDepth is the largest number of nested containers, marks included. It bounds the
// recursion, so that converting a map that contains itself ends, with an error.
const MaxDepth = 10_000

// Error reports what could not be converted, where, and why. It contains no property
// values; its path is redacted at the outermost secret.
type Error struct {
	Op    string     // what was tried, for example "to property value"
	At    path.Shown // where
	Want  string     // what was needed there, or empty
	Found string     // what was there instead (a kind or type), or empty

	err   error
	steps []path.Step // on the way out of the recursion: the place, innermost first
	below int         // how many of the steps are below the outermost secret
}

// Error returns one line such as
// "pulumi: to property value: a.b[3]: sealed secret".
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}

	var b strings.Builder
	b.WriteString("pulumi: " + e.Op)
	if at := e.At.String(); at != "" {
		b.WriteString(": " + line(at))
	}
	b.WriteString(": " + e.err.Error())
	switch {
	case e.Want != "" && e.Found != "":
		b.WriteString(": expected " + e.Want + ", found " + e.Found)
	case e.Want != "":
		b.WriteString(": expected " + e.Want)
	case e.Found != "":
		b.WriteString(": found " + e.Found)
	}
	return b.String()
}

// line is a text as one line of printable UTF-8: as it is, or quoted.
func line(text string) string {
	for _, r := range text {
		if r == utf8.RuneError || !strconv.IsPrint(r) {
			return strconv.Quote(text)
		}
	}
	return text
}

// Unwrap returns the cause, such as [ErrSyntax].
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}

func fail(err error, want, found string) *Error {
	return &Error{Want: want, Found: found, err: err}
}

// under adds the step to the container that the error is now leaving.
func (e *Error) under(s path.Step) *Error {
	e.steps = append(e.steps, s)
	return e
}

// secret notes that the error is leaving a secret: everything below is hidden,
// what was found too.
func (e *Error) secret() *Error {
	e.below, e.Found = len(e.steps), ""
	return e
}

// finish makes the place of an error that has left the recursion, if it has none
// yet.
func (e *Error) finish(op string) error {
	e.Op = op
	if len(e.steps) > 0 {
		slices.Reverse(e.steps)
		e.At = path.Show(path.Of(e.steps...), len(e.steps)-e.below)
		e.steps = nil
	}
	return e
}
