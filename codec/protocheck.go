package codec

import (
	"strings"

	"github.com/propalg/propalg/path"
)

// checker reads bytes as protobuf-go does, to say whether it takes them for a
// Struct or Value; what they mean is of no interest to it. Messages stand on a
// stack.
type checker struct {
	text  string
	limit int
	open  []checked
}

// checked is a message that is being read.
type checked struct {
	kind  message
	start int
	end   int
	n     int    // of a ListValue: elements begun
	key   string // of an Entry, as far as it was read
}

type message uint8

const (
	messageStruct message = iota
	messageEntry
	messageValue
	messageList
)

// run reads a message that is the whole text.
func (c *checker) run(kind message) *flaw {
	if f := c.enter(kind, 0, len(c.text)); f != nil {
		return f
	}
	pos := 0
	for len(c.open) > 0 {
		top := &c.open[len(c.open)-1]
		if pos == top.end {
			c.open = c.open[:len(c.open)-1]
			continue
		}
		next, f := c.field(top, pos)
		if f != nil {
			return f
		}
		pos = next
	}
	return nil
}

// enter begins a message.
func (c *checker) enter(kind message, start, end int) *flaw {
	if len(c.open) == c.limit {
		return &flaw{ErrDepth, start, "", ""}
	}
	c.open = append(c.open, checked{kind: kind, start: start, end: end})
	return nil
}

// field reads a field of a message, or only its tag and length if there is a
// message in it.
func (c *checker) field(top *checked, pos int) (next int, f *flaw) {
	text := c.text[:top.end]
	at := pos
	number, wire, pos, f := tag(text, pos, maxFieldNumber)
	if f != nil {
		return 0, f
	}
	if top.kind == messageStruct && number == 1 && len(c.open) == c.limit {
		return 0, &flaw{ErrDepth, at, "", ""} // whatever the wire type
	}
	if wire != wireBytes {
		return skip(text, pos, number, wire)
	}
	from, to, f := chunk(text, pos)
	if f != nil {
		return 0, f
	}
	inner, isMessage := message(0), true
	switch {
	case top.kind == messageStruct && number == 1:
		inner = messageEntry
	case top.kind == messageEntry && number == 2, top.kind == messageList && number == 1:
		inner = messageValue
	case top.kind == messageValue && number == 5:
		inner = messageStruct
	case top.kind == messageValue && number == 6:
		inner = messageList
	default:
		isMessage = false
	}
	if isMessage {
		top.n++
		return from, c.enter(inner, from, to)
	}
	if top.kind == messageEntry && number == 1 || top.kind == messageValue && number == 3 {
		if f := utf8Flaw(text, from, to); f != nil {
			return 0, f
		}
		if top.kind == messageEntry {
			top.key = text[from:to]
		}
	}
	return to, nil
}

// spot returns the place of a flaw.
func (c *checker) spot() spot {
	var s spot
	for i := range c.open {
		switch m := &c.open[i]; m.kind {
		case messageList:
			if m.n > 0 {
				s = s.into(plain, path.Index(m.n-1))
			}
		case messageEntry:
			key := c.key(i)
			s = s.into(c.class(i, key), path.Key(key))
		case messageStruct, messageValue:
		}
	}
	return s
}

// key returns the key of an Entry, which may stand behind the Value that has the
// flaw. Where the Entry is broken as well, the key may be "value".
func (c *checker) key(i int) string {
	e := &c.open[i]
	if i+1 == len(c.open) {
		return e.key
	}
	text := c.text[:e.end]
	key := e.key
	for pos := c.open[i+1].end; pos < e.end; {
		number, wire, next, f := tag(text, pos, maxFieldNumber)
		if f == nil {
			pos, f = skip(text, next, number, wire)
		}
		switch {
		case f != nil:
			return "value"
		case number == 1 && wire == wireBytes:
			from, to, _ := chunk(text, next)
			key = text[from:to]
		}
	}
	return key
}

// class guesses what the Struct of an Entry is, which nobody has read to its
// end, or will: what may be secret counts as secret. It looks at what is beside
// the Entry in the Struct, and at what would be merged with that Struct, and so
// at no byte twice.
func (c *checker) class(i int, key string) class {
	if key != "value" {
		return plain
	}
	bound := len(c.text)
	if i > 2 {
		bound = c.open[i-2].end // of the Value that has the Struct
		if c.open[i-3].kind == messageEntry {
			bound = c.open[i-3].end
		}
	}
	before, after := c.text[c.open[i-1].start:c.open[i].start], c.text[c.open[i].end:bound]
	has := func(text string) bool { return strings.Contains(before, text) || strings.Contains(after, text) }
	switch {
	case !has(SignatureKey):
		return plain
	case has(sigSecret), has(sigOutput) && has("secret"):
		return secret
	case has(sigOutput):
		return output
	}
	return plain
}
