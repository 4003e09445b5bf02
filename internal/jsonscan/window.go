package jsonscan

import (
	"cmp"
	"errors"
	"io"
	"strings"

	"github.com/propalg/propalg/internal/given"
)

// WindowSize is how much of a stream is read at a time. For a value that is longer the
// window doubles: it is scanned twice in all, and memory is up to three times that while the
// window grows.
const WindowSize = 256 << 10

// A reader that returns nothing idleReads times in a row has failed.
const idleReads = 100

// longestValue limits a resource or another value that is read from a stream, since some
// streams have no end.
const longestValue = 512 << 20

var errLong = errors.New("a value is longer than 512 MiB")

// Window is the part of a stream that is being read. Its memory is used again: what is taken
// from Text has to be copied if it is to last.
//
//	|<---- Base ---->|<------- Text ------->|<-- still to come from In -->|
//	                       Pos ^
type Window struct {
	Text    string
	Pos     int
	Base    int64     // where Text begins in the stream
	In      io.Reader // nil: nothing comes after Text
	Err     error     // what ended the stream, if not its end
	Size    int       // how much is read at a time; 0: WindowSize
	Longest int       // bytes of a value; 0: longestValue
	Lines   bool      // whether Line is asked for

	memory  []byte // of Text
	lines   int    // that end before counted
	counted int    // an offset in Text
}

// Offset returns the offset of Pos in the stream.
func (t *Window) Offset() int64 { return t.Base + int64(t.Pos) }

// Line returns the number of the line that Pos is in, from 1. Calls cost no more together
// than one pass over the text.
func (t *Window) Line() int {
	if t.Pos > t.counted {
		t.lines += strings.Count(t.Text[t.counted:t.Pos], "\n")
		t.counted = t.Pos
	}
	return t.lines + 1
}

// Drop drops the text and the input. The offset stays what it is.
func (t *Window) Drop() { t.In, t.Text, t.memory = nil, "", nil }

// More moves the window on, so that it begins at Pos, and reads more into it: what was taken
// from Text before does not last. At the end of the input it moves nothing and returns false.
func (t *Window) More() bool {
	if t.In == nil {
		return false
	}
	t.Longest = cmp.Or(t.Longest, longestValue)
	t.Size = cmp.Or(t.Size, WindowSize)
	if len(t.Text)-t.Pos > t.Longest {
		t.In, t.Err = nil, errLong
		return false
	}
	window := t.memory
	if n := len(window); n > 0 { // there is room for a byte, which says whether there is more
		window = window[:n+t.read(window[n:n+1])]
		if len(window) == n {
			return false
		}
	}

	if t.Lines {
		t.Line()
	}
	rest := window[t.Pos:]
	want := len(rest) + max(t.Size, len(rest))
	if window = window[:0]; cap(window) <= want {
		window = make([]byte, 0, want+1)
	}
	window = append(window, rest...)
	t.Base += int64(t.Pos)
	t.Pos, t.counted = 0, 0
	for len(window) < want && t.In != nil {
		window = window[:len(window)+t.read(window[len(window):want])]
	}
	t.memory, t.Text = window, given.Alias(window)
	return len(window) > 0
}

// read reads some bytes. At the end of the stream it sets in to nil.
func (t *Window) read(to []byte) int {
	for range idleReads {
		n, err := t.In.Read(to)
		n = max(0, min(n, len(to)))
		if err != nil {
			t.In = nil
			if err != io.EOF {
				t.Err = err
			}
		}

		if n > 0 || err != nil {
			return n
		}
	}
	t.In, t.Err = nil, io.ErrNoProgress
	return 0
}

// Space passes white space. After it there is a byte at Pos, or nothing more.
func (t *Window) Space() {
	for {
		t.Pos = Space(t.Text, t.Pos)
		if t.Pos < len(t.Text) || !t.More() {
			return
		}
	}
}

// Is reports whether a byte is at Pos.
func (t *Window) Is(c byte) bool { return t.Pos < len(t.Text) && t.Text[t.Pos] == c }

// Name passes the name of a member, its colon, and the space before its value.
func (t *Window) Name() (string, *Fault) {
	for {
		next, name, fault := Name(t.Text, t.Pos)
		if fault == nil {
			t.Pos = next
			name = strings.Clone(name)
			t.Space()
			return name, nil
		}

		if !t.Early(fault) || !t.More() {
			return "", fault
		}
	}
}

// Value passes a value and returns its text, which lasts until the window moves on.
func (t *Window) Value(skip *Skipper) (string, *Fault) {
	for {
		rest := t.Text[t.Pos:]
		end, fault := pass(skip, rest, 0)
		isCut := fault == nil && end == len(rest) && t.open()
		if fault != nil {
			fault.Offset += t.Pos
			isCut = t.Early(fault)
		}
		if isCut && t.More() {
			continue
		}

		if f := repeated(skip, t.Text, t.Pos, fault); f != nil {
			return "", f
		}
		t.Pos += end
		return rest[:end], nil
	}
}

// Begins reports whether what is at Pos begins with a text.
func (t *Window) Begins(text string) bool {
	for len(t.Text)-t.Pos < len(text) {
		if !strings.HasPrefix(text, t.Text[t.Pos:]) || !t.More() {
			return false
		}
	}
	return strings.HasPrefix(t.Text[t.Pos:], text)
}

// open reports whether the value at Pos ends only with what follows it,
// as numbers do.
func (t *Window) open() bool { return !t.Is('{') && !t.Is('[') && !t.Is('"') }

// An escaped surrogate pair has longestEscape bytes, and half of it may be at the end of a
// window; a rune is shorter.
const longestEscape = 12

// Early reports whether a fault may be there only because the text ends.
func (t *Window) Early(fault *Fault) bool {
	return fault.Offset >= len(t.Text) ||
		(errors.Is(fault.Err, ErrUTF8) && len(t.Text)-fault.Offset < longestEscape)
}
