package patch

import (
	"errors"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
)

// The errors of patches. Errors of texts and values wrap the sentinels of package
// codec: [codec.ErrSyntax], [codec.ErrNumber], [codec.ErrMasked] and the others. Those
// of a patch that is not a valid diff wrap [diff.ErrInvalid].
var (
	ErrForm = errors.New("malformed patch")
	ErrBase = errors.New("value does not match the fingerprint of the patch")
)

// Error is the error of an operation on a patch. It contains no property values; its
// path is redacted at the outermost secret.
type Error struct {
	Op     string     // what was done, such as "decode" or "write JSON patch"; of a JSON Patch also "read JSON patch: operation 3"
	At     path.Shown // the path in the values that the patch is about; the root if unknown
	Offset int        // in the text, in bytes; -1 if unknown
	Want   string     // what was expected, or empty
	Found  string     // what was found, or empty
	err    error
}

// Error returns one line such as
// "patch: decode: a.b[3]: offset 17: invalid diff: expected different values".
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	return scan.Message("patch: "+e.Op, e.At.String(), e.Offset, e.err, e.Want, e.Found)
}

// Unwrap returns a sentinel of this package, of package codec or of package diff.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}

func broken(f *jsonscan.Fault) *Error {
	return &Error{Op: opDecode, Offset: f.Offset, Want: f.Want, Found: f.Found, err: f.Err}
}

// inValue converts an error of package codec about the value at a path to one of the
// patch. offset is that of the value.
func inValue(op string, err error, at path.Path, visible, offset int) *Error {
	var e *codec.Error
	if !errors.As(err, &e) {
		return &Error{Op: op, At: path.Show(at, visible), Offset: offset, err: err}
	}

	if visible < 0 && e.At.Redacted() {
		visible = at.Len() + e.At.Path().Len()
	}
	out := &Error{Op: op, At: path.Show(at.Join(e.At.RevealPath()), visible), Offset: offset, Want: e.Want, err: errors.Unwrap(e)}
	if offset >= 0 && e.Offset >= 0 {
		out.Offset += e.Offset
	}
	if visible < 0 {
		out.Found = e.Found
	}
	return out
}

// noDiff converts an error of a Builder to one of the patch.
func noDiff(err error, offset int) *Error {
	var e *diff.Error
	if !errors.As(err, &e) {
		return &Error{Op: opDecode, Offset: offset, err: err}
	}
	return &Error{Op: opDecode, At: e.At, Offset: offset, Want: e.Want, Found: e.Found, err: errors.Unwrap(e)}
}
