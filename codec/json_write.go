package codec

import (
	"errors"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const opEncodeJSON = "encode json"

// EncodeJSON returns a value as JSON text, in wire form unless the options say
// otherwise. The text has no white space, and members are sorted by name, so that a
// value has one text. Reading it with the same options returns an Identical value if
// these keep everything. The error is an [*Error] with one of the causes that the
// package comment lists.
func EncodeJSON(v value.Value, o Options) ([]byte, error) {
	out, err := AppendJSON(nil, v, o)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// AppendJSON appends the text that [EncodeJSON] returns to dst. On error it returns dst
// unchanged (bytes beyond its length may be overwritten).
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

// jsonWriter writes one value. It does not recurse: its stack of containers is kept for
// the next value.
type jsonWriter struct {
	out   []byte
	opts  Options
	limit int
	used  int // messages around the next value, and its own
	layer int // see jsonReader
	open  []written
}

// written is a container that is being written: an array, an object, or the
// entries of a literal archive.
type written struct {
	from    value.Value
	entries []value.Member // of an archive, never nil
	next    int            // child that comes next
	used    int            // messages before the container and its wrapping
	wrapped bool           // as a secret or an output
}

func (w *jsonWriter) run(v value.Value) error {
	if err := w.value(v, v.IsSecret()); err != nil {
		return err
	}
	for len(w.open) > 0 {
		top := &w.open[len(w.open)-1]
		child, key, there := top.child()
		if !there {
			if err := w.end(); err != nil {
				return err
			}
			continue
		}
		if top.next++; top.next > 1 {
			w.out = append(w.out, ',')
		}
		if top.named() {
			if err := w.key(key); err != nil {
				return err
			}
		}
		done, err := w.simple(child)
		if !done {
			err = w.value(child, child.OwnSecret())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// simple writes what most children are, and is done with these.
func (w *jsonWriter) simple(v value.Value) (done bool, err error) {
	k := v.Kind()
	if k > value.KindString || v.OwnSecret() || v.HasDependencies() {
		return false, nil
	}
	return true, w.leaf(v)
}

// named reports whether the children have names.
func (c *written) named() bool { return c.from.Kind() != value.KindArray }

// child returns the child that comes next.
func (c *written) child() (v value.Value, key string, there bool) {
	switch {
	case c.entries != nil:
		if c.next < len(c.entries) {
			return c.entries[c.next].Value, c.entries[c.next].Key, true
		}
		return v, "", false
	case c.named():
		key, v, there = c.from.MemberAt(c.next)
		return v, key, there
	}
	return c.from.Elem(c.next), "", c.next < c.from.Len()
}

// end writes the end of the container on top of the stack, and of its wrapping.
func (w *jsonWriter) end() error {
	top := w.open[len(w.open)-1]
	w.open[len(w.open)-1] = written{}
	w.open = w.open[:len(w.open)-1]
	if top.entries != nil {
		a, _ := top.from.AsArchive()
		hash, _ := a.Hash()
		w.out = append(w.out, '}')
		if hash != "" {
			if err := w.field("hash", hash); err != nil {
				return err
			}
		}
	}
	w.out = append(w.out, jsonscan.Closer(top.named()))
	w.unwrap(top.wrapped, top.used)
	return nil
}

// value writes a scalar, or the beginning of a container.
func (w *jsonWriter) value(v value.Value, isSecret bool) error {
	if isSecret && w.opts.Form == FormMasked {
		w.out = append(w.out, `{"`+SignatureKey+`":"`+sigSecret+`","masked":true}`...)
		return w.need(3)
	}
	if w.opts.Form == FormState {
		if done, err := w.stateForm(v, isSecret); done || err != nil {
			return err
		}
	}
	outside := w.used
	wrapped, err := w.wrap(v, isSecret)
	if err != nil || v.IsUnknown() && wrapped && v.HasDependencies() {
		w.used = outside
		return err
	}
	opened, err := false, error(nil)
	switch v.Kind() {
	case value.KindArray, value.KindObject:
		opened, err = w.container(v)
	case value.KindArchive:
		opened, err = w.archive(v)
	case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindAsset,
		value.KindResourceReference, value.KindUnknown, value.KindSealed:
		err = w.leaf(v)
	}
	switch {
	case err != nil:
		return err
	case opened:
		top := &w.open[len(w.open)-1]
		top.used, top.wrapped = outside, wrapped
	default:
		w.unwrap(wrapped, outside)
	}
	return nil
}

// stateForm writes a secret as plaintext, and is done with it, and refuses what state
// files have no place for.
func (w *jsonWriter) stateForm(v value.Value, isSecret bool) (done bool, err error) {
	switch {
	case v.HasDependencies():
		return false, w.fail(ErrPolicy, "a value without dependencies (state files have none; outputs can be lowered)", "output")
	case !isSecret || v.Kind() == value.KindSealed:
		return false, nil
	case w.layer >= mostLayers:
		return false, w.fail(ErrDepth, "fewer nested secrets", "")
	}
	if err := w.need(3); err != nil {
		return false, err
	}
	inner := jsonWriter{opts: w.opts, limit: w.limit, used: w.used + 3, layer: w.layer + 1}
	if err := inner.run(v.DropSecret()); err != nil {
		return false, w.hidden(err)
	}
	w.begin(sigSecret)
	w.out = append(w.out, `,"plaintext":`...)
	w.out, _ = appendQuoted(w.out, string(inner.out)) // it is UTF-8
	w.out = append(w.out, '}')
	return true, nil
}

// hidden makes an error about the contents of the secret that is being written one
// of the whole value.
func (w *jsonWriter) hidden(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	at := w.trail()
	if at.visible < 0 {
		at.visible = len(at.steps)
	}
	e.At, e.Found = path.Show(path.Of(at.steps...).Join(e.At.RevealPath()), at.visible), ""
	return e
}

// wrap writes the beginning of an object that holds a value and its marks; for
// an unknown with dependencies it is all there is.
func (w *jsonWriter) wrap(v value.Value, isSecret bool) (wrapped bool, err error) {
	switch {
	case v.HasDependencies():
		if err := w.need(5); err != nil {
			return false, err
		}
		w.out = append(w.out, `{"`+SignatureKey+`":"`+sigOutput+`","dependencies":[`...)
		first := true
		for urn := range v.Dependencies() {
			if !first {
				w.out = append(w.out, ',')
			}
			first = false
			if err := w.text(urn); err != nil {
				return false, err
			}
		}
		w.out = append(w.out, ']')
		if isSecret {
			w.out = append(w.out, `,"secret":true`...)
		}
		if v.IsUnknown() {
			w.out = append(w.out, '}')
			return true, nil
		}
		w.out = append(w.out, `,"value":`...)
	case isSecret && v.Kind() != value.KindSealed:
		if err := w.need(3); err != nil {
			return false, err
		}
		w.out = append(w.out, `{"`+SignatureKey+`":"`+sigSecret+`","value":`...)
	default:
		return false, nil
	}
	w.used += 3
	return true, nil
}

// unwrap writes the end of that object.
func (w *jsonWriter) unwrap(wrapped bool, outside int) {
	if wrapped {
		w.out = append(w.out, '}')
	}
	w.used = outside
}

// container writes an empty array or object, or opens one.
func (w *jsonWriter) container(v value.Value) (opened bool, err error) {
	object := v.Kind() == value.KindObject
	if object && reserved(v) {
		return false, w.fail(ErrSignature, "a name other than the signature key", "")
	}
	if err := w.need(1); err != nil {
		return false, err
	}
	w.out = append(w.out, jsonscan.Closer(object)-2) // the opening bracket
	if v.Len() == 0 {
		w.out = append(w.out, jsonscan.Closer(object))
		return false, nil
	}
	if err := w.need(jsonscan.Cost(object)); err != nil {
		return false, err
	}
	w.used += jsonscan.Cost(object)
	w.open = append(w.open, written{from: v})
	return true, nil
}

// reserved reports whether an object has the signature key. Few have a first key
// that sorts before it.
func reserved(object value.Value) bool {
	if key, _, _ := object.MemberAt(0); key > SignatureKey {
		return false
	}
	_, there := object.Lookup(SignatureKey)
	return there
}

// archive writes an archive without entries, or opens its entries.
func (w *jsonWriter) archive(v value.Value) (opened bool, err error) {
	a, _ := v.AsArchive()
	if a.Source() != value.SourceLiteral {
		return false, w.leaf(v)
	}
	if err := w.need(4); err != nil {
		return false, err
	}
	w.out = append(w.out, `{"`+SignatureKey+`":"`+sigArchive+`","assets":{`...)
	entries := make([]value.Member, 0, a.Len())
	for name, entry := range a.Entries() {
		if name == SignatureKey {
			return false, w.fail(ErrSignature, "a name other than the signature key", "")
		}
		entries = append(entries, value.Member{Key: name, Value: entry})
	}
	if len(entries) > 0 {
		if err := w.need(6); err != nil {
			return false, err
		}
	}
	w.used += 6
	w.open = append(w.open, written{from: v, entries: entries})
	return true, nil
}

// need checks that the limit allows so many more messages.
func (w *jsonWriter) need(messages int) error {
	if w.used+messages > w.limit {
		return w.fail(ErrDepth, "", "")
	}
	return nil
}

// fail makes the error for the value that is being written.
func (w *jsonWriter) fail(cause error, want, found string) error {
	at := w.trail()
	return &Error{Op: opEncodeJSON, At: at.shown(), Offset: -1, Want: want, Found: found, err: cause}
}

// trail is the way to the value that is being written.
func (w *jsonWriter) trail() trail {
	t := trail{visible: -1}
	for i := range w.open {
		if w.open[i].entries != nil {
			break // no path leads into an archive
		}
		t.into(w.open[i].from, w.open[i].next-1)
	}
	return t
}
