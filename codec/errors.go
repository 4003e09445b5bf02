package codec

import (
	"errors"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
)

// What can be wrong; every error of this package is an [*Error] that wraps one
// of these.
var (
	ErrSyntax    = jsonscan.ErrSyntax
	ErrUTF8      = jsonscan.ErrUTF8
	ErrDuplicate = jsonscan.ErrDuplicate
	ErrDepth     = jsonscan.ErrDepth
	ErrNumber    = errors.New("number cannot be held exactly")
	ErrSignature = errors.New("malformed or reserved signature")
	ErrMasked    = errors.New("secret contents were masked")
	ErrSealed    = errors.New("sealed secret")
	ErrSentinel  = errors.New("text is reserved for an unknown")
	ErrPolicy    = errors.New("rejected by policy")
	ErrKind      = errors.New("wrong kind")
	ErrOptions   = errors.New("invalid options")
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
	return scan.Message("codec: "+e.Op, e.At.String(), e.Offset, e.err, e.Want, e.Found)
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}
