package state

import (
	"io"
	"strings"

	"github.com/propalg/propalg/internal/jsonscan"
)

// windowSize is how much of a stream is read at a time. A value that is longer
// gets a window twice as long as what is there, until it fits: so every byte is
// scanned two times on average, at most.
const windowSize = 256 << 10

// idleReads is how many reads in a row may give nothing.
const idleReads = 100

// tape is the text that is being read: all of it, or a window that moves over a
// stream.
//
//	|<---- base ---->|<------- text ------->|<-- still to come from in -->|
//	                       pos ^
type tape struct {
	text   string
	pos    int
	base   int64     // where text begins in the stream
	in     io.Reader // nil: nothing comes after text
	err    error     // what ended the stream, if not its end
	stream bool      // text is a window: what is to last has to be copied
	window int       // how much is read at a time; 0: windowSize
	buf    []byte    // for reads
}

// offset is the place of pos in the stream.
func (t *tape) offset() int64 { return t.base + int64(t.pos) }

// more moves the window on, so that it begins at pos, and reads more into it. It
// is false, and nothing has moved, when there is no more.
func (t *tape) more() bool {
	if t.in == nil {
		return false
	}
	rest := t.text[t.pos:]
	if t.window == 0 {
		t.window = windowSize
	}
	if t.buf == nil {
		t.buf = make([]byte, (t.window+3)/4)
	}
	want := max(t.window, len(rest))
	var window strings.Builder
	window.Grow(len(rest) + want + len(t.buf))
	window.WriteString(rest)
	for idle := 0; window.Len() < len(rest)+want && t.in != nil; {
		n, err := t.in.Read(t.buf)
		n = max(0, min(n, len(t.buf)))
		window.Write(t.buf[:n])
		if idle++; n > 0 {
			idle = 0
		}
		if err == nil && idle >= idleReads {
			err = io.ErrNoProgress
		}
		if err != nil {
			t.in = nil
			if err != io.EOF {
				t.err = err
			}
		}
	}
	if window.Len() == len(rest) {
		return false // and the window stays, as what was found in it goes by its offsets
	}
	t.base += int64(t.pos)
	t.text, t.pos = window.String(), 0
	return true
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

// is reports whether a byte stands at pos.
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
		case end == len(t.text) && t.more(): // a number may go on
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

// longestEscape is the length of a surrogate pair in escapes, of which half may
// stand at the end of a window; a rune is shorter.
const longestEscape = 12

// early reports whether a fault may be there only because the text ends.
func (t *tape) early(fault *jsonscan.Fault) bool {
	return fault.Offset >= len(t.text) ||
		fault.Cause == jsonscan.Encoding && len(t.text)-fault.Offset < longestEscape
}
