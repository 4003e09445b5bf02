package rpc

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/given"
)

// Message is a message of the protocol: a pointer to one of the structs of this
// package. No other type implements it.
type Message interface {
	// name is the full name in the protocol, of the first message if the struct
	// serves several.
	name() string
	// field returns the i-th field in the order of numbers. Its slot is nil past
	// the last field.
	field(i int) field
	// isNil reports whether the pointer is nil. Then no other method may be called.
	isNil() bool
	// unrecognized returns the place of fields that the struct does not have.
	unrecognized() *[]byte
	// reset empties the message.
	reset()
}

// Name returns a message's full name, such as "pulumirpc.DiffRequest". If several messages
// of the protocol have the same Go type, it is the name of the first. It is empty if m is
// nil or a nil pointer.
func Name(m Message) string {
	if !present(m) {
		return ""
	}
	return m.name()
}

// message is a pointer to a T that is a message.
type message[T any] interface {
	*T
	Message
}

// field is one field of a message.
type field struct {
	number protowire.Number
	name   string // as the protocol spells it
	json   string // the name in protobuf's JSON form
	slot   slot
	oneof  string // at most one of the fields with the same oneof is set
}

// slot refers to a field's place in its struct and has the operations on it.
// Slots are pointers (or structs of one pointer), so that making one does not
// allocate. Their methods take arguments by value, since pointers passed through an
// interface would escape to the heap.
type slot interface {
	wire() protowire.Type // of one occurrence, read or written
	isSet() bool          // it has to be written
	clear()
	appendProto(dst []byte, n protowire.Number, c call) ([]byte, error)
	takeProto(o occurrence, c call) error
	appendJSON(dst []byte, c call) ([]byte, error)
	takeJSON(r *reader, c call) error
}

// occurrence is one occurrence of a field in bytes: a number, or contents and their
// offset.
type occurrence struct {
	number uint64
	data   []byte
	at     int
	from   []byte // the message from this occurrence on
}

// call is one use of the codec: its options, and how many messages are open,
// including the one being read or written.
type call struct {
	opts    codec.Options
	discard bool // see Options.DiscardUnknown
	level   int
}

func (o Options) call() call { return call{opts: o.Properties, discard: o.DiscardUnknown} }

// limit returns how many messages may be open.
func (c *call) limit() int {
	if c.opts.Depth == 0 {
		return codec.DefaultDepth
	}
	return c.opts.Depth
}

// text returns the text of bytes of the message.
func (c *call) text(data []byte) string {
	if c.opts.OwnBytes {
		return given.Alias(data)
	}
	return string(data)
}

// inside returns the call for one message further in.
func (c call) inside(at int) (call, error) {
	if c.level++; c.level > c.limit() {
		return c, fail(codec.ErrDepth, at)
	}
	return c, nil
}

// bag returns the options for properties in the open message. Protobuf's limit on
// their nesting counts the messages around them.
func (c call) bag(at int) (codec.Options, error) {
	o := c.opts
	if o.Depth = c.limit() - c.level; o.Depth <= 0 {
		return o, fail(codec.ErrDepth, at)
	}
	return o, nil
}

// present reports whether m is a message and not a nil interface or pointer.
func present(m Message) bool { return m != nil && !m.isNil() }

// lookup finds a field by number and returns its index. Fields usually occur in the
// order of numbers, so the search begins at the index of the last one found.
func lookup(m Message, n protowire.Number, from int) (f field, i int) {
	for i = from; ; i++ {
		if f = m.field(i); f.slot == nil || f.number > n {
			break
		}
		if f.number == n {
			return f, i
		}
	}
	for i = range from {
		if f = m.field(i); f.number >= n {
			break
		}
	}
	if f.number == n {
		return f, i
	}

	return field{}, 0
}

// named finds a field by either of its names; from is as in lookup.
func named(m Message, name string, from int) (f field, i int) {
	for i = from; ; i++ {
		if f = m.field(i); f.slot == nil {
			break
		}
		if f.json == name || f.name == name {
			return f, i
		}
	}
	for i = range from {
		if f = m.field(i); f.json == name || f.name == name {
			return f, i
		}
	}

	return field{}, 0
}

// rivals yields the other fields of f's oneof, which f must have.
func rivals(m Message, f *field) func(yield func(field) bool) {
	return func(yield func(field) bool) {
		for i := 0; ; i++ {
			other := m.field(i)
			if other.slot == nil {
				return
			}

			isRival := other.oneof == f.oneof && other.number != f.number
			if isRival && !yield(other) {
				return
			}
		}
	}
}

// contested returns an error if another field of f's oneof is set as well.
func contested(m Message, f *field) error {
	if f.oneof == "" {
		return nil
	}

	for other := range rivals(m, f) {
		if other.slot.isSet() {
			e := fail(ErrOneof, -1)
			e.Found = other.name + " as well"
			return e
		}
	}
	return nil
}
