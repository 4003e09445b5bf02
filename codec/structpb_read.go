package codec

import (
	"maps"
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const opFromStruct = "from structpb"

// mergeableMessage is what [mergeable] is for texts.
const mergeableMessage = 1 << 21

// FromMessage returns the property bag of a message, by the rules of [Decode]. It
// returns null for a nil message, which generated code has for a field that was not sent.
// If the value is not an object (with marks or without), or something inside the message
// is nil, the error wraps [ErrKind]; for a string that is not UTF-8 it wraps [ErrUTF8].
// The value shares only the strings of the message. The error is an [*Error].
func FromMessage(s *structpb.Struct, o Options) (value.Value, error) {
	if err := o.check(opFromStruct); err != nil || s == nil {
		return value.Value{}, err
	}
	v, err := fromMessage(structpb.NewStructValue(s), true, &o)
	return bag(opFromStruct, -1, v, err)
}

// FromMessageValue returns the value of a message, of any kind, as [FromMessage] does for a bag. If
// the message, or one inside it, is nil or has no kind, the error wraps [ErrKind].
func FromMessageValue(m *structpb.Value, o Options) (value.Value, error) {
	if err := o.check(opFromStruct); err != nil {
		return value.Value{}, err
	}
	return fromMessage(m, false, &o)
}

// fromMessage reads a message and applies the policies.
func fromMessage(m *structpb.Value, isStruct bool, o *Options) (value.Value, error) {
	v, err := readMessage(opFromStruct, m, isStruct, mergeableMessage, o)
	if err != nil {
		return value.Value{}, err
	}
	return lower(opFromStruct, v, o)
}

// readMessage reads a message. One that has a fault is read again with care.
func readMessage(op string, m *structpb.Value, isStruct bool, merge int, o *Options) (value.Value, error) {
	used := 1
	if isStruct {
		used = 0
	}
	r := messageReader{op: op, opts: *o, merge: merge, blind: true}
	var n messageCount
	if n.add(m, o.depth()-used) {
		r.build.Reserve(n.members, n.elems)
	}
	v, err := r.value(m, used)
	if err != nil {
		r = messageReader{op: op, opts: *o, merge: merge}
		v, err = r.value(m, used)
	}
	if err == nil {
		r.report()
	}
	return v, err
}

// messageCount is how many children the containers of a message have, all together.
type messageCount struct{ members, elems int }

// add counts the children of a message; false for one that is nested beyond so many
// messages, as is one that is in itself.
func (n *messageCount) add(m *structpb.Value, depth int) bool {
	if depth < 0 {
		return false
	}

	ok := true
	switch k := m.GetKind().(type) {
	case *structpb.Value_StructValue:
		if k == nil {
			return false
		}
		n.members += len(k.StructValue.GetFields())
		for _, child := range k.StructValue.GetFields() {
			ok = ok && n.add(child, depth-jsonscan.Cost(true))
		}
	case *structpb.Value_ListValue:
		if k == nil {
			return false
		}
		n.elems += len(k.ListValue.GetValues())
		for _, child := range k.ListValue.GetValues() {
			ok = ok && n.add(child, depth-jsonscan.Cost(false))
		}
	}
	return ok
}

// messageReader makes a value of messages in memory, also of those that protobuf-go made of
// bytes where [protoReader] gave up. A message that is in itself ends at the limit on depth.
type messageReader struct {
	op      string
	opts    Options
	build   value.Builder
	rounded roundings // numbers in plaintexts
	merge   int       // see mergeable
	open    []frame   // the containers around what is being read, outermost first
	blind   bool      // open is not kept; what fails is read again, in the order of names
}

type frame struct {
	key    string // of the member that is being read
	n      int    // elements before the one that is being read
	object bool
	class  class
}

// enter, at and leave note where the reader is.
func (r *messageReader) enter(f frame) {
	if !r.blind {
		r.open = append(r.open, f)
	}
}

func (r *messageReader) at(key string, n int) {
	if !r.blind {
		top := &r.open[len(r.open)-1]
		top.key, top.n = key, n
	}
}

func (r *messageReader) leave() {
	if !r.blind {
		r.open = r.open[:len(r.open)-1]
	}
}

func (r *messageReader) position() position {
	var s position
	for _, f := range r.open {
		step := path.Index(f.n)
		if f.object {
			step = path.Key(f.key)
		}
		s = s.into(f.class, step)
	}
	return s
}

// fail returns the error of what is being read.
func (r *messageReader) fail(t *trouble) error {
	return failAt(r.op, &Error{Offset: -1, Want: t.want, Found: t.found, err: t.err}, r.position())
}

// signature returns the value of an object with a signature, with used messages around
// its fields.
func (r *messageReader) signature(object value.Value, used int) (value.Value, error) {
	s := signature{provider: r.opts.Provider, byteStrings: r.opts.ByteStrings, object: object}
	v, t := s.open()
	if t == nil {
		t = s.tooMany(&r.merge, 0)
	}
	if t != nil {
		return v, r.fail(t)
	}
	if s.hasPlaintext && r.blind && r.opts.Report != nil { // which needs places
		return v, r.fail(&trouble{err: ErrNumber})
	}
	if s.hasPlaintext {
		return r.plaintext(s.plaintext, used+jsonscan.Cost(true)-1)
	}

	return v, nil
}

// plaintext reads the JSON text that a secret has instead of a value, with so many
// messages around it. The path of an error leads into it.
func (r *messageReader) plaintext(text string, used int) (value.Value, error) {
	at := r.position().as(secret)
	inner := plaintextReader(text, used, r.merge, &r.opts)
	v, fault := inner.read()
	if fault != nil {
		e, at := fault.locate(at)
		e.Offset = -1
		return v, failAt(r.op, inPlaintext(e), at)
	}

	r.merge = inner.merge
	if inner.rounded && r.opts.Report != nil {
		r.rounded.find(text, inner.layer, at)
	}
	return value.Secret(v), nil
}

// report adds the numbers that were rounded to the Report.
func (r *messageReader) report() {
	if r.opts.Report != nil {
		r.opts.Report.resolve(&r.rounded)
	}
}

func (r *messageReader) value(m *structpb.Value, used int) (v value.Value, err error) {
	found, kind := "none", m.GetKind()
	if kind != nil && used > r.opts.depth() {
		return v, r.fail(&trouble{err: ErrDepth})
	}

	switch k := kind.(type) {
	case *structpb.Value_NullValue:
		if k != nil {
			return v, nil
		}
	case *structpb.Value_NumberValue:
		if k != nil {
			return value.Number(k.NumberValue), nil
		}
	case *structpb.Value_StringValue:
		if k != nil {
			if !isUTF8(k.StringValue) {
				return v, r.fail(&trouble{err: ErrUTF8})
			}
			return textOrUnknown(k.StringValue), nil
		}
	case *structpb.Value_BoolValue:
		if k != nil {
			return value.Bool(k.BoolValue), nil
		}
	case *structpb.Value_StructValue:
		if k != nil && k.StructValue != nil {
			return r.object(k.StructValue, used+1)
		}

		found = "nil"
	case *structpb.Value_ListValue:
		if k != nil && k.ListValue != nil {
			return r.array(k.ListValue, used+1)
		}
		found = "nil"
	}
	return v, r.fail(&trouble{err: ErrKind, want: "a kind of value", found: found})
}

func (r *messageReader) array(l *structpb.ListValue, used int) (v value.Value, err error) {
	if used > r.opts.depth() {
		return v, r.fail(&trouble{err: ErrDepth})
	}
	r.enter(frame{})
	for i, m := range l.GetValues() {
		r.at("", i)
		v, err = r.value(m, used+jsonscan.Cost(false)-1)
		if err != nil {
			return v, err
		}
		r.build.Push(v)
	}

	r.leave()
	return r.build.Array(len(l.GetValues())), nil
}

// object reads a Struct, and of it what its signature says.
func (r *messageReader) object(s *structpb.Struct, used int) (v value.Value, err error) {
	if used > r.opts.depth() {
		return v, r.fail(&trouble{err: ErrDepth})
	}

	fields := s.GetFields()
	_, signed := fields[SignatureKey]
	if r.blind {
		for key, m := range fields {
			if err := r.member(key, m, used); err != nil {
				return v, err
			}
		}
	} else {
		r.enter(frame{object: true, class: classOfFields(fields)})
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			if err := r.member(key, fields[key], used); err != nil {
				return v, err
			}
		}
		r.leave()
	}

	v, _, _ = r.build.Object(len(fields))
	if signed {
		return r.signature(v, used)
	}
	return v, nil
}

func (r *messageReader) member(key string, m *structpb.Value, used int) error {
	r.at(key, 0)
	if !isUTF8(key) {
		return r.fail(&trouble{err: ErrUTF8, want: "name in UTF-8"})
	}
	v, err := r.value(m, used+jsonscan.Cost(true)-1)
	if err != nil {
		return err
	}

	r.build.PushMember(key, v)
	return nil
}

func classOfFields(fields map[string]*structpb.Value) class {
	sig, _ := fields[SignatureKey].GetKind().(*structpb.Value_StringValue)
	if sig == nil {
		return plain
	}
	flag, _ := fields["secret"].GetKind().(*structpb.Value_BoolValue)
	return classOf(sig.StringValue, flag != nil && flag.BoolValue)
}

// textOrUnknown returns a string, or the unknown that a sentinel means.
func textOrUnknown(s string) value.Value {
	if hint, ok := sentinelHint(s); ok {
		return value.UnknownOf(hint)
	}
	return value.String(s)
}
