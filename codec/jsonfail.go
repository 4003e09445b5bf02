package codec

import (
	"errors"
	"strings"

	"github.com/propalg/propalg/internal/jsonscan"
)

// broken makes the error for a text that is no JSON, in the place that the
// first n frames lead to.
func (r *jsonReader) broken(fault *jsonscan.Fault, n int) error {
	r.settle(0, n, fault.Offset)
	return r.failure(&Error{Offset: fault.Offset, Want: fault.Want, Found: fault.Found, err: cause(fault.Cause)}, n)
}

// fail makes the error for a value that is JSON and begins at an offset. It was
// passed, but for one that is nested too deeply.
func (r *jsonReader) fail(err error, at, n int, want, found string) error {
	r.look(n, r.pos == at)
	return r.failure(&Error{Offset: at, Want: want, Found: found, err: err}, n)
}

// double makes the error for the object that begins at an offset, and has one
// name twice.
func (r *jsonReader) double(at int) error {
	names := jsonscan.Skipper{Names: true}
	if _, fault := names.Skip(r.text, at); fault != nil {
		at = fault.Offset
	}
	return r.fail(ErrDuplicate, at, len(r.frames)-1, "", "")
}

// through makes the error of a plaintext one of the text around it: the offset
// is that of the secret, and what was found in it remains unsaid.
func (r *jsonReader) through(err error, inner *jsonReader, at int) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	r.look(len(r.frames)-1, false)
	r.classify(len(r.frames))
	r.failed = inner.failed
	e.At, _ = r.failed.shown()
	e.Offset, e.Found = at, ""
	return e
}

func (r *jsonReader) failure(e *Error, n int) error {
	e.Op = opDecodeJSON
	r.failed = r.spot(n)
	r.classify(n)
	at, isSecret := r.failed.shown()
	e.At = at
	if isSecret {
		e.Found = ""
	}
	return e
}

// classify tells the nodes of the first n frames what these are.
func (r *jsonReader) classify(n int) {
	for i := range r.frames[:n] {
		r.frames[i].node.class = r.frames[i].class()
	}
}

// look finds out what the first n frames are, so that the path of an error is
// right and gives no key of a secret away: the signature of an object may stand
// after the contents of a secret. It looks at no more than the rest of the
// text, once.
func (r *jsonReader) look(n int, before bool) {
	open := false
	for i := range r.frames[:n] {
		open = open || r.frames[i].undecided()
	}
	if !open {
		return
	}
	k := jsonscan.Skipper{Limit: 1 << 20} // what is nested deeper is not decided
	pos := r.pos
	if before {
		end, fault := k.Skip(r.text, pos)
		if fault != nil {
			r.settle(0, n, fault.Offset)
			return
		}
		pos = end
	}
	for i := n - 1; i >= 0; i-- {
		end, fault := r.frames[i].finish(&k, r.text, pos)
		if fault != nil {
			r.settle(0, i+1, fault.Offset)
			return
		}
		pos = end
	}
}

// undecided reports whether the frame may turn out to be a secret, with what is
// being read in it: by a signature that is still to come, or, an output, by its
// field secret.
func (f *frame) undecided() bool {
	return f.object && f.key == "value" && (!f.isSig || f.sig == sigOutput && !f.masks)
}

// finish passes the rest of the frame, from after one of its values.
func (f *frame) finish(k *jsonscan.Skipper, text string, pos int) (end int, fault *jsonscan.Fault) {
	for {
		if pos = jsonscan.Space(text, pos); pos >= len(text) || text[pos] != ',' {
			break
		}
		pos = jsonscan.Space(text, pos+1)
		key := ""
		if f.object {
			if pos, key, fault = jsonscan.Name(text, pos); fault != nil {
				return 0, fault
			}
		}
		end, fault := k.Skip(text, pos)
		if fault != nil {
			return 0, fault
		}
		switch {
		case key == SignatureKey && text[pos] == '"':
			f.isSig, f.sig = true, jsonscan.Unquote(text[pos+1:end-1])
		case key == "secret":
			f.masks = text[pos:end] == "true"
		}
		pos = end
	}
	if pos < len(text) && text[pos] == jsonscan.Closer(f.object) {
		return pos + 1, nil
	}
	return 0, jsonscan.Expected(text, pos, "end")
}

// settle decides for frames that cannot be read to their end, because the text
// is broken at an offset: what may have been a secret counts as one. It cannot
// have been if the text goes on and has no signature key, or no field secret,
// escaped or not.
func (r *jsonReader) settle(from, to, offset int) {
	for i := from; i < to; i++ {
		f := &r.frames[i]
		if !f.undecided() {
			continue
		}
		rest, sign := r.text[offset:], SignatureKey
		if f.isSig {
			sign = "secret"
		}
		if rest == "" || strings.Contains(rest, sign) || strings.Contains(rest, `\u`) {
			f.isSig, f.sig = true, sigSecret
		}
	}
}
