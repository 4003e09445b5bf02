package rpc

import "github.com/propalg/propalg/codec"

// Names says what becomes of names in a JSON text that a message has not.
type Names uint8

// What can become of such a name.
const (
	RejectNames Names = iota // an error that wraps [ErrField]
	SkipNames                // it is passed over with its value, which JSON has no place to keep
)

// String returns "reject names" or "skip names".
func (n Names) String() string {
	switch n {
	case RejectNames:
		return "reject names"
	case SkipNames:
		return "skip names"
	}
	return "invalid names"
}

// Wire reads and writes messages. It says what becomes of the properties in
// them; the zero Wire keeps everything, and is what a message's own methods use.
// A Wire may be used by several goroutines, but for [codec.Options.Report].
//
// The depth of its options counts the message and those around the properties,
// as protobuf-go does.
type Wire struct {
	Options codec.Options // for the properties in the messages
	Names   Names         // for names in JSON texts
}

func (w Wire) call() call { return call{opts: w.Options, names: w.Names} }

// Append appends a message's bytes to dst, always the same for the same message:
// fields in the order of their numbers, maps sorted by key, and last
// Unrecognized as it is. On an error, an [*Error], dst comes back as it was.
func (w Wire) Append(dst []byte, m Message) ([]byte, error) {
	const op = "encode"
	if !present(m) {
		return dst, finish(fail(ErrMessage, -1), op, nil)
	}
	c, err := w.call().inside(-1)
	if err != nil {
		return dst, finish(err, op, m)
	}
	out, err := appendFields(dst, m, c)
	if err != nil {
		return dst, finish(err, op, m)
	}
	return out, nil
}

// Marshal returns a message's bytes; see [Wire.Append].
func (w Wire) Marshal(m Message) ([]byte, error) { return w.Append(nil, m) }

// Unmarshal reads a message from bytes, in place of what was in m. It takes and
// refuses what protobuf-go does, and means the same: what stands twice is merged
// or the last one wins, fields that are unknown or of another type on the wire
// go to Unrecognized. On an error, an [*Error], m is empty. Nothing of data is
// kept.
func (w Wire) Unmarshal(data []byte, m Message) error {
	const op = "decode"
	if !present(m) {
		return finish(fail(ErrMessage, -1), op, nil)
	}
	m.reset()
	c, err := w.call().inside(0)
	if err == nil {
		err = takeFields(m, data, c, 0)
	}
	if err != nil {
		m.reset()
	}
	return finish(err, op, m)
}

// AppendJSON appends protobuf's JSON form of a message to dst: names in lower
// camel case, what is not set left out, enums by name, 64-bit integers as
// strings, bytes in standard base64, no white space. It has no place for
// Unrecognized. SECRETS STAND IN IT IN FULL unless the options say otherwise; the
// message's own MarshalJSON is for people. On an error, an [*Error], dst comes
// back as it was.
func (w Wire) AppendJSON(dst []byte, m Message) ([]byte, error) {
	const op = "encode json"
	if !present(m) {
		return dst, finish(fail(ErrMessage, -1), op, nil)
	}
	c, err := w.call().inside(-1)
	if err != nil {
		return dst, finish(err, op, m)
	}
	out, err := appendObject(dst, m, c)
	if err != nil {
		return dst, finish(err, op, m)
	}
	return out, nil
}

// DecodeJSON reads a message from protobuf's JSON form, in place of what was in
// m. It takes what protojson takes: names in lower camel case or as the protocol
// spells them, enums by name or number, integers as numbers or strings, base64 of
// both alphabets, null for what is not set. What is read shares the memory of one
// copy of the text. On an error, an [*Error], m is empty.
func (w Wire) DecodeJSON(text []byte, m Message) error { return w.decodeText(string(text), m) }

// decodeText is DecodeJSON of a text whose memory the message may share.
func (w Wire) decodeText(text string, m Message) error {
	const op = "decode json"
	if !present(m) {
		return finish(fail(ErrMessage, -1), op, nil)
	}
	m.reset()
	c, err := w.call().inside(0)
	if err == nil {
		err = (&reader{text: text}).document(m, c)
	}
	if err != nil {
		m.reset()
	}
	return finish(err, op, m)
}

// protoOf and protoTo are what the methods of every message do.
func protoOf(dst []byte, m Message) ([]byte, error) { return Wire{}.Append(dst, m) }

func protoTo(data []byte, m Message) error { return Wire{}.Unmarshal(data, m) }
