package codec

import "github.com/propalg/propalg/value"

const opEncodeJSON = "encode json"

// EncodeJSON writes a value as JSON text in wire form, without white space and
// with the members of every object sorted by name, so that a value has one text.
// Reading it with the same options gives an Identical value, as far as these
// keep everything. The error is an [*Error] for one of the causes that the
// package comment lists.
func EncodeJSON(v value.Value, o Options) ([]byte, error) {
	out, err := AppendJSON(nil, v, o)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// AppendJSON appends what [EncodeJSON] writes to dst. On error it returns dst as
// it was (bytes beyond its length may have been used).
func AppendJSON(dst []byte, v value.Value, o Options) ([]byte, error) {
	if err := o.check(opEncodeJSON); err != nil {
		return dst, err
	}
	low, err := lower(opEncodeJSON, v, o)
	if err != nil {
		return dst, err
	}
	var room [8]written // enough for most values
	w := jsonWriter{out: dst, opts: o, limit: o.depth(), open: room[:0]}
	if err := w.run(low); err != nil {
		return dst, err
	}
	return w.out, nil
}
