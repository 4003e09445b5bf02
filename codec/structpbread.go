package codec

import (
	"slices"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// messageReader makes a value of messages in memory. It does not recurse:
// containers stand on a stack.
type messageReader struct {
	doc  document
	open []messageFrame
	keys []string // of all open Structs, sorted for each
}

// messageFrame is a message that is being read.
type messageFrame struct {
	fields map[string]*structpb.Value // of a Struct
	values []*structpb.Value          // of a ListValue
	object bool
	signed bool
	class  class
	keys   int // where those of the Struct begin
	n      int // children begun
	len    int
	used   int // messages around the message, and itself
}

// run reads what is open, and applies the policies.
func (r *messageReader) run() (v value.Value, err error) {
	for {
		top := &r.open[len(r.open)-1]
		done := true
		if top.n < top.len {
			v, done, err = r.child(top)
		} else if v, err = r.close(top); err == nil && len(r.open) == 0 {
			break
		}
		switch {
		case err != nil:
			return value.Value{}, err
		case done:
			r.put(v)
		}
	}
	v, err = lower(opFromStruct, v, &r.doc.opts)
	if err == nil {
		r.doc.report()
	}
	return v, err
}

func (r *messageReader) child(f *messageFrame) (v value.Value, done bool, err error) {
	f.n++
	used := f.used + jsonscan.Cost(f.object) - 1
	if !f.object {
		return r.value(f.values[f.n-1], used)
	}
	key := r.keys[f.keys+f.n-1]
	if !utf8.ValidString(key) {
		return v, false, r.fail(&Error{Want: "name in UTF-8", err: ErrUTF8}, len(r.open))
	}
	return r.value(f.fields[key], used)
}

// value reads a scalar and is done, or opens a container. It takes so many
// messages with those around it.
func (r *messageReader) value(m *structpb.Value, used int) (v value.Value, done bool, err error) {
	found, kind := "none", m.GetKind()
	if kind != nil && used > r.doc.opts.depth() {
		return v, false, r.fail(&Error{err: ErrDepth}, len(r.open))
	}
	switch k := kind.(type) {
	case *structpb.Value_NullValue:
		if k != nil {
			return v, true, nil
		}
	case *structpb.Value_NumberValue:
		if k != nil {
			return value.Number(k.NumberValue), true, nil
		}
	case *structpb.Value_StringValue:
		if k != nil {
			if !utf8.ValidString(k.StringValue) {
				return v, false, r.fail(&Error{err: ErrUTF8}, len(r.open))
			}
			return textOrUnknown(k.StringValue), true, nil
		}
	case *structpb.Value_BoolValue:
		if k != nil {
			return value.Bool(k.BoolValue), true, nil
		}
	case *structpb.Value_StructValue:
		if k != nil && k.StructValue != nil {
			return v, false, r.object(k.StructValue, used+1)
		}
		found = "nil"
	case *structpb.Value_ListValue:
		if k != nil && k.ListValue != nil {
			return v, false, r.enter(messageFrame{values: k.ListValue.GetValues(), len: len(k.ListValue.GetValues()), used: used + 1})
		}
		found = "nil"
	}
	return v, false, r.fail(&Error{Want: "a kind of value", Found: found, err: ErrKind}, len(r.open))
}

// object opens a Struct.
func (r *messageReader) object(s *structpb.Struct, used int) error {
	fields := s.GetFields()
	f := messageFrame{fields: fields, object: true, keys: len(r.keys), len: len(fields), used: used}
	for key := range fields {
		r.keys = append(r.keys, key)
	}
	slices.Sort(r.keys[f.keys:])
	if sig, ok := fields[SignatureKey]; ok {
		f.signed = true
		if text, _ := sig.GetKind().(*structpb.Value_StringValue); text != nil && text.StringValue == sigSecret {
			f.class = secret
		} else if text != nil && text.StringValue == sigOutput {
			f.class = output
			if flag, _ := fields["secret"].GetKind().(*structpb.Value_BoolValue); flag != nil && flag.BoolValue {
				f.class = secret
			}
		}
	}
	return r.enter(f)
}

func (r *messageReader) enter(f messageFrame) error {
	if f.used > r.doc.opts.depth() {
		return r.fail(&Error{err: ErrDepth}, len(r.open))
	}
	r.open = append(r.open, f)
	return nil
}

// put gives a value that was read to the container around it.
func (r *messageReader) put(v value.Value) {
	if top := &r.open[len(r.open)-1]; top.object {
		r.doc.build.PushMember(r.keys[top.keys+top.n-1], v)
	} else {
		r.doc.build.Push(v)
	}
}

// close makes the container on top of the stack, and of it what its signature
// says.
func (r *messageReader) close(f *messageFrame) (v value.Value, err error) {
	if !f.object {
		v = r.doc.build.Array(f.n)
	} else {
		v, _, _ = r.doc.build.Object(f.n)
	}
	if f.signed {
		if v, err = r.signature(f, v); err != nil {
			return v, err
		}
	}
	if f.object {
		r.keys = r.keys[:f.keys]
	}
	r.open = r.open[:len(r.open)-1]
	return v, nil
}

// signature makes what an object with a signature stands for.
func (r *messageReader) signature(f *messageFrame, v value.Value) (value.Value, error) {
	s := signature{provider: r.doc.opts.Provider, byteStrings: r.doc.opts.ByteStrings, object: v}
	out, t := s.open()
	around := len(r.open) - 1
	if t == nil {
		t = s.tooMany(&r.doc.merge, 0)
	}
	if t != nil {
		return out, r.fail(&Error{Want: t.want, Found: t.found, err: t.err}, around)
	}
	if !s.hasPlaintext {
		return out, nil
	}
	return r.doc.plaintext(opFromStruct, s.plaintext, f.used+jsonscan.Cost(true)-1, -1, r.spot(around))
}

// spot returns the place of the value that is being read in the innermost of the
// first n messages.
func (r *messageReader) spot(n int) spot {
	var s spot
	for i := range r.open[:n] {
		if f := &r.open[i]; f.object {
			s = s.into(f.class, path.Key(r.keys[f.keys+f.n-1]))
		} else {
			s = s.into(plain, path.Index(f.n-1))
		}
	}
	return s
}

func (r *messageReader) fail(e *Error, n int) error {
	e.Offset = -1
	return failAt(opFromStruct, e, r.spot(n))
}
