package codec

import (
	"errors"
	"strings"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
)

type jsonFault struct {
	trouble
	text  string
	used  int // messages around the text
	limit int
	layer int
	at    int        // offset of the value, or of the duplicate name; or notJSON
	inner *jsonFault // the fault is in the plaintext of the secret at the offset
}

// notJSON is the offset of a fault that a Decoder finds: the text is not JSON, or
// nested too deeply.
const notJSON = -1

func (r *jsonReader) fault(at int, t *trouble) *jsonFault {
	f := &jsonFault{text: r.text, used: r.used, limit: r.limit, layer: r.layer, at: at}
	if t != nil {
		f.trouble = *t
	}
	return f
}

// locate makes the error of a fault, but for operation and path, and returns its
// place. Above is the secret that the text is the plaintext of, or nil.
func (f *jsonFault) locate(above *node) (*Error, position) {
	w := newJSONWalk(f.text, f.layer, above)
	w.tokens.Used, w.tokens.Limit = f.used, f.limit
	at := w.find(f)
	if f.inner == nil {
		return &Error{Offset: f.at, Want: f.want, Found: f.found, err: f.err}, at
	}

	e, at := f.inner.locate(at.as(secret))
	e.Offset = f.at
	return inPlaintext(e), at
}

type roundings struct {
	notes []note
	more  int // how many there are beyond these
}

// find adds the numbers of a text that was read without a fault, and of the
// plaintexts in it.
func (r *roundings) find(text string, layer int, above *node) {
	w := newJSONWalk(text, layer, above)
	for {
		t, fault := w.tokens.Next()
		switch {
		case fault != nil || t.Kind == jsonscan.KindEnd:
			return
		case t.Kind == jsonscan.KindNumber:
			number := text[t.From:t.To]
			if _, held := jsonscan.Float(number); !held {
				r.add(&w, number)
			}
		case t.Kind == '}':
			f := &w.frames[len(w.frames)-1]
			if f.sig == sigSecret && f.plaintext != "" {
				r.find(f.plaintext, layer+1, w.position(len(w.frames)).node)
			}
		}

		if w.take(t) != nil {
			return // cannot be, of a text that was read
		}
	}
}

func (r *roundings) add(w *jsonWalk, number string) {
	if len(r.notes) >= maxRounded {
		r.more++
		return
	}
	r.notes = append(r.notes, note{w.position(len(w.frames)), strings.Clone(number)}) // a report keeps no text alive
}

// jsonWalk goes through a text to find the places of values in it. Whether a
// container is an object or a secret may be known only at its end, and
// decides what the steps inside it are: places are complete when it is through.
type jsonWalk struct {
	tokens jsonscan.Decoder
	layer  int
	above  *node
	frames []walked
	found  bool // what is searched for was found: no container is entered any more
}

type walked struct {
	key       string // of the member that is next, or is being read
	sig       string // content of the signature field, if isSig
	plaintext string // of a secret
	node      *node  // if it was needed
	n         int    // children before
	object    bool
	isSig     bool // the signature field was read
	masks     bool // the field `secret` was read, and is true
	through   bool // what was found is in the field `value`
}

func newJSONWalk(text string, layer int, above *node) jsonWalk {
	return jsonWalk{tokens: jsonscan.Decoder{Text: text}, layer: layer, above: above}
}

// find returns the place of a fault; of text that is not JSON it finds out what
// it is. Afterwards it goes on, to see which of the containers around are secret.
func (w *jsonWalk) find(f *jsonFault) (at position) {
	for {
		t, fault := w.tokens.Next()
		switch {
		case fault != nil && w.found:
			w.settle(fault.Offset)
			return at
		case fault != nil:
			at = w.locate(w.tokens.AtValue())
			f.at, f.trouble = fault.Offset, trouble{fault.Err, fault.Want, fault.Found}
			if !errors.Is(fault.Err, ErrDepth) {
				w.settle(fault.Offset)
				return at
			}

			f.at, f.trouble = w.tokens.Pos, trouble{err: ErrDepth}
			continue
		case t.Kind == jsonscan.KindEnd:
			if !w.found {
				f.at, f.trouble = 0, trouble{err: ErrSyntax, want: "text of less than 2 GiB"}
			}
			return at
		case !w.found && f.at >= 0 && t.From >= f.at:
			at = w.locate(t.Kind != jsonscan.KindName)
		}

		if fault := w.take(t); fault != nil {
			w.settle(fault.Offset)
			return at
		}
	}
}

