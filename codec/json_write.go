package codec

import (
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const opEncodeJSON = "encode json"

// AppendJSON appends a property bag to dst as JSON text, as [AppendJSONValue] does. If the
// value is not an object (with marks or without), the error wraps [ErrKind].
func AppendJSON(dst []byte, v value.Value, o Options) ([]byte, error) {
	if _, err := bag(opEncodeJSON, -1, v, nil); err != nil {
		return dst, err
	}
	return AppendJSONValue(dst, v, o)
}

// AppendJSONValue appends a value of any kind to dst as JSON text, in wire form unless the
// options say otherwise. The text has no white space, and members are sorted by name, so
// that a value has one text. Reading it with the same options returns an Identical value if
// these keep everything. The error is an [*Error] with one of the causes that the package
// comment lists; dst is then returned unchanged (bytes beyond its length may be
// overwritten).
func AppendJSONValue(dst []byte, v value.Value, o Options) ([]byte, error) {
	if err := o.check(opEncodeJSON); err != nil {
		return dst, err
	}
	low, err := lower(opEncodeJSON, v, &o)
	if err != nil {
		return dst, err
	}

	w := jsonWriter{out: dst, opts: o, limit: o.depth()}
	if t := w.value(low, low.IsSecret()); t != nil {
		return dst, w.fail(opEncodeJSON, t)
	}
	return w.out, nil
}

type jsonWriter struct {
	out   []byte
	opts  Options
	limit int
	used  int // messages around the next value, and its own
	layer int // see jsonReader

	isMessage bool // the text is not of use: see [messageError]

	// After trouble:
	around  []parent  // the containers around it, innermost first
	inside  path.Path // of the trouble, in the plaintext of the secret that is at that place
	isInner bool      // it is in a plaintext
}

func (w *jsonWriter) fail(op string, t *trouble) error {
	at, visible := w.path()
	return &Error{Op: op, At: path.Show(at, visible), Offset: -1, Want: t.want, Found: t.found, err: t.err}
}

// path returns the place of trouble, and how many of its steps may be shown (-1: all).
func (w *jsonWriter) path() (at path.Path, visible int) {
	at, visible = pathTo(w.around)
	if w.isInner && visible < 0 {
		visible = at.Len()
	}
	return at.Join(w.inside), visible
}

// value writes a value with its marks.
func (w *jsonWriter) value(v value.Value, isSecret bool) *trouble {
	if isSecret && w.opts.Form == FormMasked {
		w.out = append(w.out, `{"`+SignatureKey+`":"`+sigSecret+`","masked":true}`...)
		return w.need(3)
	}

	isMarked := v.HasDependencies() || (isSecret && v.Kind() != value.KindSealed)
	if !isMarked {
		return w.bare(v)
	}
	if w.opts.Form == FormState {
		return w.stateForm(v)
	}
	t := w.wrap(v, isSecret)
	if t == nil && (!v.IsUnknown() || !v.HasDependencies()) {
		w.used += 3
		t = w.bare(v)
		w.used -= 3
	}
	w.out = append(w.out, '}')
	return t
}

// stateForm writes a secret as plaintext, and refuses dependencies, which state files
// cannot hold.
func (w *jsonWriter) stateForm(v value.Value) *trouble {
	switch {
	case v.HasDependencies():
		return &trouble{ErrPolicy, "a value without dependencies (state files have none; outputs can be lowered)", "output"}
	case w.layer >= mostLayers:
		return &trouble{ErrDepth, "fewer nested secrets", ""}
	}
	if t := w.need(3); t != nil {
		return t
	}
	inner := jsonWriter{opts: w.opts, limit: w.limit, used: w.used + 3, layer: w.layer + 1}
	if t := inner.value(v.DropSecret(), false); t != nil {
		w.inside, _ = inner.path()
		w.isInner, t.found = true, ""
		return t
	}

	w.begin(sigSecret)
	w.out = append(w.out, `,"plaintext":`...)
	w.out, _ = appendQuoted(w.out, string(inner.out)) // it is UTF-8
	w.out = append(w.out, '}')
	return nil
}

// wrap writes the beginning of an object that holds a value and its marks; for
// an unknown with dependencies, all of it but the end.
func (w *jsonWriter) wrap(v value.Value, isSecret bool) *trouble {
	if !v.HasDependencies() {
		t := w.need(3)
		w.out = append(w.out, `{"`+SignatureKey+`":"`+sigSecret+`","value":`...)
		return t
	}
	if t := w.need(5); t != nil {
		return t
	}

	w.out = append(w.out, `{"`+SignatureKey+`":"`+sigOutput+`","dependencies":[`...)
	first := true
	for urn := range v.Dependencies() {
		if !first {
			w.out = append(w.out, ',')
		}
		first = false
		if t := w.text(urn); t != nil {
			return t
		}
	}

	w.out = append(w.out, ']')
	if isSecret {
		w.out = append(w.out, `,"secret":true`...)
	}
	if !v.IsUnknown() {
		w.out = append(w.out, `,"value":`...)
	}
	return nil
}

func (w *jsonWriter) bare(v value.Value) *trouble {
	if v.Kind().IsContainer() {
		return w.container(v)
	}
	return w.leaf(v)
}

func (w *jsonWriter) container(v value.Value) *trouble {
	children, named := v.Children(), v.Kind() == value.KindObject
	if named && reserved(v) {
		return reservedName()
	}
	if t := w.need(containerCost(children.Len(), named)); t != nil {
		return t
	}

	w.used += jsonscan.Cost(named)
	w.out = append(w.out, jsonscan.Closer(named)-2) // the opening bracket
	for i := range children.Len() {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		key, child := children.At(i)
		if t := w.child(named, key, child); t != nil {
			w.around = append(w.around, parent{v, i})
			return t
		}
	}
	w.out = append(w.out, jsonscan.Closer(named))
	w.used -= jsonscan.Cost(named)
	return nil
}

func (w *jsonWriter) child(named bool, key string, v value.Value) *trouble {
	if named {
		if t := w.key(key); t != nil {
			return t
		}
	}

	isPlain := v.Kind() <= value.KindString && !v.OwnSecret() && !v.HasDependencies() // as most are
	if isPlain {
		return w.leaf(v)
	}
	return w.value(v, v.OwnSecret())
}

func reservedName() *trouble {
	return &trouble{err: ErrSignature, want: "a name other than the signature key"}
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

// literal writes an archive with its entries. Paths of trouble end at the archive.
func (w *jsonWriter) literal(a value.Archive) *trouble {
	if t := w.need(4); t != nil {
		return t
	}
	for name := range a.Entries() {
		if name == SignatureKey {
			return reservedName()
		}
	}

	if t := w.need(3 + containerCost(a.Len(), true)); t != nil {
		return t
	}

	w.used += 6
	w.out = append(w.out, `{"`+SignatureKey+`":"`+sigArchive+`","assets":{`...)
	first := true
	for name, entry := range a.Entries() {
		if !first {
			w.out = append(w.out, ',')
		}
		first = false
		if t := w.child(true, name, entry); t != nil {
			return t
		}
	}
	w.out = append(w.out, '}')
	w.used -= 6
	if hash, _ := a.Hash(); hash != "" {
		if t := w.field("hash", hash); t != nil {
			return t
		}
	}
	w.out = append(w.out, '}')
	return nil
}

// need checks that the limit allows so many more messages.
func (w *jsonWriter) need(messages int) *trouble {
	if w.used+messages > w.limit {
		return &trouble{err: ErrDepth}
	}
	return nil
}
