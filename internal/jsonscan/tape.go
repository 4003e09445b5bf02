package jsonscan

import "math"

// Tape is what one value is made of, in the order of the text: a mark for each
// name, text, number, literal and beginning of a container. [Tape.Scan] fills it
// in one pass, so that whoever builds the value afterwards knows how large it
// gets, and looks at no byte of a text again. A Tape may be used again and again,
// by one goroutine. It holds offsets, and nothing of the text.
type Tape struct {
	Marks   []Mark
	Members int // of all objects together
	Elems   int // of all arrays together
	Escaped int // bytes of texts and names that have escapes

	open []open
}

// Mark is where something begins, and how far it goes.
type Mark struct {
	At uint32
	// End is the offset after a number, a literal or the closing quote of a text;
	// see [Mark.Text]. Of a container it is the number of its children.
	End uint32
}

// escaped, in the End of a text, says that it has escapes.
const escaped = 1 << 31

// longest is the length of text up to which marks can tell where everything is.
const longest = math.MaxInt32

// Text is the offset after a text, and whether it is plain, as [String] says.
func (m Mark) Text() (end int, plain bool) { return int(m.End &^ escaped), m.End < escaped }

// open is a container that is being passed.
type open struct {
	mark   int
	n      uint32 // children before the one that is being passed
	object bool
}

// Scan passes the value that begins at i, which must be no white space; so many
// messages of the limit are used around it, see [Skipper]. It is false for a text
// that a Skipper finds a fault in, other than a name that stands twice, and for
// one that is too long for marks: then a Skipper can tell what is wrong.
func (t *Tape) Scan(s string, i, used, limit int) (end int, ok bool) {
	t.Marks, t.open = t.Marks[:0], t.open[:0]
	t.Members, t.Elems, t.Escaped = 0, 0, 0
	if len(s) > longest {
		return 0, false
	}
	var now open
	for {
		if i >= len(s) {
			return 0, false
		}
		switch c := s[i]; c {
		case '"':
			i = t.text(s, i)
		case '{', '[':
			object, at := c == '{', i
			if used >= limit {
				return 0, false
			}
			t.Marks = append(t.Marks, Mark{At: uint32(at)}) //nolint:gosec // not above longest
			i = Space(s, i+1)
			if i < len(s) && s[i] == Closer(object) {
				i++
				break
			}
			if used += Cost(object); used > limit {
				return 0, false
			}
			t.open = append(t.open, now)
			if now = (open{mark: len(t.Marks) - 1, object: object}); object {
				i = t.name(s, i)
			}
			if i < 0 {
				return 0, false
			}
			continue
		default:
			i = t.other(s, i)
		}
		if i < 0 {
			return 0, false
		}
		if i = t.after(s, i, &now, &used); i < 0 {
			return 0, false
		}
		if len(t.open) == 0 {
			return i, true
		}
	}
}

// after passes what stands between a value and the next one: the ends of
// containers, a comma, and a name. It is negative for a fault; with no container
// open it is the end of all.
func (t *Tape) after(s string, i int, now *open, used *int) int {
	for len(t.open) > 0 {
		now.n++
		if i = Space(s, i); i >= len(s) {
			return -1
		}
		if s[i] == ',' {
			if i = Space(s, i+1); now.object {
				i = t.name(s, i)
			}
			return i
		}
		if s[i] != Closer(now.object) {
			return -1
		}
		i++
		t.Marks[now.mark].End = now.n
		if now.object {
			t.Members += int(now.n)
		} else {
			t.Elems += int(now.n)
		}
		*used -= Cost(now.object)
		*now = t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
	}
	return i
}

// text passes a text.
func (t *Tape) text(s string, i int) int {
	end, plain := quoted(s, i+1)
	if end < 0 {
		return -1
	}
	m := Mark{uint32(i), uint32(end)} //nolint:gosec // not above longest
	if !plain {
		m.End |= escaped
		t.Escaped += end - i
	}
	t.Marks = append(t.Marks, m)
	return end
}

// name passes a name, the colon after it, and the space before the value.
func (t *Tape) name(s string, i int) int {
	if i >= len(s) || s[i] != '"' {
		return -1
	}
	if i = t.text(s, i); i < 0 {
		return -1
	}
	if i = Space(s, i); i >= len(s) || s[i] != ':' {
		return -1
	}
	return Space(s, i+1)
}

// other passes a number or a literal.
func (t *Tape) other(s string, i int) int {
	var end int
	var f *Fault
	switch c := s[i]; {
	case c == '-' || c >= '0' && c <= '9':
		end, f = Number(s, i)
	case c == 't' || c == 'f' || c == 'n':
		end, f = Literal(s, i)
	default:
		return -1
	}
	if f != nil {
		return -1
	}
	t.Marks = append(t.Marks, Mark{uint32(i), uint32(end)}) //nolint:gosec // not above longest
	return end
}
