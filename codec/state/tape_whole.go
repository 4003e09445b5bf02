package state

import (
	"errors"
	"io"
	"strings"
)

// whole makes the window as long as the value that begins at pos and goes on
// after the window. It is false, and nothing has moved, when the value does not
// go on, or there is no more.
//
// The pieces are put together once, so that for this moment the value is in
// memory twice. Where the stream can go back, a long value is not: it is read a
// first time to find its end, and once more into a window of that length.
func (t *tape) whole(limit int) bool {
	if t.in == nil {
		return false
	}
	t.prepare()
	rest := t.text[t.pos:]
	f := &framer{limit: limit}
	if pass(f, rest); f.over() {
		return false
	}
	in := t.in
	seeker, start := position(in)
	var pieces [][]byte
	size := 0
	for !f.over() && t.in != nil && !t.tooLong(len(rest)+size) {
		if size >= longWindows*t.window && seeker != nil {
			size += t.rest(f, len(rest)+size)
			return !errors.Is(t.err, errLong) && t.again(in, seeker, start, size)
		}
		piece := t.piece // of the last window: it was copied
		if size > 0 || piece == nil {
			piece = make([]byte, t.window)
		}
		t.piece = piece
		piece = piece[:t.fill(piece, f)]
		pieces = append(pieces, piece)
		size += len(piece)
	}
	if errors.Is(t.err, errLong) {
		return false // and what was gathered is not put together
	}
	var window strings.Builder
	window.Grow(len(rest) + size)
	window.WriteString(rest)
	for _, piece := range pieces {
		window.Write(piece)
	}
	return t.move(&window)
}

// fill reads into a piece until it is full, or the framer has seen enough.
func (t *tape) fill(piece []byte, f *framer) int {
	size := 0
	for size < len(piece) && !f.over() && t.in != nil {
		n := t.read(piece[size:])
		pass(f, piece[size:size+n])
		size += n
	}
	return size
}

// rest goes on to where the framer has seen enough of a value, of which there was
// so much before, and returns how far that is.
func (t *tape) rest(f *framer, before int) int {
	size := 0
	for !f.over() && t.in != nil && !t.tooLong(before+size) {
		size += t.fill(t.buf, f)
	}
	return size
}

// again goes back to where the window ended, and reads as many bytes into one of
// that length.
func (t *tape) again(in io.Reader, seeker io.Seeker, start int64, size int) bool {
	then, failed := t.in, t.err
	if _, err := seeker.Seek(start, io.SeekStart); err != nil {
		t.in, t.err = nil, err
		return false
	}
	t.in, t.err = in, nil
	size += len(t.text) - t.pos
	var window strings.Builder
	window.Grow(size)
	window.WriteString(t.text[t.pos:])
	for window.Len() < size && t.in != nil {
		n := t.read(t.buf[:min(len(t.buf), size-window.Len())])
		window.Write(t.buf[:n])
	}
	if window.Len() == size { // as the first time, and not changed meanwhile
		t.in, t.err = then, failed
	}
	return t.move(&window)
}

// position returns the offset of a stream that can go back to it; others have no
// seeker.
func position(in io.Reader) (io.Seeker, int64) {
	s, ok := in.(io.Seeker)
	if !ok {
		return nil, 0
	}
	at, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, 0
	}
	return s, at
}
