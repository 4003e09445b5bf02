package codec

import (
	"errors"
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
)

// What can be wrong; every error of this package is an [*Error] that wraps one
// of these.
var (
	ErrSyntax    = errors.New("syntax error")
	ErrUTF8      = errors.New("not UTF-8")
	ErrDuplicate = errors.New("name stands twice in one object")
	ErrDepth     = errors.New("nested beyond the limit")
	ErrNumber    = errors.New("number cannot be held exactly")
	ErrSignature = errors.New("malformed or reserved signature")
	ErrMasked    = errors.New("secret was masked when this was written")
	ErrSealed    = errors.New("sealed secret")
	ErrSentinel  = errors.New("text is reserved for an unknown")
	ErrPolicy    = errors.New("rejected by policy")
	ErrKind      = errors.New("wrong kind")
	ErrOptions   = errors.New("options mean nothing")
)

// Error says what could not be read or written, where, and why. It holds no
// payload; its place is cut at the outermost secret.
type Error struct {
	Op     string     // what was tried, for example "decode json"
	At     path.Shown // where in the value
	Offset int        // where in the text, in bytes; -1: no text, or no place in it
	Want   string     // what was needed there, or empty
	Found  string     // what was there instead, or empty
	err    error
}

// Error returns one line such as
// "codec: decode json: a.b[3]: offset 17: syntax error: expected ':', found end of input".
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	var b strings.Builder
	b.WriteString("codec: ")
	b.WriteString(e.Op)
	if at := e.At.String(); at != "" {
		b.WriteString(": ")
		b.WriteString(scan.Line(at))
	}
	if e.Offset >= 0 {
		b.WriteString(": offset ")
		b.WriteString(strconv.Itoa(e.Offset))
	}
	b.WriteString(scan.Reason(e.err, e.Want, e.Found))
	return b.String()
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}

// cause returns the sentinel for what a scanner found.
func cause(c jsonscan.Cause) error {
	switch c {
	case jsonscan.Syntax:
		return ErrSyntax
	case jsonscan.Encoding:
		return ErrUTF8
	case jsonscan.Depth:
		return ErrDepth
	case jsonscan.Duplicate:
		return ErrDuplicate
	}
	return ErrSyntax
}
