package input

import (
	"cmp"
	"fmt"
	"io"
	"iter"
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

// Source is a property bag, or a stack or the steps of an update, which are not read yet.
type Source struct {
	IsPacked bool // it is compressed by gzip
	IsNone   bool // the empty file that git names where a file was added or deleted

	Name   string       // as the user gave it, "stdin" for "-"
	Bag    value.Value  // if it is a bag
	Report codec.Report // the numbers in the bag that were rounded
	Stack  io.ReaderAt  // nil if it is none
	Steps  io.ReaderAt  // of an update: a preview, a plan or an event log; nil if it is none
	Format string       // of the steps, such as "preview"
	Size   int64        // of the stack or the steps, in bytes

	text    string // of a bag
	placed  place  // the latest
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

// OpenStack opens a file that has to be a stack.
func OpenStack(name string, stdin io.Reader) (*Source, error) {
	s, err := Open(name, stdin)
	if err != nil || s.Stack != nil {
		return s, err
	}
	s.Close()
	if s.Steps != nil {
		return nil, fmt.Errorf("%s: neither a property bag nor a stack: found %s", s.Name, guessed(s.Format))
	}
	return nil, fmt.Errorf("%s: %w", s.Name, explain(s.text, errNoStack))
}

// Resources iterates over the resources of a stack. For one that cannot be read it yields an
// error, and goes on. If needs is not nil, dependencies may be missing, and
// inputs and outputs of a resource that does not need them; needs gets nil and the text, and
// if it returns false the rest and the text.
// document returns the rest of the stack when it has ended.
func (s *Source) Resources(needs func(r *state.Resource, text string) bool) (all iter.Seq2[state.Resource, error], document func() *state.File) {
	r := state.NewReader(s.Reader(), state.Options{Codec: options(nil)})
	return state.Internal.Resources(r, needs), r.Document
}

// Close closes the files of a source.
func (s *Source) Close() {
	for _, f := range s.closers {
		f()
	}
	s.closers = nil
}

// IsBag reports whether the source is a property bag.
func (s *Source) IsBag() bool { return s.Stack == nil && s.Steps == nil }

// Reader reads a stack or steps from the beginning.
func (s *Source) Reader() *io.SectionReader {
	return io.NewSectionReader(cmp.Or(s.Stack, s.Steps), 0, s.Size)
}

// Shape says what the source is.
func (s *Source) Shape() string {
	switch {
	case s.Steps != nil:
		return s.Format
	case s.Stack != nil:
		return "stack"
	}
	return "property bag"
}

// nothing is a stack without resources.
const nothing = `{"version":3,"deployment":{"resources":[]}}`

// Nothing makes a source that does not exist an empty stack, unless the other one is a bag.
func (s *Source) Nothing(other *Source) {
	if s.IsNone && (!other.IsBag() || other.IsNone) {
		s.Stack, s.Size = strings.NewReader(nothing), int64(len(nothing))
	}
}

// open reads the beginning of an input, and all of a bag.
func (s *Source) open(name string, stdin io.Reader) error {
	in, err := openPlain(name, stdin)
	if err != nil {
		return err
	}
	s.closers = append(s.closers, in.close)
	s.IsPacked, s.IsNone = in.isPacked, name == os.DevNull

	var text strings.Builder
	more, err := readBegin(&text, in, leastBegin)
	if err == nil && more && (in.regular == nil || !beginsStack(text.String())) {
		more, err = readBegin(&text, in, mostBegin-leastBegin)
	}
	if err != nil {
		return err
	}
	if text.Len() == 0 && s.IsNone {
		s.Bag = value.Object()
		return nil
	}

	s.Format = steps.FormatOf(text.String())
	isStack := s.Format == "" && beginsStack(text.String())
	if more && s.Format == "" && !isStack {
		if err = checkBegin(text.String()); err == nil {
			err = readRest(&text, in, in.size)
		}
		if err != nil {
			return err
		}
		more, s.Format = false, steps.FormatOf(text.String())
	}

	if !more && s.Format == "" && !state.IsState(text.String()) {
		s.text = text.String()
		s.Bag, err = decodeBag(s.text, &s.Report)
		return err
	}
	file := in.regular
	switch {
	case !more:
		file, s.Size = strings.NewReader(text.String()), int64(text.Len())
	case file != nil:
		s.Size = in.size
	default:
		if file, err = s.spool(io.MultiReader(strings.NewReader(text.String()), in)); err != nil {
			return err
		}
	}
	if s.Format != "" {
		s.Steps = file
	} else {
		s.Stack = file
	}
	return nil
}

// spool copies the input into a temporary file, for random access. The file is
// readable by its owner only, and has no name where the system allows that.
func (s *Source) spool(from io.Reader) (io.ReaderAt, error) {
	f, end, err := whole.Spool()
	if err != nil {
		return nil, fmt.Errorf("cannot create a temporary file: %w", Reason(err))
	}

	s.closers = append(s.closers, end)
	size, err := io.Copy(f, io.LimitReader(from, mostSpooled+1))
	if err != nil {
		return nil, Reason(err)
	}
	if size > mostSpooled {
		return nil, fmt.Errorf("the input is longer than %d GiB, which is too much for a temporary file; name a file instead of piping it", mostSpooled>>30)
	}
	s.Size = size
	return f, nil
}
