package state

import (
	"cmp"
	"errors"
	"io"
	"strings"

	"github.com/propalg/propalg/internal/jsonscan"
)

// windowSize is how much of a stream is read at a time. For a value that is longer the
// window grows by an eighth: time stays linear in its length (it is scanned nine times in
// all), and memory is up to three times that, since old windows are garbage.
const windowSize = 256 << 10

// A reader that returns nothing idleReads times in a row has failed.
const idleReads = 100

// longestValue limits a resource or another value that is read from a stream, since some
// streams have no end.
const longestValue = 512 << 20

var errLong = errors.New("a value is longer than 512 MiB")

// tape is the text that is being read: all of it, or a window that moves over a
// stream.
//
//	|<---- base ---->|<------- text ------->|<-- still to come from in -->|
//	                       pos ^
type tape struct {
	text    string
	pos     int
	base    int64     // where text begins in the stream
	in      io.Reader // nil: nothing comes after text
	err     error     // what ended the stream, if not its end
	stream  bool      // text is a window: what is to last has to be copied
	window  int       // how much is read at a time; 0: windowSize
	longest int       // bytes of a value; 0: longestValue
	buf     []byte    // for reads
}

func (t *tape) offset() int64 { return t.base + int64(t.pos) }

// more moves the window on, so that it begins at pos, and reads more into it. At the end
// of the input it moves nothing and returns false.
func (t *tape) more() bool {
	if t.in == nil {
		return false
	}
	t.longest = cmp.Or(t.longest, longestValue)
	t.window = cmp.Or(t.window, windowSize)
	if t.buf == nil {
		t.buf = make([]byte, (t.window+3)/4)
	}
	rest := t.text[t.pos:]
	if len(rest) > t.longest {
		t.in, t.err = nil, errLong
		return false
	}

	want := max(t.window, len(rest)/8)
	var window strings.Builder
	window.Grow(len(rest) + want + len(t.buf))
	window.WriteString(rest)
	for window.Len() < len(rest)+want && t.in != nil {
		window.Write(t.buf[:t.read(t.buf)])
	}
	if window.Len() == len(rest) {
		return false // and offsets in the window stay what they are
	}

	t.base += int64(t.pos)
	t.text, t.pos = window.String(), 0
	return true
}

// read reads some bytes. At the end of the stream it sets in to nil.
func (t *tape) read(to []byte) int {
	for range idleReads {
		n, err := t.in.Read(to)
		n = max(0, min(n, len(to)))
		if err != nil {
			t.in = nil
			if err != io.EOF {
				t.err = err
			}
		}

		if n > 0 || err != nil {
			return n
		}
	}
	t.in, t.err = nil, io.ErrNoProgress
	return 0
}

// space passes white space. After it there is a byte at pos, or nothing more.
func (t *tape) space() {
	for {
		t.pos = jsonscan.Space(t.text, t.pos)
		if t.pos < len(t.text) || !t.more() {
			return
		}
	}
}

func (t *tape) is(c byte) bool { return t.pos < len(t.text) && t.text[t.pos] == c }

// name passes the name of a member, its colon, and the space before its value.
func (t *tape) name() (string, *jsonscan.Fault) {
	for {
		next, name, fault := jsonscan.Name(t.text, t.pos)
		if fault == nil {
			t.pos = next
			if t.stream {
				name = strings.Clone(name)
			}
			t.space()
			return name, nil
		}

		if !t.early(fault) || !t.more() {
			return "", fault
		}
	}
}

// value passes a value and returns its text, which lasts.
func (t *tape) value(skip *jsonscan.Skipper) (string, *jsonscan.Fault) {
	for {
		end, fault := skip.Skip(t.text, t.pos)
		switch {
		case fault != nil && t.early(fault) && t.more():
			continue
		case fault != nil:
			return "", fault
		case end == len(t.text) && t.open() && t.more():
			continue
		}

		text := t.text[t.pos:end]
		if t.stream && len(text) < len(t.text)/2 {
			text = strings.Clone(text)
		}
		t.pos = end
		return text, nil
	}
}

// open reports whether the value at pos ends only with what follows it,
// as numbers do.
func (t *tape) open() bool { return !t.is('{') && !t.is('[') && !t.is('"') }

// An escaped surrogate pair has longestEscape bytes, and half of it may be at the end of a
// window; a rune is shorter.
const longestEscape = 12

// early reports whether a fault may be there only because the text ends.
func (t *tape) early(fault *jsonscan.Fault) bool {
	return fault.Offset >= len(t.text) ||
		(errors.Is(fault.Err, jsonscan.ErrUTF8) && len(t.text)-fault.Offset < longestEscape)
}
