package codec

import (
	"sync"

	"github.com/propalg/propalg/value"
)

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
	w, _ := jsonWriters.Get().(*jsonWriter)
	defer w.release()
	w.out, w.opts, w.limit, w.used = dst, o, o.depth(), 0
	if err := w.run(low); err != nil {
		return dst, err
	}
	return w.out, nil
}

// jsonWriters are for one value after the other: their stacks are large enough by
// then. They hold nothing of the values.
var jsonWriters = sync.Pool{New: func() any { return new(jsonWriter) }}

// release lets go of all that is of a value, and of the writer.
func (w *jsonWriter) release() {
	const deepest = 1 << 10
	if w.forget(); cap(w.open) <= deepest {
		jsonWriters.Put(w)
	}
}

// forget lets go of all that is of a value.
func (w *jsonWriter) forget() {
	clear(w.open) // after an error; end has cleared what it took off
	w.out, w.opts, w.open = nil, Options{}, w.open[:0]
}
