package codec

import (
	"strings"

	"github.com/propalg/propalg/value"
)

const opDecodeJSON = "decode json"

// DecodeJSON reads a text that is one JSON value, in wire form or state form,
// and nothing after it but white space. The text is copied once; the value
// shares the memory of that copy. The error is an [*Error].
func DecodeJSON(data []byte, o Options) (value.Value, error) {
	return DecodeJSONText(string(data), o)
}

// DecodeJSONText is [DecodeJSON] of a string, of which the value shares the
// memory: nothing is copied that has no escapes.
func DecodeJSONText(text string, o Options) (value.Value, error) {
	if err := o.check(opDecodeJSON); err != nil {
		return value.Value{}, err
	}
	fast := newFastJSON(text, &o)
	if v, ok := fast.read(0); ok {
		return lower(opDecodeJSON, v, &o)
	}
	return decodeSlowly(text, o)
}

// decodeSlowly reads what [fastJSON] does not: what is wrong, and numbers that
// are to be told of. It takes options that were checked.
func decodeSlowly(text string, o Options) (value.Value, error) {
	doc := &document{opts: o, merge: mergeable(text)}
	r := jsonReader{doc: doc, text: text, frames: doc.room[:0]}
	v, err := r.whole()
	if err != nil {
		return value.Value{}, err
	}
	if v, err = lower(opDecodeJSON, v, &o); err != nil {
		return value.Value{}, err
	}
	if o.Report != nil {
		o.Report.resolve(doc.notes, doc.more)
	}
	return v, nil
}

// DecodeJSONBag is [DecodeJSON] of a property bag: the value has to be an
// object (marks do not matter), or the error wraps [ErrKind].
func DecodeJSONBag(data []byte, o Options) (value.Value, error) {
	return DecodeJSONBagText(string(data), o)
}

// DecodeJSONBagText is [DecodeJSONBag] of a string, as [DecodeJSONText].
func DecodeJSONBagText(text string, o Options) (value.Value, error) {
	v, err := DecodeJSONText(text, o)
	if err != nil {
		return value.Value{}, err
	}
	if k := v.Kind(); k != value.KindObject {
		begin := len(text) - len(strings.TrimLeft(text, " \n\t\r"))
		return value.Value{}, &Error{Op: opDecodeJSON, Offset: begin, Want: value.KindObject.String(), Found: k.String(), err: ErrKind}
	}
	return v, nil
}
