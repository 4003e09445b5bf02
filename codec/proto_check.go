package codec

import (
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/propalg/propalg/path"
)

// flaw is what makes bytes no message, at an offset.
type flaw struct {
	err   error
	at    int
	found string
	up    []path.Step // the way to it, innermost first
	below int         // so many of these steps may be secret
	cut   bool        // below is set
}

// message is a message of google/protobuf/struct.proto; see proto_wire.go.
type message uint8

const (
	messageStruct message = iota
	messageEntry
	messageValue
	messageList
)

// contents returns which message a field of wire type bytes holds, if any.
func (m message) contents(number protowire.Number) (inner message, is bool) {
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
func (m message) isText(number protowire.Number) bool {
	return (m == messageEntry && number == 1) || (m == messageValue && number == 3)
}

// flaw finds out why protobuf-go does not take data, at an offset, for such a message, with
// room for so many in one another; nil if it does. What the bytes mean is up to [mergeProto].
func (m message) flaw(data []byte, at, room int) *flaw {
	if room == 0 {
		return &flaw{err: ErrDepth, at: at}
	}

	whole, elems := data, 0
	for len(data) > 0 {
		number, wire, n := protowire.ConsumeTag(data)
		switch {
		case n < 0:
			return unparsed(n, at)
		case number > protowire.MaxValidNumber:
			return &flaw{err: ErrSyntax, at: at, found: "malformed field"}
		case m == messageStruct && number == 1 && room == 1: // whatever the wire type
			return &flaw{err: ErrDepth, at: at}
		}

		size := protowire.ConsumeFieldValue(number, wire, data[n:])
		if size < 0 {
			return unparsed(size, at+n)
		}
		if wire == protowire.BytesType {
			content, _ := protowire.ConsumeBytes(data[n:])
			if f := m.contentFlaw(number, content, at+n+size-len(content), room); f != nil {
				f.leave(m, whole, elems)
				return f
			}
			elems++
		}
		data, at = data[n+size:], at+n+size
	}
	return nil
}

func (m message) contentFlaw(number protowire.Number, content []byte, at, room int) *flaw {
	if inner, is := m.contents(number); is {
		return inner.flaw(content, at, room-1)
	}
	if m.isText(number) && !utf8.Valid(content) {
		return &flaw{err: ErrUTF8, at: at}
	}
	return nil
}

// leave notes the way out of a message, whose bytes are whole and which may be secret: one
// with the signature key, one whose parts are merged with others, or one that cannot be read
// to its end.
func (f *flaw) leave(m message, whole []byte, elems int) {
	hidden, n := false, 0
	eachField(whole, func(number protowire.Number, content []byte) {
		n++
		hidden = hidden || number == 0 || (m == messageStruct && number == 1 && entryKey(content) == SignatureKey)
	})
	hidden = hidden || (m == messageValue && n > 1) || (m == messageEntry && n > 2)
	if last := len(f.up) - 1; hidden && last >= 0 && m == messageStruct && f.up[last] == path.Key("value") {
		f.up = f.up[:last]
	}
	if hidden {
		f.below, f.cut = len(f.up), true
	}

	switch m {
	case messageList:
		f.up = append(f.up, path.Index(elems))
	case messageEntry:
		f.up = append(f.up, path.Key(entryKey(whole)))
	case messageStruct, messageValue:
	}
}

// shown returns the way to the flaw.
func (f *flaw) shown() path.Shown {
	slices.Reverse(f.up)
	visible := -1
	if f.cut {
		visible = len(f.up) - f.below
	}
	return path.Show(path.Of(f.up...), visible)
}

// entryKey returns the key of an Entry, as far as that can be read.
func entryKey(data []byte) (key string) {
	eachField(data, func(number protowire.Number, content []byte) {
		if number == 1 {
			key = string(content)
		}
	})
	return key
}

// eachField calls f for all fields, with the contents of those of wire type bytes. One that
// is malformed is the last, and has the number 0.
func eachField(data []byte, f func(number protowire.Number, content []byte)) {
	for len(data) > 0 {
		number, wire, n := protowire.ConsumeTag(data)
		size := 0
		if n >= 0 {
			size = protowire.ConsumeFieldValue(number, wire, data[n:])
		}
		if n < 0 || size < 0 {
			f(0, nil)
			return
		}
		var content []byte
		if wire == protowire.BytesType {
			content, _ = protowire.ConsumeBytes(data[n:])
		}
		f(number, content)
		data = data[n+size:]
	}
}

// unparsed returns the flaw that package protowire has a code for. The texts of its own errors
// differ from build to build.
func unparsed(code, at int) *flaw {
	if errors.Is(protowire.ParseError(code), io.ErrUnexpectedEOF) {
		return &flaw{err: ErrSyntax, at: at, found: "end of message"}
	}
	return &flaw{err: ErrSyntax, at: at, found: "malformed field"}
}
