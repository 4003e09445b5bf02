package codec

import (
	"slices"

	"github.com/propalg/propalg/value"
)

const (
	opDecodeProto = "decode protobuf"
	opEncodeProto = "encode protobuf"
)

// DecodeStruct reads the bytes of a google.protobuf.Struct, which is how bags of
// properties travel: what it makes has to be an object (marks do not matter), or
// the error wraps [ErrKind]. The value keeps nothing of the bytes but copies of
// its texts, which share memory. It takes and refuses the bytes that protobuf-go does, and
// finds the same in them, but that a Value which holds nothing is an error; see
// the package comment. The error is an [*Error].
func DecodeStruct(data []byte, o Options) (value.Value, error) {
	v, err := decodeProto(data, true, o)
	if err != nil {
		return value.Value{}, err
	}
	if k := v.Kind(); k != value.KindObject {
		return value.Value{}, &Error{Op: opDecodeProto, Want: value.KindObject.String(), Found: k.String(), err: ErrKind}
	}
	return v, nil
}

// DecodeValue reads the bytes of a google.protobuf.Value as [DecodeStruct] reads
// those of a Struct; any kind will do.
func DecodeValue(data []byte, o Options) (value.Value, error) {
	return decodeProto(data, false, o)
}

func decodeProto(data []byte, isStruct bool, o Options) (value.Value, error) {
	if err := o.check(opDecodeProto); err != nil {
		return value.Value{}, err
	}
	var fast fastReader
	fast.begin(data, &o)
	v, ok := fast.document(isStruct)
	if !ok {
		var err error
		if v, err = mergeProto(string(data), isStruct, o); err != nil {
			return value.Value{}, err
		}
	}
	return lower(opDecodeProto, v, &o)
}

// mergeProto reads any bytes, and makes the errors.
func mergeProto(text string, isStruct bool, o Options) (value.Value, error) {
	kind := messageValue
	if isStruct {
		kind = messageStruct
	}
	c := checker{text: text, limit: o.depth()}
	if f := c.run(kind); f != nil {
		return value.Value{}, failAt(opDecodeProto, &Error{Offset: f.at, Want: f.want, Found: f.found, err: f.err}, c.spot())
	}
	r := mergeReader{text: text, op: opDecodeProto, doc: document{opts: o, merge: mergeable(text)}}
	v, err := r.document(isStruct)
	if err == nil {
		r.doc.report()
	}
	return v, err
}

// AppendStruct appends the bytes of a google.protobuf.Struct to dst: those that
// protobuf-go writes when it is told to be deterministic, so that a value has one
// form. The value has to be an object (marks do not matter), or the error wraps
// [ErrKind]. Beside memory that is kept for the next message, nothing is allocated but
// the room that dst lacks. On error dst comes back as it was, and unused; the error is
// an [*Error] for one of the causes that the package comment lists.
func AppendStruct(dst []byte, v value.Value, o Options) ([]byte, error) {
	return appendProto(dst, v, true, o)
}

// AppendValue appends the bytes of a google.protobuf.Value as [AppendStruct] does
// those of a Struct; any kind will do.
func AppendValue(dst []byte, v value.Value, o Options) ([]byte, error) {
	return appendProto(dst, v, false, o)
}

// SizeStruct returns how many bytes [AppendStruct] appends, and every error that
// it would return.
func SizeStruct(v value.Value, o Options) (int, error) {
	_, m, err := prepare(opEncodeProto, v, true, &o)
	return m.size, err
}

// SizeValue returns how many bytes [AppendValue] appends, and every error that it
// would return.
func SizeValue(v value.Value, o Options) (int, error) {
	_, m, err := prepare(opEncodeProto, v, false, &o)
	return m.size, err
}

func appendProto(dst []byte, v value.Value, isStruct bool, o Options) ([]byte, error) {
	low, err := ready(opEncodeProto, v, isStruct, &o)
	if err != nil {
		return dst, err
	}
	if out, ok := appendOnce(dst, low, isStruct, &o); ok {
		return out, nil
	}
	return appendMeasured(dst, low, isStruct, &o)
}

// appendMeasured writes what [appendOnce] has not, and makes the errors.
func appendMeasured(dst []byte, low value.Value, isStruct bool, o *Options) ([]byte, error) {
	m, err := measureAll(opEncodeProto, low, isStruct, o)
	if err != nil {
		return dst, err
	}
	n := m.size
	widen(n)
	out := slices.Grow(dst, n)[:len(dst)+n]
	w := protoWriter{out: out, start: len(dst), odd: m.odd}
	w.run(low)
	return out, nil
}

// measure is what is found out about a value before it is written.
type measure struct {
	size int
	odd  bool // there are strings that go as bytes
}

// prepare applies the policies to a value that is to be written, and finds out
// how long it will be and whether it can be written at all.
func prepare(op string, v value.Value, isStruct bool, o *Options) (low value.Value, size measure, err error) {
	if low, err = ready(op, v, isStruct, o); err == nil {
		size, err = measureAll(op, low, isStruct, o)
	}
	if err != nil {
		return v, size, err
	}
	return low, size, nil
}

// ready applies the policies to a value that is to be written.
func ready(op string, v value.Value, isStruct bool, o *Options) (low value.Value, err error) {
	if err := o.check(op); err != nil {
		return v, err
	}
	if o.Form != FormWire {
		return v, &Error{Op: op, Offset: -1, Want: FormWire.String(), Found: o.Form.String(), err: ErrOptions}
	}
	if low, err = lower(op, v, o); err != nil {
		return v, err
	}
	if k := low.Kind(); isStruct && k != value.KindObject {
		return v, &Error{Op: op, Offset: -1, Want: value.KindObject.String(), Found: k.String(), err: ErrKind}
	}
	return low, nil
}

// measureAll finds out how long a value will be, and whether it can be written at
// all.
func measureAll(op string, v value.Value, isStruct bool, o *Options) (size measure, err error) {
	m := measurer{bytes: o.ByteStrings, limit: o.depth()}
	if !isStruct {
		m.used = 1
	}
	n, failed := m.run(v)
	if failed != nil {
		failed.Op = op
		return size, failed
	}
	if isStruct {
		n = m.inner
	}
	return measure{n, m.odd}, nil
}

// document is what is needed to read a message, other than the message.
type document struct {
	opts    Options
	build   value.Builder
	rounded roundings // numbers in plaintexts
	merge   int       // see mergeable
}

// plaintext reads the JSON text that a secret has in place of a value, with so many
// messages around it. The path of an error leads into it; its offset is that of the
// secret.
func (d *document) plaintext(op, text string, used, offset int, at spot) (value.Value, error) {
	r := plaintextReader(text, used, d.merge, &d.opts)
	v, fault := r.read()
	if fault != nil {
		e, at := fault.locate(at.as(secret))
		e.Offset = offset
		return v, failAt(op, e, at)
	}

	d.merge = r.merge
	if r.rounded && d.opts.Report != nil {
		d.rounded.find(text, r.layer, at.as(secret))
	}
	return value.Secret(v), nil
}

// report tells the Report what was rounded.
func (d *document) report() {
	if d.opts.Report != nil {
		d.opts.Report.resolve(&d.rounded)
	}
}
