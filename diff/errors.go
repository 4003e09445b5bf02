package diff

import (
	"errors"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
)

// ErrFit is the sentinel of an [*Error]: a diff was applied to a value that is not what the diff starts from,
// at a place that it changes.
var ErrFit = errors.New("does not fit")

// Error says what could not be done, where, and why. It holds no payload; its
// place is cut at the outermost secret, and below one it says no more than that.
type Error struct {
	Op    string     // what was tried, for example "apply"
	At    path.Shown // where
	Want  string     // what was needed there, or empty
	Found string     // what was there instead, in general terms, or empty
	err   error
}

// Error returns one line such as
// "diff: apply: a.b: does not fit: expected the old value, found another".
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	text := "diff: " + e.Op
	if at := e.At.String(); at != "" {
		text += ": " + scan.Line(at)
	}
	return text + scan.Reason(e.err, e.Want, e.Found)
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}
