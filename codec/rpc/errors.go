package rpc

import (
	"errors"
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value/bind"
)

// The errors of messages. Errors of their properties, and of texts and bytes in
// general, wrap the sentinels of package codec: [codec.ErrSyntax], [codec.ErrUTF8],
// [codec.ErrDepth], [codec.ErrDuplicate], [codec.ErrKind] and the others.
var (
	ErrField     = errors.New("message has no such field")
	ErrOneof     = errors.New("only one of several fields may be set")
	ErrMessage   = errors.New("unknown message")
	ErrVariables = errors.New("invalid configuration variables")
)

// Error is the error of an operation on a message. It holds no payload.
type Error struct {
	Op      string // "encode", "decode", "encode json", "decode json", "configure", …
	Message string // the message's type, such as "DiffRequest", or empty
	Field   string // as the protocol spells it, such as `old_views[3].inputs`, or empty
	Offset  int    // in the bytes or text, of the field's contents if a codec.Error is wrapped; -1 if unknown
	Want    string // what was expected, or empty
	Found   string // what was found, or empty
	err     error
	config  *bind.Error // the properties of a configuration, as CheckFailuresOf lists them
}

// Error returns one line such as
// "rpc: decode DiffRequest: olds: offset 40: codec: decode protobuf: a.b: …".
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}

	head, cause := "rpc: "+e.Op, e.err
	if e.Message != "" {
		head += " " + e.Message
	}
	if cause == nil {
		cause = errFailed
	}
	if refused, ok := cause.(*urn.Error); ok { //nolint:errorlint // of a wrapped error the text is another
		cause = errors.New(strings.TrimPrefix(refused.Error(), "urn: ")) // the field's name says it
	}
	return scan.Message(head, e.Field, e.Offset, cause, e.Want, e.Found)
}

var errFailed = errors.New("failed")

// Unwrap returns a sentinel of this package or of package codec, or the error of the
// package that refused the contents, usually a [*codec.Error].
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.err
}

func fail(cause error, offset int) *Error { return &Error{Offset: offset, err: cause} }

// inField adds a field, or an element, before the field of an error.
func inField(err error, name string) error {
	e, ok := err.(*Error) //nolint:errorlint // made by this package a moment ago, never wrapped
	if !ok {
		e = fail(err, -1)
	}
	if e.Field != "" && e.Field[0] != '[' {
		name += "."
	}
	e.Field = name + e.Field

	return e
}

// element and entry return the names of an element of a list and of a map.
func element(i int) string { return "[" + strconv.Itoa(i) + "]" }

func entry(key string) string { return "[" + scan.Clip(key, 0) + "]" }

// finish adds the operation and the message to an error.
func finish(err error, op string, m Message) error {
	if err == nil {
		return nil
	}

	e, ok := err.(*Error) //nolint:errorlint // as in inField
	if !ok {
		e = fail(err, -1)
	}
	e.Op = op
	if m != nil {
		e.Message = shortName(m)
	}
	return e
}

func shortName(m Message) string {
	name := m.name()
	for _, pkg := range [...]string{"pulumirpc.", "google.protobuf."} {
		name = strings.TrimPrefix(name, pkg)
	}
	return name
}

// broken returns the error for a fault that a scanner found.
func broken(f *jsonscan.Fault) error {
	e := fail(f.Err, f.Offset)
	e.Want, e.Found = f.Want, f.Found
	return e
}
