package codec

import (
	"errors"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// The causes of errors. Every error of this package is an [*Error] that wraps one of
// them.
var (
	ErrSyntax    = jsonscan.ErrSyntax    // "syntax error"
	ErrUTF8      = jsonscan.ErrUTF8      // "not UTF-8"
	ErrDuplicate = jsonscan.ErrDuplicate // "duplicate member name"
	ErrDepth     = jsonscan.ErrDepth     // "nested beyond the limit"
	ErrNumber    = errors.New("number cannot be held exactly")
	ErrSignature = errors.New("malformed or reserved signature")
	ErrMasked    = errors.New("secret contents were masked")
	ErrSealed    = errors.New("sealed secret")
	ErrSentinel  = errors.New("text is reserved for an unknown")
	ErrPolicy    = errors.New("rejected by policy")
	ErrKind      = errors.New("wrong kind")
	ErrOptions   = errors.New("invalid options")
)

// Error reports what could not be read or written, where, and why. It contains no
// property values, and its path is redacted from the outermost secret on.
type Error struct {
	Op     string     // the operation, for example "decode json"
	At     path.Shown // path in the value
	Offset int        // in the text, in bytes; -1: none
	Want   string     // what was expected, or empty
	Found  string     // what was found instead, or empty
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

// bag returns a property bag that was read or is to be written, and an error if it is not
// an object, at an offset (-1: none).
func bag(op string, offset int, v value.Value, err error) (value.Value, error) {
	if k := v.Kind(); err == nil && k != value.KindObject {
		err = &Error{Op: op, Offset: offset, Want: value.KindObject.String(), Found: k.String(), err: ErrKind}
	}
	if err != nil {
		return value.Value{}, err
	}
	return v, nil
}

// Unwrap returns the cause, such as [ErrSyntax].
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}
