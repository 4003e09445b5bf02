package patch

import (
	"errors"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
)

// What can be wrong with a patch as such. What is wrong with texts and values in
// general is named by the sentinels of package codec: [codec.ErrSyntax],
// [codec.ErrNumber], [codec.ErrMasked] and the others; a patch that is no diff by
// [diff.ErrInvalid].
var (
	ErrForm = errors.New("no patch of this form")
	ErrBase = errors.New("not the value that the patch was made for")
)

// Error says what could not be done with a patch, where, and why. It holds no
// payload; its place is cut at the outermost secret.
type Error struct {
	Op     string     // "encode", "decode" or "apply"
	At     path.Shown // where in the values that the patch is about; the root: or not known, see Offset
	Offset int        // where in the text, in bytes; -1: no text, or no place in it
	Want   string     // what was needed there, or empty
	Found  string     // what was there instead, or empty
	err    error
}

// Error returns one line such as
// "patch: decode: a.b[3]: offset 17: no diff: expected two sides that differ".
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

// broken makes the error of a text that is no JSON.
func broken(f *jsonscan.Fault) *Error {
	return &Error{Op: opDecode, Offset: f.Offset, Want: f.Want, Found: f.Found, err: f.Err}
}

// inValue makes an error of package codec, about a value at a place, one of the
// patch; offset is that of the value.
func inValue(op string, err error, at path.Path, visible, offset int) *Error {
	var e *codec.Error
	if !errors.As(err, &e) {
		return &Error{Op: op, At: path.Show(at, visible), Offset: offset, err: err}
	}
	if visible < 0 && e.At.Cut() {
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

// noDiff makes an error of a Builder one of the patch.
func noDiff(err error, offset int) *Error {
	var e *diff.Error
	if !errors.As(err, &e) {
		return &Error{Op: opDecode, Offset: offset, err: err}
	}
	return &Error{Op: opDecode, At: e.At, Offset: offset, Want: e.Want, Found: e.Found, err: errors.Unwrap(e)}
}
