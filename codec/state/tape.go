package state

import (
	"errors"
	"io"
	"strings"

	"github.com/propalg/propalg/internal/jsonscan"
)

// windowSize is how much of a stream is read at a time. A value that is longer
// gets a window of its own size, with what was read after it.
const windowSize = 256 << 10

// longWindows is how many windows long a value is that is rather read twice than
// held twice, where the stream can go back.
const longWindows = 32

// idleReads is how many reads in a row may give nothing.
const idleReads = 100

// longestValue is how many bytes a resource or another value may have that is read
// from a stream: there are streams that have no end.
const longestValue = 512 << 20

// errLong is why a stream is not read on.
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
	piece   []byte    // for a value that goes on behind the window
}

// offset is the place of pos in the stream.
func (t *tape) offset() int64 { return t.base + int64(t.pos) }

// more moves the window on, so that it begins at pos, and reads more into it. It
// is false, and nothing has moved, when there is no more.
func (t *tape) more() bool {
	if t.in == nil {
		return false
	}
	t.prepare()
	rest := t.text[t.pos:]
	if t.tooLong(len(rest)) {
		return false
	}
	want := max(t.window, len(rest)/8) // a share of it, so that time stays linear
	var window strings.Builder
	window.Grow(len(rest) + want + len(t.buf))
	window.WriteString(rest)
	for window.Len() < len(rest)+want && t.in != nil {
		window.Write(t.buf[:t.read(t.buf)])
	}
	return t.move(&window)
}

// tooLong reports whether a value with so many bytes is longer than a value may
// be, and ends the stream if it is.
func (t *tape) tooLong(size int) bool {
	if size <= t.longest {
		return false
	}
	t.in, t.err = nil, errLong
	return true
}

// prepare makes ready for reading.
func (t *tape) prepare() {
	if t.longest == 0 {
		t.longest = longestValue
	}
	if t.window == 0 {
		t.window = windowSize
	}
	if t.buf == nil {
		t.buf = make([]byte, (t.window+3)/4)
	}
}

// move puts another window in place of the one that is there, from pos on. It is
// false if it is no longer: then the old one stays, as what was found in it goes
// by its offsets.
func (t *tape) move(window *strings.Builder) bool {
	if window.Len() <= len(t.text)-t.pos {
		return false
	}
	t.base += int64(t.pos)
	t.text, t.pos = window.String(), 0
	return true
}

// read reads some bytes. When there are no more, in is nil after it.
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

// is reports whether the byte at pos is c.
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
		if !t.early(fault) || !t.whole(0) && !t.more() {
			return "", fault
		}
	}
}

// value passes a value and returns its text, which lasts.
func (t *tape) value(skip *jsonscan.Skipper) (string, *jsonscan.Fault) {
	for {
		end, fault := skip.Skip(t.text, t.pos)
		switch {
		case fault != nil && t.early(fault) && (t.whole(skip.Limit) || t.more()):
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

// longestEscape is the length of a surrogate pair in escapes, of which half may
// stand at the end of a window; a rune is shorter.
const longestEscape = 12

// early reports whether a fault may be there only because the text ends.
func (t *tape) early(fault *jsonscan.Fault) bool {
	return fault.Offset >= len(t.text) ||
		errors.Is(fault.Err, jsonscan.ErrUTF8) && len(t.text)-fault.Offset < longestEscape
}
