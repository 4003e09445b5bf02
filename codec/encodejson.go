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
	low, err := lower(opEncodeJSON, v, &o)
	if err != nil {
		return dst, err
	}
	own, _ := scratches.Get().(*scratch)
	w := &own.writer
	defer func() {
		if w.forget(); cap(w.open) <= deepestScratch {
			scratches.Put(own)
		}
	}()
	w.out, w.opts, w.limit, w.used, w.layer = dst, o, o.depth(), 0, 0
	if err := w.run(low); err != nil {
		return dst, err
	}
	return w.out, nil
}

// deepestScratch is how many containers the stack that waits for the next value may
// have room for.
const deepestScratch = 1 << 10

// forget lets go of all that is of a value.
func (w *jsonWriter) forget() {
	clear(w.open) // after an error; end has cleared what it took off
	w.out, w.opts, w.open = nil, Options{}, w.open[:0]
}
