package codec

import (
	"strings"

	"github.com/propalg/propalg/path"
)

// wireChecker reads bytes as protobuf-go does, to say whether it takes them for a
// Struct or Value. What they mean is up to [mergeProto].
type wireChecker struct {
	text  string
	limit int
	open  []openMessage // the messages around what is being read
}

type openMessage struct {
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

// contents returns which message a field of wire type bytes holds, if any.
func (m message) contents(number uint64) (inner message, is bool) {
	switch {
	case m == messageStruct && number == 1:
		return messageEntry, true
	case m == messageEntry && number == 2, m == messageList && number == 1:
		return messageValue, true
	case m == messageValue && number == 5:
		return messageStruct, true
	case m == messageValue && number == 6:
		return messageList, true
	}

	return 0, false
}

// isText reports whether a field of wire type bytes holds a string.
func (m message) isText(number uint64) bool {
	return (m == messageEntry && number == 1) || (m == messageValue && number == 3)
}

func (c *wireChecker) message(kind message, start, end int) *flaw {
	if len(c.open) == c.limit {
		return &flaw{ErrDepth, start, "", ""}
	}
	c.open = append(c.open, openMessage{kind: kind, start: start, end: end})
	for pos := start; pos < end; {
		next, f := c.field(kind, pos, end)
		if f != nil {
			return f
		}
		pos = next
	}

	c.open = c.open[:len(c.open)-1]
	return nil
}

// field reads a field of the innermost message.
func (c *wireChecker) field(kind message, pos, end int) (next int, f *flaw) {
	text, at := c.text[:end], pos
	number, wire, pos, f := tag(text, pos, maxFieldNumber)
	if f != nil {
		return 0, f
	}
	if kind == messageStruct && number == 1 && len(c.open) == c.limit {
		return 0, &flaw{ErrDepth, at, "", ""} // whatever the wire type
	}
	if wire != wireBytes {
		return skip(text, pos, number, wire)
	}
	from, to, f := chunk(text, pos)
	if f != nil {
		return 0, f
	}
	if inner, is := kind.contents(number); is {
		c.open[len(c.open)-1].n++
		return to, c.message(inner, from, to)
	}

	if kind.isText(number) {
		if f := utf8Flaw(text, from, to); f != nil {
			return 0, f
		}
		if kind == messageEntry {
			c.open[len(c.open)-1].key = text[from:to]
		}
	}

	return to, nil
}

func (c *wireChecker) position() position {
	var s position
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

// key returns the key of an Entry, which may follow the Value that has the flaw. Where the Entry is broken as well, the key may be "value".
func (c *wireChecker) key(i int) string {
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

// class guesses what the Struct of an Entry is, which cannot be read to its end: what
// may be secret counts as secret. It looks at the rest of the Struct, and at what would
// be merged with that Struct, and so at no byte twice.
func (c *wireChecker) class(i int, key string) class {
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
