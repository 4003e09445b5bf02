package jsonscan

import (
	"cmp"
	"errors"
	"io"
	"strings"
)

// WindowSize is how much of a stream is read at a time. For a value that is longer the
// window doubles: it is scanned twice in all, and memory is up to four times that, since old
// windows are garbage.
const WindowSize = 256 << 10

// A reader that returns nothing idleReads times in a row has failed.
const idleReads = 100

// longestValue limits a resource or another value that is read from a stream, since some
// streams have no end.
const longestValue = 512 << 20

var errLong = errors.New("a value is longer than 512 MiB")

// Window is the text that is being read: all of it, or a window that moves over a stream.
//
//	|<---- Base ---->|<------- Text ------->|<-- still to come from In -->|
//	                       Pos ^
type Window struct {
	Text    string
	Pos     int
	Base    int64     // where Text begins in the stream
	In      io.Reader // nil: nothing comes after Text
	Err     error     // what ended the stream, if not its end
	Stream  bool      // Text is a part: what is to last has to be copied
	Size    int       // how much is read at a time; 0: WindowSize
	Longest int       // bytes of a value; 0: longestValue

	buf     []byte // for reads
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
func (t *Window) Drop() { t.In, t.Text, t.buf = nil, "", nil }

// More moves the window on, so that it begins at Pos, and reads more into it. At the end
// of the input it moves nothing and returns false.
func (t *Window) More() bool {
	if t.In == nil {
		return false
	}
	t.Longest = cmp.Or(t.Longest, longestValue)
	t.Size = cmp.Or(t.Size, WindowSize)
	if t.buf == nil {
		t.buf = make([]byte, (t.Size+3)/4)
	}
	rest := t.Text[t.Pos:]
	if len(rest) > t.Longest {
		t.In, t.Err = nil, errLong
		return false
	}

	want := max(t.Size, len(rest))
	var window strings.Builder
	window.Grow(len(rest) + want + len(t.buf))
	window.WriteString(rest)
	for window.Len() < len(rest)+want && t.In != nil {
		window.Write(t.buf[:t.read(t.buf)])
	}
	if window.Len() == len(rest) {
		return false // and offsets in the window stay what they are
	}

	t.Line()
	t.Base += int64(t.Pos)
	t.Text, t.Pos, t.counted = window.String(), 0, 0
	return true
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
			if t.Stream {
				name = strings.Clone(name)
			}
			t.Space()
			return name, nil
		}

		if !t.Early(fault) || !t.More() {
			return "", fault
		}
	}
}

// Value passes a value and returns its text, which lasts.
func (t *Window) Value(skip *Skipper) (string, *Fault) {
	for {
		end, fault := skip.Skip(t.Text, t.Pos)
		switch {
		case fault != nil && t.Early(fault) && t.More():
			continue
		case fault != nil:
			return "", fault
		case end == len(t.Text) && t.open() && t.More():
			continue
		}

		text := t.Text[t.Pos:end]
		if t.Stream && len(text) < len(t.Text)/2 {
			text = strings.Clone(text)
		}
		t.Pos = end
		return text, nil
	}
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
