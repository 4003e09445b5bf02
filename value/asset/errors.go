package asset

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
)

// What can be wrong; every error of this package is an [*Error] that wraps one
// of these, and what caused it where there is such a thing: [fs.ErrNotExist],
// [context.Canceled], or what an opener or a writer returned.
var (
	ErrKind      = errors.New("wrong kind")
	ErrElided    = errors.New("only the hash is known")
	ErrFiles     = errors.New("no files were given")
	ErrURI       = errors.New("cannot open the URI")
	ErrRead      = errors.New("cannot be read")
	ErrWrite     = errors.New("cannot be written")
	ErrMissing   = errors.New("not there")
	ErrOutside   = errors.New("outside of the directory that was given")
	ErrFormat    = errors.New("neither a directory nor a known archive format")
	ErrName      = errors.New("a name that no entry may have")
	ErrDuplicate = errors.New("two entries with one name")
	ErrEntry     = errors.New("an entry that is no plain file")
	ErrCorrupt   = errors.New("corrupt or truncated archive")
	ErrChanged   = errors.New("changed while it was read")
	ErrLimit     = errors.New("more than the limit")
)

// Error says what could not be done, with which file, and why. It holds nothing
// of any content. Of an asset or archive that is secret, or in a secret, it
// names neither file, URI nor entry, and has no cause but those of contexts.
type Error struct {
	Op    string     // what was tried, for example "hash"
	At    path.Shown // where in a value, if it was looked for in one
	File  string     // the file or the URI (without user, query and fragment), or empty
	Entry string     // the entry of an archive, or empty
	Want  string     // what was needed, or empty
	Found string     // what was there instead, or empty
	err   error
	cause error
}

// Error returns one line such as
// "asset: hash: lib.zip: entry \"../x\": a name that no entry may have: expected a relative name".
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	var b strings.Builder
	b.WriteString("asset: ")
	b.WriteString(e.Op)
	if at := e.At.String(); at != "" {
		b.WriteString(": ")
		b.WriteString(scan.Line(at))
	}
	if e.File != "" {
		b.WriteString(": ")
		b.WriteString(scan.Line(e.File))
	}
	if e.Entry != "" {
		b.WriteString(": entry ")
		b.WriteString(scan.Clip(e.Entry, 0))
	}
	b.WriteString(scan.Reason(e.err, e.Want, e.Found))
	if e.cause != nil {
		b.WriteString(": ")
		b.WriteString(scan.Line(e.cause.Error()))
	}
	return b.String()
}

// Unwrap returns the sentinel, and the cause if there is one.
func (e *Error) Unwrap() []error {
	if e == nil {
		return nil
	}
	var all []error
	for _, err := range [...]error{e.err, e.cause} {
		if err != nil {
			all = append(all, err)
		}
	}
	return all
}

// bareCause takes off what repeats, in an error, the name of a file, and what
// shows more of a URI than may be shown.
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

// ofContext says whether an error is about a context, and so about no content.
func ofContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
