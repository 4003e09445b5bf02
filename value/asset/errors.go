package asset

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"slices"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
)

// The causes of errors: every error of this package is an [*Error] that wraps one of
// these, and the underlying error if there is one, such as [fs.ErrNotExist],
// [context.Canceled], or the error of an opener or a writer.
var (
	ErrKind    = errors.New("wrong kind")
	ErrElided  = errors.New("only the hash is known")
	ErrRead    = errors.New("cannot be read")
	ErrWrite   = errors.New("cannot be written")
	ErrMissing = errors.New("not found")
	ErrOutside = errors.New("outside the given directory")
	ErrArchive = errors.New("invalid archive") // or entry of one
	ErrChanged = errors.New("changed while it was read")
	ErrLimit   = errors.New("limit exceeded")
)

// What a user of an error is told, and a program has no other answer to than to what it
// wraps.
var (
	errFiles     = error(&kindOf{ErrRead, "no files given"})
	errURI       = error(&kindOf{ErrRead, "cannot open URI"})
	errFormat    = error(&kindOf{ErrArchive, "neither a directory nor a known archive format"})
	errName      = error(&kindOf{ErrArchive, "invalid entry name"})
	errDuplicate = error(&kindOf{ErrArchive, "duplicate entry name"})
	errEntry     = error(&kindOf{ErrArchive, "entry is not a regular file"})
	errCorrupt   = error(&kindOf{ErrArchive, "corrupt or truncated archive"})
)

// kindOf is an error with a text of its own.
type kindOf struct {
	err  error
	text string
}

func (e *kindOf) Error() string { return e.text }
func (e *kindOf) Unwrap() error { return e.err }

// Error is the error of this package: what failed, with which file, and why.
//
// It holds no contents. About an asset or archive that is secret, or in a secret, it names
// no file, URI or entry, and wraps no underlying error but that of a context.
type Error struct {
	Op    string     // the operation, for example "hash"
	At    path.Shown // the place in a value, for HashAll
	File  string     // the file or the URI (without user, query and fragment), or empty
	Entry string     // the entry of an archive, or empty
	Want  string     // what was expected, or empty
	Found string     // what was found instead, or empty
	err   error
	cause error
}

// Error returns the error as one line, such as
// "asset: hash: lib.zip: entry \"../x\": invalid entry name: expected a relative name".
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}

	text := "asset: " + e.Op
	if at := e.At.String(); at != "" {
		text += ": " + scan.Line(at)
	}
	if e.File != "" {
		text += ": " + scan.Line(e.File)
	}
	if e.Entry != "" {
		text += ": entry " + scan.Clip(e.Entry, 0)
	}
	text += scan.Reason(e.err, e.Want, e.Found)
	if e.cause != nil {
		text += ": " + scan.Line(e.cause.Error())
	}
	return scan.Printable(text)
}

// Unwrap returns the cause, such as [ErrLimit], and the underlying error if there is one.
func (e *Error) Unwrap() []error {
	if e == nil {
		return nil
	}
	return slices.DeleteFunc([]error{e.err, e.cause}, func(err error) bool { return err == nil })
}

// bareCause removes from an error what repeats the name of a file, or shows more of a URI
// than is allowed.
func bareCause(err error) error {
	var inPath *fs.PathError
	var inLink *os.LinkError
	var inURL *url.Error
	switch {
	case errors.As(err, &inURL):
		return inURL.Err
	case errors.As(err, &inPath):
		return inPath.Err
	case errors.As(err, &inLink):
		return inLink.Err
	}

	return err
}

// ofContext reports whether an error is a context's, and so not about contents.
func ofContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
