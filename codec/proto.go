package codec

import (
	"github.com/propalg/propalg/value"
)

const opDecodeProto = "decode protobuf"

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
	if f := c.message(kind, 0, len(text)); f != nil {
		return value.Value{}, failAt(opDecodeProto, &Error{Offset: f.at, Want: f.want, Found: f.found, err: f.err}, c.spot())
	}
	r := mergeReader{text: text, doc: document{opts: o, merge: mergeable(text)}}
	v, err := r.document(isStruct)
	if err == nil {
		r.doc.report()
	}
	return v, err
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
