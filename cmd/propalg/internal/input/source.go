package input

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/whole"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/codec/steps"
	"github.com/propalg/propalg/value"
)

// At most mostSpooled bytes are copied into a temporary file.
const mostSpooled = 16 << 30

// Source is a property bag, or a stack that is not read yet.
type Source struct {
	IsPacked bool // it is compressed by gzip

	IsNone bool   // the empty file that git names where a file was added or deleted
	Steps  *Steps // if the stack is what an update leads to; else nil

	Name   string       // as the user gave it, "stdin" for "-"
	Bag    value.Value  // if it is a bag
	Report codec.Report // the numbers in the bag that were rounded
	Stack  io.ReaderAt  // nil for a bag
	Size   int64        // of the stack, in bytes

	closers []func()
}

// Open opens a file, or standard input for "-". It reads as much as it takes to
// recognise a stack, and all of a bag.
func Open(name string, stdin io.Reader) (*Source, error) {
	s := &Source{Name: shown(name)}
	if err := s.open(name, stdin); err != nil {
		s.Close()
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return s, nil
}

// Close closes the files of a source.
func (s *Source) Close() {
	for _, f := range s.closers {
		f()
	}
}

// Shape says what the source is.
func (s *Source) Shape() (string, error) {
	switch {
	case s.Stack == nil:
		return "property bag", nil
	case s.Steps != nil:
		return s.Steps.What, nil
	}

	r := state.NewReader(io.NewSectionReader(s.Stack, 0, s.Size), state.Options{Codec: options(nil)})
	for _, err := range r.Entries() {
		if err != nil {
			return "", fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return r.Document().Shape(), nil
}

// Before returns the stack before the steps of a source.
func (s *Source) Before() *Source {
	return &Source{Name: s.Name, Steps: s.Steps, Stack: strings.NewReader(s.Steps.old), Size: int64(len(s.Steps.old))}
}

// nothing is a stack without resources.
const nothing = `{"version":3,"deployment":{"resources":[]}}`

// Nothing makes a source that does not exist an empty stack or, if other is a bag, an
// empty bag.
func (s *Source) Nothing(other *Source) {
	if s.IsNone && (other.Stack != nil || other.IsNone) {
		s.Stack, s.Size = strings.NewReader(nothing), int64(len(nothing))
	}
}

// open reads the beginning of an input, and all of a bag or of steps.
func (s *Source) open(name string, stdin io.Reader) error {
	in, err := openPlain(name, stdin)
	if err != nil {
		return err
	}
	s.closers = append(s.closers, in.close)
	s.IsPacked, s.IsNone = in.isPacked, name == os.DevNull

	var text strings.Builder
	more, err := readBegin(&text, in)
	switch {
	case err != nil:
		return err
	case text.Len() == 0 && s.IsNone:
		s.Bag = value.Object()
		return nil
	case !more || steps.FormatOf(text.String()) != "":
	case beginsStack(text.String()) && in.regular != nil:
		s.Stack, s.Size = in.regular, in.size
		return nil
	case beginsStack(text.String()):
		return s.spool(io.MultiReader(strings.NewReader(text.String()), in))
	default:
		err = checkBegin(text.String())
	}

	if err == nil && more {
		err = readRest(&text, in, in.size)
	}
	if err != nil {
		return err
	}
	if format := steps.FormatOf(text.String()); format != "" {
		if s.Steps, err = readSteps(format, text.String(), s.Name); err != nil {
			return err
		}
		s.Stack, s.Size = strings.NewReader(s.Steps.now), int64(len(s.Steps.now))
		return nil
	}
	if state.IsState(text.String()) {
		s.Stack, s.Size = strings.NewReader(text.String()), int64(text.Len())
		return nil
	}

	s.Bag, err = decodeBag(text.String(), &s.Report)
	return err
}

// spool copies a stack into a temporary file, for random access. The file is
// readable by its owner only, and has no name where the system allows that.
func (s *Source) spool(from io.Reader) error {
	f, end, err := whole.Spool()
	if err != nil {
		return fmt.Errorf("cannot create a temporary file: %w", Reason(err))
	}

	s.closers = append(s.closers, end)
	size, err := io.Copy(f, io.LimitReader(from, mostSpooled+1))
	if err != nil {
		return Reason(err)
	}
	if size > mostSpooled {
		return fmt.Errorf("the input is longer than %d GiB, which is too much for a temporary file; name a file instead of piping it", mostSpooled>>30)
	}
	s.Stack, s.Size = f, size
	return nil
}
