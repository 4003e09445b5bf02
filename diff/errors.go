package diff

import (
	"errors"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
)

// ErrFit is wrapped by an [*Error] if a diff does not fit the value that it is applied
// to.
var ErrFit = errors.New("does not fit")

// ErrBase is wrapped by an [*Error] if only the value that a diff was made from says what
// to do.
var ErrBase = errors.New("the base is needed")

// Error is the error type of this package. It contains no values; its place is redacted
// at the outermost secret, and below a secret it gives no details.
type Error struct {
	Op    string     // the operation, for example "apply"
	At    path.Shown // where
	Want  string     // what was expected there, or empty
	Found string     // what was found instead, in general terms, or empty
	err   error
}

// Error returns one line such as
// "diff: apply: a.b: does not fit: expected the old value, found another".
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	return scan.Message("diff: "+e.Op, e.At.String(), -1, e.err, e.Want, e.Found)
}

// Unwrap returns the cause, such as [ErrFit].
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}
