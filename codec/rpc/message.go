package rpc

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/propalg/propalg/codec"
)

// Message is one message of the protocol: a pointer to one of the structs of
// this package. There are no others.
type Message interface {
	// MessageName is the full name in the protocol, such as
	// "pulumirpc.DiffRequest". Of a struct that stands for several messages it
	// is the first of them.
	MessageName() string
	// AppendProto appends the message's bytes to dst. On an error dst comes back
	// as it was.
	AppendProto(dst []byte) ([]byte, error)
	// MarshalProto returns the message's bytes.
	MarshalProto() ([]byte, error)
	// UnmarshalProto reads a message from bytes, in place of what was there.
	UnmarshalProto(data []byte) error

	// field is the i-th field in the order of numbers. Its slot is nil where
	// there are no more.
	field(i int) field
	// rest is where fields go that the struct has not; nil if the message is.
	rest() *[]byte
	// reset makes the message an empty one.
	reset()
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
	oneof  string // of the fields with the same one, at most one is set
	hidden bool   // texts for people do not show it
}

// slot is the place of a field in its struct, with all that can be done to it.
// Slots are pointers (or structs of one pointer), so that making them allocates
// nothing. Methods get what they need by value, or else it would escape.
type slot interface {
	wire() protowire.Type // of one occurrence
	isSet() bool          // it has to be written
	clear()
	appendProto(dst []byte, n protowire.Number, c call) ([]byte, error)
	takeProto(o occurrence, c call) error
	appendJSON(dst []byte, c call) ([]byte, error)
	takeJSON(r *reader, c call) error
}

// occurrence is what bytes hold once for a field: a number, or contents and the
// offset at which they stand.
type occurrence struct {
	number uint64
	data   []byte
	at     int
	from   []byte // the message from this occurrence on
}

// call is one use of the codec: what it was told, and how many messages are
// open, the one at hand included.
type call struct {
	opts  codec.Options
	names Names
	show  bool // JSON for people: see appendDisplay
	level int
}

// limit is the number of messages that may be open.
func (c *call) limit() int {
	if c.opts.Depth == 0 {
		return codec.DefaultDepth
	}
	return c.opts.Depth
}

// inside returns the call for one message further in.
func (c call) inside(at int) (call, error) {
	if c.level++; c.level > c.limit() {
		return c, fail(codec.ErrDepth, at)
	}
	return c, nil
}

// bag returns the options for properties in the message at hand: they may nest
// as far as protobuf lets them, which counts the messages around them.
func (c call) bag(at int) (codec.Options, error) {
	o := c.opts
	if o.Depth = c.limit() - c.level; o.Depth <= 0 {
		return o, fail(codec.ErrDepth, at)
	}
	return o, nil
}

// present says whether there is a message, and not just a pointer's type.
func present(m Message) bool { return m != nil && m.rest() != nil }

// lookup finds a field by number. Fields mostly come in the order of numbers, so
// it begins at the field behind the last one found.
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

// named finds a field by either of its names, as lookup does by number.
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

// rivals yields the other fields of a oneof.
func rivals(m Message, f *field) func(yield func(field) bool) {
	return func(yield func(field) bool) {
		for i := 0; f.oneof != ""; i++ {
			other := m.field(i)
			if other.slot == nil || other.oneof == f.oneof && other.number != f.number && !yield(other) {
				return
			}
		}
	}
}

// contested is the error for a field that is set beside another one of the same
// oneof.
func contested(m Message, f *field) error {
	for other := range rivals(m, f) {
		if other.slot.isSet() {
			e := fail(ErrOneof, -1)
			e.Found = other.name + " beside it"
			return e
		}
	}
	return nil
}
