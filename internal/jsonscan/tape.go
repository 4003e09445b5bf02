package jsonscan

import "math"

// Tape is what one value is made of, in the order of the text: a mark for each
// name, text, number, literal and beginning of a container. [Tape.Scan] fills it
// in one pass, so that a reader that builds the value afterwards knows its size
// and does not scan a text again. A Tape may be used again and again,
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
	// see [Mark.Text]. Of a container it is the number of its children, or
	// [Unclosed].
	End uint32
}

// Unclosed is the End of a container whose end was not reached.
const Unclosed = math.MaxUint32

// escaped, in the End of a text, says that it has escapes.
const escaped = 1 << 31

// No offset of a longer text than longest fits into a mark.
const longest = math.MaxInt32

// Text is the offset after a text, and whether it is plain, as [String] says.
func (m Mark) Text() (end int, plain bool) { return int(m.End &^ escaped), m.End < escaped }

type open struct {
	mark   int
	n      uint32 // children that were passed
	closer byte
}

// Scan passes the value that begins at i, which must be no white space; so many
// messages of the limit are used around it, see [Skipper]. It is false for a text
// that a [Decoder] finds a fault in, and for one that is too long for marks. Then
// the marks are of what precedes the fault.
func (t *Tape) Scan(s string, i, used, limit int) (end int, ok bool) {
	t.open = t.open[:0]
	t.Marks, t.Members, t.Elems, t.Escaped = t.Marks[:0], 0, 0, 0
	if len(s) > longest {
		return 0, false
	}

	end, ok = t.scan(s, i, used, limit)
	if n := len(t.Marks); !ok && n > 0 && t.Marks[n-1] == (Mark{}) { // of a name that is not one
		t.Marks = t.Marks[:n-1]
	}
	return end, ok
}

func (t *Tape) scan(s string, i, used, limit int) (end int, ok bool) { //nolint:gocognit // one loop, whose state stays in registers
	var now open
	marks := t.Marks[:0]
	defer func() { t.Marks = marks }()

	for {
		if i >= len(s) {
			return 0, false
		}

		switch c := s[i]; c {
		case '"':
			m := t.text(s, i)
			if m.End == 0 {
				return 0, false
			}
			marks = append(marks, m)
			i, _ = m.Text()
		case '{', '[':
			if used >= limit {
				return 0, false
			}
			marks = append(marks, Mark{uint32(i), Unclosed}) //nolint:gosec // not above longest
			i = Space(s, i+1)
			if i < len(s) && s[i] == c+2 { // the bracket that closes it
				marks[len(marks)-1].End = 0
				i++
				break
			}

			t.open = append(t.open, now)
			now = open{mark: len(marks) - 1, closer: c + 2}
			if used += Cost(c == '{'); used > limit {
				return 0, false
			}
			if c == '{' {
				m, next := t.name(s, i)
				marks, i = append(marks, m), next
			}
			continue
		default:
			var m Mark
			if m, i = other(s, i); i == 0 {
				return 0, false
			}
			marks = append(marks, m)
		}
		for {
			if len(t.open) == 0 {
				return i, true
			}

			now.n++
			if i = Space(s, i); i >= len(s) {
				return 0, false
			}
			if s[i] == ',' {
				break
			}
			if s[i] != now.closer {
				return 0, false
			}
			i++
			marks[now.mark].End = now.n
			used -= t.count(now)
			now = t.open[len(t.open)-1]
			t.open = t.open[:len(t.open)-1]
		}
		if i = Space(s, i+1); now.closer == '}' {
			m, next := t.name(s, i)
			marks, i = append(marks, m), next
		}
	}
}

func (t *Tape) count(o open) int {
	if o.closer == '}' {
		t.Members += int(o.n)
		return Cost(true)
	}
	t.Elems += int(o.n)
	return Cost(false)
}

func (t *Tape) text(s string, i int) Mark {
	end, plain := quoted(s, i+1)
	if end < 0 {
		return Mark{}
	}

	m := Mark{uint32(i), uint32(end)} //nolint:gosec // not above longest
	if !plain {
		m.End |= escaped
		t.Escaped += end - i
	}
	return m
}

// name passes a name, the colon after it, and the space before the value; next is
// after the text where there is something else.
func (t *Tape) name(s string, i int) (m Mark, next int) {
	if i >= len(s) || s[i] != '"' {
		return m, len(s)
	}

	m = t.text(s, i)
	end, _ := m.Text()
	if end = Space(s, end); end == 0 || end >= len(s) || s[end] != ':' {
		return m, len(s)
	}
	return m, Space(s, end+1)
}

// other passes a number or a literal; next is 0 where there is none.
func other(s string, i int) (m Mark, next int) {
	var f *Fault
	c := s[i]
	switch {
	case c == '-' || (c >= '0' && c <= '9'):
		next, f = Number(s, i)
	case c == 't' || c == 'f' || c == 'n':
		next, f = Literal(s, i)
	}
	if f != nil || next == 0 {
		return m, 0
	}

	return Mark{uint32(i), uint32(next)}, next //nolint:gosec // not above longest
}
