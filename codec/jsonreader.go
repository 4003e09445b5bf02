package codec

import (
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// jsonReader reads one text. It does not recurse into containers, which stand
// on a stack of frames; it does into the plaintext of secrets, whose text gets
// shorter by its quotes and escapes each time.
//
//	run:  begin ── scalar, or end of an empty container ──▶ put ──▶ next
//	        ▲  └── container: first member or element ──┐            │ │
//	        └───────────────────────────────────────────┴── ',' ─────┘ │
//	                                     put ◀── end ◀── '}' or ']' ───┘
type jsonReader struct {
	text   string
	pos    int
	used   int // messages around the next value, and its own
	frames []frame
	layer  int   // how many plaintexts this text is in, itself one of them
	above  *node // of the secret that this text is the plaintext of
	doc    *document
	failed spot // where the error is that was returned
}

// frame is an open container.
type frame struct {
	key    string // of the member that is being read
	sig    string // content of the signature field, if isSig
	node   *node  // when somebody needed one
	at     int    // offset of the bracket
	n      int    // children read
	object bool
	isSig  bool // the signature field was read
	masks  bool // the field `secret` was read, and is true
}

// document is what a text and its plaintexts have in common.
type document struct {
	opts  Options
	build value.Builder
	notes []note   // what was rounded
	more  int      // and how much beyond these
	merge int      // how many dependencies may still go from one output to the one around it
	room  [8]frame // of the outermost text, enough for most
}

// mostLayers bounds the plaintexts of secrets inside one another. A text holds those
// of each layer whole, with more backslashes for each, so that what is read takes at
// most so many times the text in memory, and what is written grows by at most 2 to
// this power.
const mostLayers = 8

// mergeable bounds the work for outputs that hold outputs: a text that needs
// more of it has hundreds of outputs around one long list of dependencies.
func mergeable(text string) int { return mergeableOf(len(text)) }

func mergeableOf(size int) int { return 1<<20 + size/2 }

// whole reads the whole text.
func (r *jsonReader) whole() (value.Value, error) {
	r.pos = jsonscan.Space(r.text, 0)
	v, err := r.run()
	if err != nil {
		return value.Value{}, err
	}
	if r.pos = jsonscan.Space(r.text, r.pos); r.pos < len(r.text) {
		return value.Value{}, r.broken(jsonscan.Expected(r.text, r.pos, "end of input"), 0)
	}
	return v, nil
}

func (r *jsonReader) run() (value.Value, error) {
	for {
		v, done, err := r.begin()
		for err == nil && done {
			if len(r.frames) == 0 {
				return v, nil
			}
			r.put(v)
			v, done, err = r.next()
		}
		if err != nil {
			return value.Value{}, err
		}
	}
}

// begin reads a scalar or an empty container, and is done with it; or it opens
// a container and stands before the first value in it.
func (r *jsonReader) begin() (v value.Value, done bool, err error) {
	if r.pos >= len(r.text) {
		return v, false, r.broken(jsonscan.Expected(r.text, r.pos, "value"), len(r.frames))
	}
	var fault *jsonscan.Fault
	var end int
	switch c := r.text[r.pos]; {
	case c == '"':
		v, fault = r.string()
	case c == '{' || c == '[':
		return r.open(c == '{')
	case c == '-' || c >= '0' && c <= '9':
		v, err = r.number()
		return v, true, err
	case c == 't' || c == 'f':
		end, fault = jsonscan.Literal(r.text, r.pos)
		v, r.pos = value.Bool(c == 't'), end
	case c == 'n':
		end, fault = jsonscan.Literal(r.text, r.pos)
		r.pos = end
	default:
		fault = jsonscan.Expected(r.text, r.pos, "value")
	}
	if fault != nil {
		return v, false, r.broken(fault, len(r.frames))
	}
	return v, true, nil
}

func (r *jsonReader) string() (value.Value, *jsonscan.Fault) {
	end, simple, fault := jsonscan.String(r.text, r.pos)
	if fault != nil {
		return value.Value{}, fault
	}
	s := jsonscan.Text(r.text, r.pos, end, simple)
	r.pos = end
	if hint, ok := unknownIn(r.layer > 0 || r.doc.opts.Form == FormState, s); ok {
		return value.UnknownOf(hint), nil
	}
	return value.String(s), nil
}

func (r *jsonReader) number() (value.Value, error) {
	at := r.pos
	end, fault := jsonscan.Number(r.text, at)
	if fault != nil {
		return value.Value{}, r.broken(fault, len(r.frames))
	}
	r.pos = end
	f, held := jsonscan.Float(r.text[at:end])
	if !held {
		if r.doc.opts.Numbers == RejectInexact {
			return value.Value{}, r.fail(ErrNumber, at, len(r.frames), "", "")
		}
		if r.doc.opts.Report != nil {
			r.note(r.text[at:end])
		}
	}
	return value.Number(f), nil
}

// note remembers a number that was rounded.
func (r *jsonReader) note(text string) {
	if len(r.doc.notes) >= maxRounded {
		r.doc.more++
		return
	}
	r.doc.notes = append(r.doc.notes, note{r.spot(len(r.frames)), text})
}

// open opens a container.
func (r *jsonReader) open(object bool) (v value.Value, done bool, err error) {
	at := r.pos
	if r.used+1 > r.doc.opts.depth() {
		return v, false, r.fail(ErrDepth, at, len(r.frames), "", "")
	}
	r.frames = append(r.frames, frame{at: at, object: object})
	r.used += jsonscan.Cost(object)
	r.pos = jsonscan.Space(r.text, at+1)
	if r.pos < len(r.text) && r.text[r.pos] == jsonscan.Closer(object) {
		r.pos++
		v, err = r.end()
		return v, true, err
	}
	if r.used > r.doc.opts.depth() {
		r.frames = r.frames[:len(r.frames)-1]
		r.pos = at
		return v, false, r.fail(ErrDepth, at, len(r.frames), "", "")
	}
	if object {
		err = r.key()
	}
	return v, false, err
}

// key reads the name of a member and stands before its value.
func (r *jsonReader) key() error {
	next, text, fault := jsonscan.Name(r.text, r.pos)
	if fault != nil {
		return r.broken(fault, len(r.frames)-1)
	}
	r.frames[len(r.frames)-1].key, r.pos = text, next
	return nil
}

// put gives a value that was read to the container around it.
func (r *jsonReader) put(v value.Value) {
	f := &r.frames[len(r.frames)-1]
	f.n++
	if !f.object {
		r.doc.build.Push(v)
		return
	}
	r.doc.build.PushMember(f.key, v)
	switch len(f.key) {
	case len(SignatureKey):
		if f.key == SignatureKey {
			f.sig, _ = v.AsString()
			f.isSig = true
		}
	case len("secret"):
		if b, _ := v.AsBool(); b && f.key == "secret" {
			f.masks = true
		}
	}
}

// next reads what stands after a value in a container: a comma, and stands
// before the value after it; or the end of the container, and is done with it.
func (r *jsonReader) next() (v value.Value, done bool, err error) {
	object := r.frames[len(r.frames)-1].object
	r.pos = jsonscan.Space(r.text, r.pos)
	switch {
	case r.pos < len(r.text) && r.text[r.pos] == jsonscan.Closer(object):
		r.pos++
		v, err = r.end()
		return v, true, err
	case r.pos >= len(r.text) || r.text[r.pos] != ',':
		want := "',' or '" + string(rune(jsonscan.Closer(object))) + "'"
		return v, false, r.broken(jsonscan.Expected(r.text, r.pos, want), len(r.frames)-1)
	}
	r.pos = jsonscan.Space(r.text, r.pos+1)
	if object {
		err = r.key()
	}
	return v, false, err
}

// end closes the container whose last bracket was read, and makes of it what
// its signature says.
func (r *jsonReader) end() (v value.Value, err error) {
	f := &r.frames[len(r.frames)-1]
	if f.object {
		o, _, double := r.doc.build.Object(f.n)
		if double {
			return v, r.double(f.at)
		}
		v = o
	} else {
		v = r.doc.build.Array(f.n)
	}
	if f.isSig {
		if v, err = r.signature(f, v); err != nil {
			return v, err
		}
	}
	if f.node != nil && f.isSig {
		f.node.class = f.class()
	}
	r.used -= jsonscan.Cost(f.object)
	r.frames = r.frames[:len(r.frames)-1]
	return v, nil
}

// signature makes what an object with a signature stands for.
func (r *jsonReader) signature(f *frame, v value.Value) (value.Value, error) {
	s := signature{
		provider: r.doc.opts.Provider, byteStrings: r.doc.opts.ByteStrings, object: v, isText: true, isClear: r.layer > 0,
	}
	out, trouble := s.open()
	if trouble != nil {
		return out, r.fail(trouble.err, f.at, len(r.frames)-1, trouble.want, trouble.found)
	}
	if r.doc.merge -= s.merged; r.doc.merge < 0 {
		return out, r.fail(ErrDepth, f.at, len(r.frames)-1, "fewer outputs around one another", "")
	}
	if !s.hasPlaintext {
		return out, nil
	}
	if r.layer >= mostLayers {
		return out, r.fail(ErrDepth, f.at, len(r.frames)-1, "fewer secrets inside one another", "")
	}
	inner := jsonReader{doc: r.doc, text: s.plaintext, used: r.used, layer: r.layer + 1}
	inner.above = r.spot(len(r.frames)).node
	out, err := inner.whole()
	if err != nil {
		return out, r.through(err, &inner, f.at)
	}
	return value.Secret(out), nil
}

// class is what a frame whose signature was read means for paths.
func (f *frame) class() class {
	switch {
	case f.sig == sigSecret, f.sig == sigOutput && f.masks:
		return secret
	case f.sig == sigOutput:
		return output
	}
	return plain
}

// spot returns the place of the value that is being read in the innermost of
// the first n frames, or of the whole text if there is none.
func (r *jsonReader) spot(n int) spot {
	outer := r.above
	inner := outer != nil
	step := path.Step{}
	for i := range r.frames[:n] {
		f := &r.frames[i]
		if f.node == nil {
			f.node = &node{outer: outer, step: step, inner: inner}
		}
		outer, inner = f.node, false
		step = path.Key(f.key)
		if !f.object {
			step = path.Index(f.n)
		}
	}
	return spot{outer, step, inner}
}
