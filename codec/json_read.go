package codec

import (
	"github.com/propalg/propalg/internal/given"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

const opDecodeJSON = "decode json"

// DecodeJSONValue reads a text that is one JSON value, in wire form or state form. The value
// shares the memory of the text if that is a string, and of one copy of it if it is
// bytes (but see [Options.OwnBytes]); only strings with escapes are copied again. The
// error is an [*Error].
func DecodeJSONValue[Text ~string | ~[]byte](text Text, o Options) (value.Value, error) {
	return decodeJSONValue(given.Text(text, o.OwnBytes), &o)
}

func decodeJSONValue(text string, o *Options) (value.Value, error) {
	if err := o.check(opDecodeJSON); err != nil {
		return value.Value{}, err
	}
	r := newJSONReader(text, o)
	v, fault := r.read()
	if fault != nil {
		e, at := fault.locate(nil)
		return value.Value{}, failAt(opDecodeJSON, e, at)
	}

	v, err := lower(opDecodeJSON, v, o)
	if err == nil && r.rounded && o.Report != nil {
		var found roundings
		found.find(text, 0, nil)
		o.Report.resolve(&found)
	}
	return v, err
}

// DecodeJSON reads a property bag as [DecodeJSONValue] does. If the value is not an
// object (with marks or without), the error wraps [ErrKind].
func DecodeJSON[Text ~string | ~[]byte](text Text, o Options) (value.Value, error) {
	return decodeJSON(given.Text(text, o.OwnBytes), &o)
}

func decodeJSON(text string, o *Options) (value.Value, error) {
	v, err := decodeJSONValue(text, o)
	return bag(opDecodeJSON, jsonscan.Space(text, 0), v, err)
}

// jsonReader reads a text in two passes: the first marks where everything is and
// counts it, the second builds the value from the marks, in memory that it fills
// exactly. It recurses into the plaintext of secrets only. Of a fault it returns
// the offset; [jsonFault.locate] finds the path.
type jsonReader struct {
	text   string
	used   int // messages around the text
	layer  int // how many plaintexts this text is in, itself one of them
	limit  int // on messages
	merge  int // see mergeable
	build  value.Builder
	room   []byte // for all texts that have escapes, or are copied
	filled int    // bytes of the room

	settings jsonSettings
	isState  bool // the text is in state form
	rounded  bool // there was a number that no double holds, and it was rounded
	copies   bool // the text does not last
}

// jsonSettings are the options that also hold for the plaintexts of secrets inside. Of
// secrets that are decrypted, codec/state passes on the same (content in decrypt.go).
type jsonSettings struct {
	provider    string // see Options
	byteStrings Policy
	exact       bool // numbers that no double holds are faults
}

func newJSONReader(text string, o *Options) jsonReader {
	return jsonReader{
		text: text, limit: o.depth(), merge: mergeable(len(text)), isState: o.Form == FormState,
		settings: jsonSettings{provider: o.Provider, byteStrings: o.ByteStrings, exact: !o.RoundNumbers},
	}
}

// plaintextReader returns a reader for the plaintext of a secret, with so many
// messages around it, in bytes or messages.
func plaintextReader(text string, used, merge int, o *Options) jsonReader {
	r := newJSONReader(text, o)
	r.used, r.merge, r.layer, r.isState = used, merge, 1, true
	return r
}

// mostLayers bounds the plaintexts of secrets inside one another. A text holds those
// of each layer whole, with more backslashes for each, so that what is read takes at
// most so many times the text in memory, and what is written grows by at most 2 to
// this power.
const mostLayers = 8

// mergeable bounds the work for outputs that hold outputs: a text that needs
// more of it has hundreds of outputs around one long list of dependencies.
func mergeable(size int) int { return 1<<20 + size/2 }

// jsonFrame is a container that is being built.
type jsonFrame struct {
	key    string // of the container itself, if it is a member
	used   int    // messages around its children, and theirs
	left   uint32 // children still to come
	n      uint32 // children in all
	at     uint32 // offset
	object bool
	isSig  bool // it has the signature key
}

// At most largestTape marks are kept for the next text.
const largestTape = 1 << 15

func (r *jsonReader) read() (v value.Value, fault *jsonFault) {
	own, _ := scratches.Get().(*scratch)
	tape := &own.tape
	tape.Tape, tape.Used, tape.Limit = true, r.used, r.limit
	end, broken := tape.Skip(r.text, jsonscan.Space(r.text, 0))
	ok := broken == nil && len(tape.Marks) > 0 && jsonscan.Space(r.text, end) == len(r.text)

	v, fault = r.make(tape.Marks, tape.Sizes) // a fault in a value before what is malformed comes first
	if fault == nil && !ok {
		v, fault = value.Value{}, r.fault(notJSON, nil)
	}
	if cap(tape.Marks) <= largestTape {
		scratches.Put(own)
	}
	return v, fault
}

// make builds the value that the marks are of, in memory of its size.
func (r *jsonReader) make(marks []jsonscan.Mark, of jsonscan.Sizes) (v value.Value, fault *jsonFault) {
	r.build.Reserve(of.Members, of.Elems)
	if r.copies {
		of.Escaped = of.Texts
	}
	r.room = make([]byte, 0, of.Escaped)
	return r.values(marks)
}

// values builds the value that the marks are of, as far as they go.
func (r *jsonReader) values(marks []jsonscan.Mark) (v value.Value, fault *jsonFault) { //nolint:gocognit // one loop, whose state stays in registers
	var room [16]jsonFrame
	open := room[:0] // the containers around top
	top := jsonFrame{used: r.used}
	key := ""
	for i := 0; ; {
		if top.object {
			if i >= len(marks) {
				return v, nil
			}
			key = r.string(marks[i])
			if i++; len(key) == len(SignatureKey) && key == SignatureKey {
				top.isSig = true
			}
		}

		if i >= len(marks) {
			return v, nil
		}
		m := marks[i]
		i++

		switch c := r.text[m.At]; c {
		case '"':
			s := r.string(m)
			v = value.String(s)
			if len(s) == sentinelLength {
				if hint, is := unknownIn(r.isState, s); is {
					v = value.UnknownOf(hint)
				}
			}
		case '{', '[':
			if object := c == '{'; m.End > 0 {
				open = append(open, top)
				top = jsonFrame{key: key, left: m.End, n: m.End, at: m.At, used: top.used + jsonscan.Cost(object), object: object}
				continue
			}
			if v = r.build.Array(0); c == '{' {
				v, _, _ = r.build.Object(0)
			}
		default:
			if v, fault = r.scalar(c, m); fault != nil {
				return v, fault
			}
		}
		for {
			if len(open) == 0 {
				return v, nil
			}

			if top.object {
				r.build.PushMember(key, v)
			} else {
				r.build.Push(v)
			}

			if top.left--; top.left > 0 {
				break
			}
			if v, fault = r.close(&top); fault != nil {
				return v, fault
			}
			key = top.key
			top = open[len(open)-1]
			open = open[:len(open)-1]
		}
	}
}

// scalar reads a literal or a number.
func (r *jsonReader) scalar(c byte, m jsonscan.Mark) (v value.Value, fault *jsonFault) {
	switch c {
	case 't', 'f':
		return value.Bool(c == 't'), nil
	case 'n':
		return v, nil
	}

	f, held := jsonscan.Float(r.text[m.At:m.End])
	if !held {
		if r.settings.exact {
			return v, r.fault(int(m.At), &trouble{err: ErrNumber})
		}
		r.rounded = true
	}
	return value.Number(f), nil
}

func (r *jsonReader) string(m jsonscan.Mark) string {
	end, plain := m.Text()
	inner := r.text[m.At+1 : end-1]
	if plain && !r.copies {
		return inner
	}
	to := r.room[r.filled:r.filled]
	if plain {
		to = append(to, inner...)
	} else {
		to = jsonscan.AppendUnquoted(to, inner)
	}
	r.filled += len(to)
	return given.Alias(to)
}

// close returns the container whose children have been read, or the value that its
// signature makes of it.
func (r *jsonReader) close(f *jsonFrame) (v value.Value, fault *jsonFault) {
	if !f.object {
		return r.build.Array(int(f.n)), nil
	}

	v, _, duplicate := r.build.Object(int(f.n))
	if duplicate {
		return v, r.duplicate(int(f.at))
	}
	if f.isSig {
		return r.signature(f, v)
	}
	return v, nil
}

// duplicate returns the fault of the object at an offset that has a name twice.
func (r *jsonReader) duplicate(at int) *jsonFault {
	names := jsonscan.Skipper{Names: true}
	if _, fault := names.Skip(r.text, at); fault != nil {
		at = fault.Offset
	}
	return r.fault(at, &trouble{err: ErrDuplicate})
}

// signature returns the value that an object with a signature encodes.
func (r *jsonReader) signature(f *jsonFrame, object value.Value) (v value.Value, fault *jsonFault) {
	s := signature{provider: r.settings.provider, byteStrings: r.settings.byteStrings, object: object, isText: true, isClear: r.layer > 0}
	v, t := s.open()
	if t == nil {
		t = s.tooMany(&r.merge, r.layer)
	}
	if t != nil {
		return v, r.fault(int(f.at), t)
	}
	if !s.hasPlaintext {
		return v, nil
	}

	inner := jsonReader{
		text: s.plaintext, used: f.used, layer: r.layer + 1, limit: r.limit, merge: r.merge,
		settings: r.settings, isState: true,
	}
	v, fault = inner.read()
	if fault != nil {
		outer := r.fault(int(f.at), nil)
		outer.inner = fault
		return v, outer
	}
	r.merge = inner.merge
	r.rounded = r.rounded || inner.rounded
	return value.Secret(v), nil
}
