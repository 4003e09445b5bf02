package codec

import (
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/value"
)

const (
	opFromStruct = "from structpb"
)

// mergeableMessage is what [mergeable] is for texts.
const mergeableMessage = 1 << 21

// FromStruct makes an object of a message, by the rules of [DecodeStruct]: it
// has to be one (marks do not matter), or the error wraps [ErrKind]. A nil
// message, which is what generated code has for a field that was not sent, gives
// null. What is nil inside of it is an error that wraps [ErrKind], and a text
// that is no UTF-8, which no bytes can hold, one that wraps [ErrUTF8]. The value
// shares the texts, and nothing else. The error is an [*Error].
func FromStruct(s *structpb.Struct, o Options) (value.Value, error) {
	if err := o.check(opFromStruct); err != nil || s == nil {
		return value.Value{}, err
	}
	fast := newTreeReader(&o)
	v, ok := fast.document(inside{fields: s}, 1)
	var err error
	if ok {
		v, err = lower(opFromStruct, v, &o)
	} else {
		v, err = readStruct(s, o)
	}
	if err != nil {
		return value.Value{}, err
	}
	if k := v.Kind(); k != value.KindObject {
		return value.Value{}, &Error{Op: opFromStruct, Offset: -1, Want: value.KindObject.String(), Found: k.String(), err: ErrKind}
	}
	return v, nil
}

// readStruct reads any message, and makes the errors.
func readStruct(s *structpb.Struct, o Options) (value.Value, error) {
	r := messageReader{doc: document{opts: o, merge: mergeableMessage}}
	if err := r.object(s, 1); err != nil {
		return value.Value{}, err
	}
	return r.run()
}

// FromValue makes a value of a message as [FromStruct] does; any kind will do,
// but nil is an error, as a Value that holds nothing is.
func FromValue(m *structpb.Value, o Options) (value.Value, error) {
	if err := o.check(opFromStruct); err != nil {
		return value.Value{}, err
	}
	v, in, ok := read(m)
	if ok && in != (inside{}) {
		fast := newTreeReader(&o)
		v, ok = fast.document(in, 2)
	}
	if ok {
		return lower(opFromStruct, v, &o)
	}
	return readValue(m, o)
}

// readValue is [readStruct] for a Value.
func readValue(m *structpb.Value, o Options) (value.Value, error) {
	r := messageReader{doc: document{opts: o, merge: mergeableMessage}}
	v, done, err := r.value(m, 1)
	switch {
	case err != nil:
		return value.Value{}, err
	case done:
		return lower(opFromStruct, v, &o)
	}
	return r.run()
}
