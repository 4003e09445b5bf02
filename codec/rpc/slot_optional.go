package rpc

import "google.golang.org/protobuf/encoding/protowire"

// The slots of scalars and messages that may be absent.

// valueKind makes the slot of a V that is behind a pointer or in a map.
type valueKind[V any] interface{ of(v *V) slot }

type (
	textValue                       struct{}
	flagValue                       struct{}
	blobValue                       struct{}
	innerValue[T any, P message[T]] struct{}
)

func (textValue) of(v *string) slot   { return (*text)(v) }
func (flagValue) of(v *bool) slot     { return (*flag)(v) }
func (blobValue) of(v *[]byte) slot   { return (*blob)(v) }
func (innerValue[T, P]) of(v *T) slot { return inner[T, P]{v} }

// optional is a scalar or a message that may be absent.
type optional[V any, K valueKind[V]] struct{ p **V }

func optionalTextOf(p **string) slot { return optional[string, textValue]{p} }
func optionalFlagOf(p **bool) slot   { return optional[bool, flagValue]{p} }

func optionalMessageOf[T any, P message[T]](p **T) slot {
	return optional[T, innerValue[T, P]]{p}
}

// value returns the slot of the value, which must be present for all but wire.
func (s optional[V, K]) value() slot {
	var kind K
	return kind.of(*s.p)
}

func (s optional[V, K]) wire() protowire.Type { return s.value().wire() }
func (s optional[V, K]) isSet() bool          { return *s.p != nil }
func (s optional[V, K]) clear()               { *s.p = nil }

func (s optional[V, K]) appendProto(dst []byte, n protowire.Number, c call) ([]byte, error) {
	return s.value().appendProto(dst, n, c)
}

func (s optional[V, K]) takeProto(o occurrence, c call) error {
	if *s.p == nil {
		*s.p = new(V)
	}
	return s.value().takeProto(o, c)
}

func (s optional[V, K]) appendJSON(dst []byte, c call) ([]byte, error) {
	return s.value().appendJSON(dst, c)
}

func (s optional[V, K]) takeJSON(r *reader, c call) error {
	*s.p = new(V)
	return s.value().takeJSON(r, c)
}

// inner is a message in memory that exists: behind a pointer, or in a map.
type inner[T any, P message[T]] struct{ p *T }

func (inner[T, P]) wire() protowire.Type { return protowire.BytesType }
func (inner[T, P]) isSet() bool          { return true }
func (s inner[T, P]) clear()             { P(s.p).reset() }

func (s inner[T, P]) appendProto(dst []byte, n protowire.Number, c call) ([]byte, error) {
	return appendMessage(dst, n, P(s.p), c)
}

func (s inner[T, P]) takeProto(o occurrence, c call) error {
	return takeMessage(P(s.p), o, c)
}

func (s inner[T, P]) appendJSON(dst []byte, c call) ([]byte, error) {
	return appendMessageJSON(dst, P(s.p), c)
}

func (s inner[T, P]) takeJSON(r *reader, c call) error {
	return takeMessageJSON(P(s.p), r, c)
}
