package rpc

import (
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/given"
)

// Options selects how messages are written and read. The zero Options keeps
// everything. Options may be used by several goroutines, except for
// [codec.Options.Report].
type Options struct {
	// Properties are the options for the property values in messages. Their Depth also
	// counts the messages around the properties, as protobuf-go does. Their OwnBytes
	// applies to the whole message.
	Properties codec.Options
	// DiscardUnknown makes reading JSON skip members that a message does not have.
	// Otherwise such a member is an error that wraps [ErrField].
	DiscardUnknown bool
}

// The operations that errors name.
const (
	opEncode     = "encode"
	opEncodeJSON = "encode json"
	opDecode     = "decode"
	opDecodeJSON = "decode json"
)

// Append appends a message's bytes to dst. The same message always gives the same
// bytes: fields in the order of their numbers, maps sorted by key, and last
// Unrecognized as it is. On an error, an [*Error], it returns dst unchanged.
func Append(dst []byte, m Message, o Options) ([]byte, error) {
	return encode(opEncode, dst, m, o, appendFields)
}

// AppendJSON appends protobuf's JSON form of a message to dst. Names are in lower
// camel case, unset fields are left out, enums are written by name, 64-bit integers
// as strings, and bytes in standard base64, without white space. Unrecognized is
// lost.
//
// SECRETS ARE WRITTEN IN FULL unless the options say otherwise. For logs, print the
// message itself, which masks them. On an error, an [*Error], it returns dst unchanged.
func AppendJSON(dst []byte, m Message, o Options) ([]byte, error) {
	return encode(opEncodeJSON, dst, m, o, appendObject)
}

// encode appends a message by one of the two functions that write one.
func encode(op string, dst []byte, m Message, o Options, write func([]byte, Message, call) ([]byte, error)) ([]byte, error) {
	if !present(m) {
		return dst, finish(fail(ErrMessage, -1), op, nil)
	}

	c, err := o.call().inside(-1)
	if err != nil {
		return dst, finish(err, op, m)
	}
	out, err := write(dst, m, c)
	if err != nil {
		return dst, finish(err, op, m)
	}
	return out, nil
}

// Decode reads a message from bytes and replaces the contents of m. It accepts and
// refuses what protobuf-go does, with the same meaning: if a field occurs several times,
// the last one wins or all are merged; fields that are unknown, or have another type on
// the wire, go to Unrecognized. On an error, an [*Error], m is empty.
//
// The message keeps no part of data, unless [codec.Options.OwnBytes] is set: then its
// texts and properties are parts of data. Fields that are bytes, and Unrecognized, are
// always copies.
func Decode(data []byte, m Message, o Options) error {
	if o.Properties.OwnBytes {
		data = given.Bytes(data)
	}
	return decode(opDecode, m, o, func(c call) error { return takeFields(m, data, c, 0) })
}

// DecodeJSON reads a message from protobuf's JSON form. It replaces the contents of m
// and accepts what protojson does: names in lower camel case or as the protocol
// spells them, enums by name or number, integers as numbers or strings, base64 of
// both alphabets, and null for an unset field. The message shares the memory of one
// copy of the text, or of the text itself if [codec.Options.OwnBytes] is set. On an
// error, an [*Error], m is empty.
func DecodeJSON(text []byte, m Message, o Options) error {
	return decodeText(given.Text(text, o.Properties.OwnBytes), m, o)
}

// decodeText is DecodeJSON of a text whose memory the message may share.
func decodeText(text string, m Message, o Options) error {
	r := reader{text: text}
	return decode(opDecodeJSON, m, o, func(c call) error { return r.document(m, c) })
}

// decode empties a message and fills it by one of the two functions that read one.
func decode(op string, m Message, o Options, read func(c call) error) error {
	if !present(m) {
		return finish(fail(ErrMessage, -1), op, nil)
	}
	m.reset()

	c, err := o.call().inside(0)
	if err == nil {
		err = read(c)
	}
	if err != nil {
		m.reset()
	}
	return finish(err, op, m)
}
