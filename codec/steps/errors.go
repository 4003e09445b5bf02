package steps

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/scan"
)

// The causes of errors beyond those of packages codec and codec/state.
var (
	ErrFormat    = errors.New("neither preview, plan nor event log")
	ErrTruncated = errors.New("cut off")
	ErrSecondRun = errors.New("a second run")
)

// Error reports what could not be read, and where. It contains no property values.
type Error struct {
	Line   int    // in the text, from 1
	Offset int64  // in the text, in bytes
	Steps  int    // number of steps that began before it
	URN    string // of the step's resource, if it was read before; or empty
	Field  string // or empty
	Want   string // what was expected, or empty
	Found  string // what was found instead, or empty
	err    error
}

// Error returns one line such as
// "steps: line 12, offset 3456, after 7 steps: syntax error: expected value, found end of input".
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}

	head := "steps: line " + strconv.Itoa(e.Line) + ", offset " + strconv.FormatInt(e.Offset, 10) + ", after " + strconv.Itoa(e.Steps) + " step"
	if e.Steps != 1 {
		head += "s"
	}
	if e.URN != "" {
		head += ": " + scan.Line(e.URN)
	}
	return scan.Message(head, e.Field, -1, e.err, e.Want, e.Found)
}

// Unwrap returns the cause: an error of this package, of packages codec or codec/state, or
// of the io.Reader.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}

// chunk is a part of the text, with its place.
type chunk struct {
	text string
	at   int64
	line int
}

// fail makes an error about a place in a chunk.
func (in *reading) fail(c chunk, at int, err error) *Error {
	return &Error{
		Line: c.line + strings.Count(c.text[:min(at, len(c.text))], "\n"), Offset: c.at + int64(at),
		Steps: in.number, err: err,
	}
}

// malformed makes an error about a member of another kind than expected.
func (in *reading) malformed(field string, c chunk, want string) error {
	e := in.fail(c, 0, state.ErrField)
	e.Field, e.Want, e.Found = field, want, jsonscan.KindOf(c.text)
	return e
}

// lacks makes an error about a member that an object does not have.
func (in *reading) lacks(c chunk, field, want string) error {
	e := in.fail(c, 0, state.ErrField)
	e.Field, e.Want, e.Found = field, want, "none"
	return e
}

// adopt makes an error of package codec or codec/state one about a chunk.
func (in *reading) adopt(c chunk, field string, err error) error {
	var ofState *state.Error
	var ofCodec *codec.Error
	e := in.fail(c, 0, err)
	e.Field = field

	switch {
	case errors.As(err, &ofState):
		at := int(max(0, ofState.Offset-c.at))
		e = in.fail(c, at, ofState.Unwrap())
		e.URN, e.Field, e.Want, e.Found = ofState.URN, ofState.Field, ofState.Want, ofState.Found
	case errors.As(err, &ofCodec):
		if ofCodec.Offset >= 0 {
			e = in.fail(c, ofCodec.Offset, nil)
		}
		ofCodec.Offset = -1
		e.Field, e.err = field, ofCodec
	}
	return e
}

// broken makes an error of a fault in the window.
func (in *reading) broken(fault *jsonscan.Fault) error {
	e := in.fail(chunk{in.Text[in.Pos:], in.Offset(), in.Line()}, max(0, fault.Offset-in.Pos), fault.Err)
	e.Want, e.Found = fault.Want, fault.Found

	if in.Early(fault) {
		in.run.Truncated, e.err = true, ErrTruncated
		if in.Err != nil {
			e.err, e.Want, e.Found = fmt.Errorf("%w: %w", state.ErrRead, in.Err), "", ""
		}
	}
	return e
}
