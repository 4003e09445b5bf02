package state

import (
	"errors"
	"strconv"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/scan"
)

// The causes of errors beyond those of package codec. Every error of this package is an
// [*Error] that wraps one of these, one of codec's sentinels or errors, or the error of
// an io.Reader, [Decrypter] or [Encrypter].
var (
	ErrShape   = errors.New("neither stack export nor checkpoint")
	ErrVersion = errors.New("unknown version")
	ErrField   = errors.New("malformed field")
	ErrRead    = errors.New("cannot read")
	ErrDecrypt = errors.New("cannot decrypt")
	ErrEncrypt = errors.New("cannot encrypt")
	ErrEdit    = errors.New("cannot edit")
)

// Error reports what could not be read, where, and how much was read before. It contains
// no property values, and the path of a [codec.Error] inside it is redacted at the
// outermost secret.
type Error struct {
	Offset    int64  // in the text, in bytes; -1: no text, or no place in it
	Resources int    // number of complete resources before the offset
	URN       string // of the resource, if it was read before; or empty
	Field     string // of the document or a resource, for example "inputs"; or empty
	Want      string // what was expected, or empty
	Found     string // what was found instead, or empty
	err       error
}

// Error returns one line such as
// "state: offset 1234, after 7 resources: syntax error: expected value, found end of input".
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}

	head := "state"
	if e.Offset >= 0 {
		head += ": offset " + strconv.FormatInt(e.Offset, 10) + ", after " + strconv.Itoa(e.Resources) + " resource"
		if e.Resources != 1 {
			head += "s"
		}
	}
	if e.URN != "" {
		head += ": " + scan.Line(e.URN)
	}
	return scan.Message(head, e.Field, -1, e.err, e.Want, e.Found)
}

// Unwrap returns the cause: an error of this package, of package codec, or of the
// io.Reader, Decrypter or Encrypter.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}

func broken(fault *jsonscan.Fault, base int64, resources int) *Error {
	return &Error{Offset: base + int64(fault.Offset), Resources: resources, Want: fault.Want, Found: fault.Found, err: fault.Err}
}

// adopt makes an error of package codec, about the text from an offset on, the
// cause of e.
func (e *Error) adopt(err error, at int64) {
	var inner *codec.Error
	if !errors.As(err, &inner) {
		e.err = err
		return
	}

	if inner.Offset >= 0 {
		e.Offset = at + int64(inner.Offset)
	}
	inner.Offset = -1
	e.Want, e.Found, e.err = "", "", inner
}

// outside is the error of an io.Reader, Decrypter or Encrypter, and its cause.
type outside struct{ cause, err error }

func (e *outside) Error() string   { return e.cause.Error() + ": " + scan.Line(e.err.Error()) }
func (e *outside) Unwrap() []error { return []error{e.cause, e.err} }