// locate returns the place of the value that comes next, or of the container that
// is being read.
func (w *jsonWalk) locate(isValue bool) position {
	w.found, w.tokens.Limit = true, 0
	n := len(w.frames)
	if !isValue && n > 0 {
		n--
	}

	for i := range w.frames[:n] {
		f := &w.frames[i]
		f.through = f.object && f.key == "value"
	}
	return w.position(n)
}

func (w *jsonWalk) take(t jsonscan.Token) *jsonscan.Fault {
	switch t.Kind {
	case jsonscan.KindName:
		w.frames[len(w.frames)-1].key = w.tokens.Unquoted(t)
		return nil
	case jsonscan.KindObject, jsonscan.KindArray:
		if !w.found {
			w.frames = append(w.frames, walked{object: t.Kind == jsonscan.KindObject})
			return nil
		}
		if fault := w.tokens.SkipRest(); fault != nil {
			return fault
		}
	case '}', ']':
		f := &w.frames[len(w.frames)-1]
		if f.node != nil {
			f.node.class = f.class()
		}
		w.frames = w.frames[:len(w.frames)-1]
	case jsonscan.KindEnd, jsonscan.KindString, jsonscan.KindNumber, jsonscan.KindLiteral:
	}

	if len(w.frames) > 0 {
		w.frames[len(w.frames)-1].child(t, w)
	}
	return nil
}

// child notes a child that was read; the token is its last or only one.
func (f *walked) child(t jsonscan.Token, w *jsonWalk) {
	f.n++
	if !f.object {
		return
	}

	text := ""
	if t.Kind == jsonscan.KindString {
		text = w.tokens.Unquoted(t)
	}
	switch f.key {
	case SignatureKey:
		f.sig, f.isSig = text, true
	case "secret":
		f.masks = f.masks || w.tokens.Text[t.From:t.To] == "true"
	case "plaintext":
		f.plaintext = text
	case "ciphertext":
		if w.layer > 0 { // where it is a plaintext too
			f.plaintext = text
		}
	}
}

// settle decides for containers that cannot be read to their end, because the text is
// broken at an offset: an object that may have been a secret counts as one. It was not a
// secret if the rest of the text lacks the signature key (or the field secret), escaped
// or not.
func (w *jsonWalk) settle(offset int) {
	rest := w.tokens.Text[offset:]
	for i := range w.frames {
		f := &w.frames[i]
		sign := SignatureKey
		if f.isSig {
			sign = "secret"
		}
		undecided := f.through && (!f.isSig || (f.sig == sigOutput && !f.masks))
		if undecided && (rest == "" || strings.Contains(rest, sign) || strings.Contains(rest, `\u`)) {
			f.isSig, f.sig = true, sigSecret
		}
		if f.node != nil {
			f.node.class = f.class()
		}
	}
}

func (f *walked) class() class { return classOf(f.sig, f.masks) }

// position returns the place of the value that is being read in the innermost of
// the first n containers, or of the whole text if there is none.
func (w *jsonWalk) position(n int) position {
	s := position{node: w.above, inner: w.above != nil}
	for i := range w.frames[:n] {
		f := &w.frames[i]
		if f.node == nil {
			f.node = s.as(plain)
		}

		step := path.Key(f.key)
		if !f.object {
			step = path.Index(f.n)
		}
		s = position{node: f.node, step: step}
	}
	return s
}
