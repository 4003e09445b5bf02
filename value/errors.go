package value

import (
	"errors"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
)

// The errors that an [*Error] wraps.
var (
	ErrInexact = errors.New("a float64 cannot hold the number exactly")
	ErrKind    = errors.New("wrong kind")
	ErrMissing = errors.New("path not found")
	ErrRange   = errors.New("index out of range")
	ErrUnknown = errors.New("value not known yet")
	ErrMarks   = errors.New("no marks allowed here") // such as on an entry of an archive
	ErrDepth   = errors.New("nested too deeply")     // see MaxDepth
	ErrSecret  = errors.New("secret")                // such as a secret where plain Go data is wanted
	ErrRoot    = errors.New("the root cannot be removed")
)

// Error is the error type of this package. It contains no content of values; its place is
// redacted at the outermost secret.
type Error struct {
	Op    string     // the operation, for example "with" or "from Go"
	At    path.Shown // where
	Want  string     // what was expected there, or empty
	Found string     // what was found instead (a kind or type), or empty
	err   error
}

// Error returns one line such as
// "value: with: a.b[3]: index out of range: expected at most 2".
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	return scan.Message("value: "+e.Op, e.At.String(), -1, e.err, e.Want, e.Found)
}

// Unwrap returns the cause, such as [ErrKind].
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}
