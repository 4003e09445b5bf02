package rpc

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/propalg/propalg/codec"
)

// The slots of scalars. A scalar is not written if it is zero, which the protocol
// takes for absent; where it distinguishes the two the field is a pointer.

type text string

func (*text) wire() protowire.Type { return protowire.BytesType }
func (p *text) isSet() bool        { return *p != "" }
func (p *text) clear()             { *p = "" }

func (p *text) appendProto(dst []byte, n protowire.Number, _ call) ([]byte, error) {
	if !utf8.ValidString(string(*p)) {
		return dst, fail(codec.ErrUTF8, -1)
	}
	dst = protowire.AppendTag(dst, n, p.wire())
	return protowire.AppendString(dst, string(*p)), nil
}

func (p *text) takeProto(o occurrence, c call) error {
	if !utf8.Valid(o.data) {
		return fail(codec.ErrUTF8, o.at)
	}
	*p = text(c.text(o.data))
	return nil
}

func (p *text) appendJSON(dst []byte, _ call) ([]byte, error) {
	return appendQuoted(dst, string(*p))
}

func (p *text) takeJSON(r *reader, _ call) error {
	s, err := r.str()
	*p = text(s)
	return err
}

type flag bool

func (*flag) wire() protowire.Type { return protowire.VarintType }
func (p *flag) isSet() bool        { return bool(*p) }
func (p *flag) clear()             { *p = false }

func (p *flag) appendProto(dst []byte, n protowire.Number, _ call) ([]byte, error) {
	dst = protowire.AppendTag(dst, n, p.wire())
	return protowire.AppendVarint(dst, protowire.EncodeBool(bool(*p))), nil
}

func (p *flag) takeProto(o occurrence, _ call) error {
	*p = o.number != 0
	return nil
}

func (p *flag) appendJSON(dst []byte, _ call) ([]byte, error) {
	return strconv.AppendBool(dst, bool(*p)), nil
}

func (p *flag) takeJSON(r *reader, _ call) error {
	b, err := r.boolean()
	*p = flag(b)
	return err
}

// integer is an int32 or an int64, which is a string in JSON.
type integer[N ~int32 | int64] struct{ p *N }

func (integer[N]) wire() protowire.Type { return protowire.VarintType }
func (s integer[N]) isSet() bool        { return *s.p != 0 }
func (s integer[N]) clear()             { *s.p = 0 }

func (s integer[N]) appendProto(dst []byte, n protowire.Number, _ call) ([]byte, error) {
	dst = protowire.AppendTag(dst, n, s.wire())
	return protowire.AppendVarint(dst, uint64(*s.p)), nil // negative numbers are sign-extended
}

func (s integer[N]) takeProto(o occurrence, _ call) error {
	*s.p = N(o.number) // of an int32 the upper half is dropped, as in protobuf
	return nil
}

func (s integer[N]) appendJSON(dst []byte, _ call) ([]byte, error) {
	if s.size() == 64 {
		return append(strconv.AppendInt(append(dst, '"'), int64(*s.p), 10), '"'), nil
	}
	return strconv.AppendInt(dst, int64(*s.p), 10), nil
}

func (s integer[N]) takeJSON(r *reader, _ call) error {
	n, err := r.integer(s.size())
	*s.p = N(n) // it has as many bits
	return err
}

// size returns the number of bits.
func (s integer[N]) size() int {
	if _, is64 := any(s.p).(*int64); is64 {
		return 64
	}
	return 32
}

// double is a float64. +0 is absent, -0 is not.
type double float64

func (*double) wire() protowire.Type { return protowire.Fixed64Type }
func (p *double) isSet() bool        { return math.Float64bits(float64(*p)) != 0 }
func (p *double) clear()             { *p = 0 }

func (p *double) appendProto(dst []byte, n protowire.Number, _ call) ([]byte, error) {
	dst = protowire.AppendTag(dst, n, p.wire())
	return protowire.AppendFixed64(dst, math.Float64bits(float64(*p))), nil
}

func (p *double) takeProto(o occurrence, _ call) error {
	*p = double(math.Float64frombits(o.number))
	return nil
}

func (p *double) appendJSON(dst []byte, _ call) ([]byte, error) {
	return appendDouble(dst, float64(*p)), nil
}

func (p *double) takeJSON(r *reader, _ call) error {
	f, err := r.double()
	*p = double(f)
	return err
}

type blob []byte

func (*blob) wire() protowire.Type { return protowire.BytesType }
func (p *blob) isSet() bool        { return len(*p) > 0 }
func (p *blob) clear()             { *p = nil }

func (p *blob) appendProto(dst []byte, n protowire.Number, _ call) ([]byte, error) {
	dst = protowire.AppendTag(dst, n, p.wire())
	return protowire.AppendBytes(dst, *p), nil
}

func (p *blob) takeProto(o occurrence, _ call) error {
	*p = append([]byte(nil), o.data...) // nil if empty, which is absent
	return nil
}

func (p *blob) appendJSON(dst []byte, _ call) ([]byte, error) {
	return append(base64.StdEncoding.AppendEncode(append(dst, '"'), *p), '"'), nil
}

func (p *blob) takeJSON(r *reader, _ call) error {
	b, err := r.blob()
	*p = b
	return err
}

// enumeration is an enum of the protocol. As in protobuf, numbers without a name are
// kept.
type enumeration interface {
	~int32
	String() string
	number(name string) (n int32, ok bool)
}

type enum[E enumeration] struct{ integer[E] }

func enumOf[E enumeration](p *E) slot { return enum[E]{integer[E]{p}} }

func (s enum[E]) appendJSON(dst []byte, c call) ([]byte, error) {
	name := (*s.p).String()
	if _, ok := (*s.p).number(name); !ok {
		return s.integer.appendJSON(dst, c)
	}
	return appendQuoted(dst, name)
}

func (s enum[E]) takeJSON(r *reader, c call) error {
	begin := r.pos
	if !r.at('"') {
		return s.integer.takeJSON(r, c)
	}
	name, err := r.str()
	if err != nil {
		return err
	}

	n, ok := (*s.p).number(name)
	if !ok {
		return r.other(begin, "a name or number of the enum", "an unknown name")
	}
	*s.p = E(n)
	return nil
}
