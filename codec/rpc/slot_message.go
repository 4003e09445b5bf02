package rpc

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// The slots of messages and of properties.

// appendMessage appends a message as a field.
func appendMessage(dst []byte, n protowire.Number, m Message, c call) ([]byte, error) {
	c, err := c.inside(-1)
	if err != nil {
		return dst, err
	}

	dst = append(protowire.AppendTag(dst, n, protowire.BytesType), 0)
	begin := len(dst)
	if dst, err = appendFields(dst, m, c); err != nil {
		return dst, err
	}
	return closeDelimited(dst, begin), nil
}

// takeMessage reads a message that is a field, and merges it into m.
func takeMessage(m Message, o occurrence, c call) error {
	c, err := c.inside(o.at)
	if err != nil {
		return err
	}
	return takeFields(m, o.data, c, o.at)
}

func appendMessageJSON(dst []byte, m Message, c call) ([]byte, error) {
	c, err := c.inside(-1)
	if err != nil {
		return dst, err
	}
	return appendObject(dst, m, c)
}

func takeMessageJSON(m Message, r *reader, c call) error {
	c, err := c.inside(r.pos)
	if err != nil {
		return err
	}
	return r.message(m, c)
}

// bag is properties, a google.protobuf.Struct. Null without marks is absent.
type bag value.Value

func (*bag) wire() protowire.Type { return protowire.BytesType }
func (p *bag) clear()             { *p = bag{} }

func (p *bag) isSet() bool {
	v := (*value.Value)(p)
	return v.Kind() != value.KindNull || v.OwnSecret() || v.HasDependencies()
}

func (p *bag) appendProto(dst []byte, n protowire.Number, c call) ([]byte, error) {
	return appendProperties(dst, n, value.Value(*p), c, codec.Append)
}

func (p *bag) takeProto(o occurrence, c call) error {
	v, err := takeProperties(o, c, codec.Decode)
	*p = bag(v)
	return err
}

func (p *bag) appendJSON(dst []byte, c call) ([]byte, error) {
	if (*value.Value)(p).Kind() != value.KindObject {
		return dst, fail(codec.ErrKind, -1)
	}
	return appendValue(dst, value.Value(*p), c)
}

func (p *bag) takeJSON(r *reader, c call) error {
	v, err := r.value(c, codec.DecodeJSON)
	*p = bag(v)
	return err
}

// free is any value, a google.protobuf.Value. It is a pointer, since null is a value.
type free struct{ p **value.Value }

func (free) wire() protowire.Type { return protowire.BytesType }
func (s free) isSet() bool        { return *s.p != nil }
func (s free) clear()             { *s.p = nil }

func (s free) appendProto(dst []byte, n protowire.Number, c call) ([]byte, error) {
	return appendProperties(dst, n, **s.p, c, codec.AppendValue)
}

func (s free) takeProto(o occurrence, c call) error {
	v, err := takeProperties(o, c, codec.DecodeValue)
	*s.p = &v
	return err
}

func (s free) appendJSON(dst []byte, c call) ([]byte, error) {
	return appendValue(dst, **s.p, c)
}

func (s free) takeJSON(r *reader, c call) error {
	v, err := r.value(c, codec.DecodeJSONValue)
	*s.p = &v
	return err
}

// appendProperties appends properties as a field.
func appendProperties(
	dst []byte, n protowire.Number, v value.Value, c call, encode func([]byte, value.Value, codec.Options) ([]byte, error),
) ([]byte, error) {
	o, err := c.bag(-1)
	if err != nil {
		return dst, err
	}

	dst = append(protowire.AppendTag(dst, n, protowire.BytesType), 0)
	begin := len(dst)
	if dst, err = encode(dst, v, o); err != nil {
		return dst, fail(err, -1)
	}
	return closeDelimited(dst, begin), nil
}

func takeProperties(occ occurrence, c call, decode func([]byte, codec.Options) (value.Value, error)) (value.Value, error) {
	o, err := c.bag(occ.at)
	if err != nil {
		return value.Value{}, err
	}

	v, err := decode(occ.data, o)
	if err != nil {
		return value.Value{}, fail(err, occ.at)
	}
	return v, nil
}

// holdsProperties reports whether the occurrences of a slot must be joined before they
// are read.
func holdsProperties(s slot) bool {
	switch s.(type) {
	case *bag, free, optional[View, innerValue[View, *View]]:
		return true
	}
	return false
}

func appendValue(dst []byte, v value.Value, c call) ([]byte, error) {
	o, err := c.bag(-1)
	if err != nil {
		return dst, err
	}
	if dst, err = codec.AppendJSONValue(dst, v, o); err != nil {
		return dst, fail(err, -1)
	}
	return dst, nil
}
