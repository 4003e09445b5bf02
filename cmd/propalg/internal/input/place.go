package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
)

func offsetOf(err error) int64 {
	if e := (*state.Error)(nil); errors.As(err, &e) {
		return e.Offset
	}
	if e := (*codec.Error)(nil); errors.As(err, &e) {
		return int64(e.Offset)
	}

	return -1
}

func atPlace(text string, err error) error { return AtPlace(strings.NewReader(text), err) }

// AtPlace adds the line and the column of an error in a file, which says its offset in
// bytes. Columns are counted in bytes.
func AtPlace(file io.ReaderAt, err error) error {
	offset := offsetOf(err)
	if offset < 0 {
		return err
	}

	at := position{1, 1}
	_, _ = io.Copy(&at, io.NewSectionReader(file, 0, offset)) // as far as it can be read
	return fmt.Errorf("line %d, column %d: %w", at.line, at.column, err)
}

// place is a place in a file, in bytes.
type place struct {
	position
	offset int64
}

// Place adds the line and the column of an error in a stack. Of errors in the order of the
// file, it reads the file once.
func (s *Source) Place(err error) error {
	offset := offsetOf(err)
	if offset < 0 {
		return err
	}
	if s.placed.line == 0 || offset < s.placed.offset {
		s.placed = place{position: position{1, 1}}
	}
	_, _ = io.Copy(&s.placed.position, io.NewSectionReader(s.Stack, s.placed.offset, offset-s.placed.offset)) // as far as it can be read
	s.placed.offset = offset
	return fmt.Errorf("line %d, column %d: %w", s.placed.line, s.placed.column, err)
}

// position is where the text ends that was written to it.
type position struct{ line, column int }

// Write goes on by a piece of text.
func (p *position) Write(text []byte) (int, error) {
	p.column += len(text)
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		p.line += bytes.Count(text, []byte{'\n'})
		p.column = len(text) - i
	}
	return len(text), nil
}
