package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// inMemory is how large a file may be that is read as a whole, whatever it is.
// Larger ones are recognised by so much of them, and stacks stay where they are.
const inMemory = 8 << 20

// mostSpooled is how many bytes of an input are put into a temporary file.
const mostSpooled = 16 << 30

// source is one of the two files of a diff: a bag, or a stack that is not read
// yet.
type source struct {
	name   string // as the user gave it, "stdin" for "-"
	bag    value.Value
	report codec.Report // of the bag
	stack  *stack       // nil for a bag
	close  func()
}

// openSource opens a file and recognises by its shape what it is. Of a stack
// nothing else is read.
func (inv *invocation) openSource(name string) (*source, error) {
	s := &source{name: name, close: func() {}}
	from, file := inv.in, (*os.File)(nil)
	if name == "-" {
		s.name = "stdin"
	} else {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, reason(err))
		}
		from, file, s.close = f, f, func() { _ = f.Close() } // it was only read
	}
	if err := s.recognise(from, file); err != nil {
		s.close()
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	return s, nil
}

// recognise reads enough of a file to know what it is, and all of a bag. The file
// is nil for what has none, such as a pipe.
func (s *source) recognise(from io.Reader, file *os.File) error {
	var text strings.Builder
	size, err := io.CopyN(&text, from, inMemory)
	if other := notUTF8(text.String()); other != nil {
		return other
	}
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return reason(err)
	case err == nil && isStack(text.String()):
		return s.leave(text.String(), from, file)
	case err == nil:
		if err := hopeless(text.String()); err != nil {
			return err
		}
		if file != nil {
			if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
				text.Grow(int(min(max(info.Size()-size, 0), mostWhole)))
			}
		}
		if err := readRest(&text, from); err != nil {
			return reason(err)
		}
	case size == 0:
		return errors.New("the file is empty")
	}
	if whole := text.String(); state.LooksText(whole) {
		s.stack = &stack{name: s.name, file: strings.NewReader(whole), size: int64(len(whole))}
		return nil
	}
	if s.bag, err = codec.DecodeJSONBagText(text.String(), codec.Options{Numbers: codec.RoundInexact, Report: &s.report}); err != nil {
		return foreign(text.String(), err)
	}
	return nil
}

// isStack reports whether the beginning of a file says that it is a stack,
// whatever comes after it. (That nothing but version and deployment is there, the
// beginning cannot say: so there is a member more.)
func isStack(begin string) bool {
	rest, isObject := strings.CutPrefix(strings.TrimLeft(begin, " \t\r\n"), "{")
	return isObject && state.LooksText(`{"more":0,`+rest)
}

// leave leaves a stack where it is. What is no file that one can go back in
// becomes one, which has no name any more where the system allows that, and is
// readable by nobody else.
func (s *source) leave(begin string, from io.Reader, file *os.File) error {
	if file != nil {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			s.stack = &stack{name: s.name, file: file, size: info.Size()}
			return nil
		}
	}
	spool, err := os.CreateTemp("", "propalg")
	if err != nil {
		return fmt.Errorf("no temporary file for so much: %w", reason(err))
	}
	unlinked := os.Remove(spool.Name()) == nil
	before := s.close
	s.close = func() {
		before()
		_ = spool.Close()
		if !unlinked {
			_ = os.Remove(spool.Name())
		}
	}
	size, err := io.Copy(spool, io.LimitReader(io.MultiReader(strings.NewReader(begin), from), mostSpooled+1))
	if err == nil && size > mostSpooled {
		err = fmt.Errorf("the input is longer than %d GiB, which is too much for a temporary file; diff reads files of any length where they are", mostSpooled>>30)
	}
	s.stack = &stack{name: s.name, file: spool, size: size}
	if err != nil {
		return reason(err)
	}
	return nil
}
