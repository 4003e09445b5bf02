package state

import (
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/propalg/propalg/internal/veil"
)

// Reader reads a state file of any size as a stream: one resource at a time. In
// memory are a resource, a window on the stream, and the members beside the
// resources. The window is some hundred KiB long; a resource that is longer gets
// one of its own length. Where the stream is an [io.Seeker] that can go back, as
// files can, a resource of more than 8 MiB is read twice for that; of others it
// is gathered in pieces, which take as much again until they are put together. One
// of more than 512 MiB is an error that wraps [ErrRead]: it may have no end.
// A Reader is for one goroutine.
//
// It reads what [Parse] reads, with the same errors, but says what it has found
// before it has seen the rest:
//   - what is wrong with the document comes after the resources that stand before
//     that: nothing is proven until the iteration has ended without an error
//   - secrets that are ciphertext come as [value.Sealed]; their provider is the
//     one that the document names, if it does so before the resources (engines
//     do), else that of [codec.Options], which is empty by default. To decrypt
//     them, gather resources and give them to [Reader.Open]
//
// Resources do not share memory with the window. The values and fields of one
// resource share the memory of its text.
type Reader struct {
	inner veil.Pointer[streaming]
}

// streaming is the state of a Reader.
type streaming struct {
	parser
	used  bool
	texts texts
	read  reading // the latest
	now   string  // the text of the entry that the iteration stands at
	from  int64   // and where it begins; -1: at none
}

// NewReader returns a reader of what r has. Nothing is read yet; options that
// mean nothing are an error of the iteration.
func NewReader(r io.Reader, o Options) *Reader {
	s := &streaming{from: -1, texts: texts{make([]string, latestTexts)}}
	s.file = &File{opts: o.codec()}
	s.tape = tape{in: r, stream: true}
	return &Reader{veil.Hide(s)}
}

// errUsed is why a Reader has nothing more to give.
var errUsed = errors.New("resources were read before, and a stream is read once")

// streaming is the state of the Reader, nil for one that has nothing to read.
func (r *Reader) streaming() *streaming {
	if r == nil {
		return nil
	}
	return r.inner.Open()
}

// Resources iterates over the resources in the order of the file, once: whoever
// stops early cannot go on. An error is yielded with a zero Resource and ends
// the iteration. It has the offset in the stream and how many whole resources
// stand before that; an error of the io.Reader is wrapped together with
// [ErrRead]. The zero Reader, and nil, have no resources.
func (r *Reader) Resources() iter.Seq2[Resource, error] {
	return func(yield func(Resource, error) bool) {
		s := r.streaming()
		if s == nil {
			return
		}
		err := s.run(func(text string, at int64) (bool, error) {
			own := s.reading(text, at)
			own.members = s.around.Members
			resource, err := own.whole()
			return err == nil && yield(resource, nil), err
		})
		if err != nil {
			yield(Resource{}, err)
		}
	}
}

// reading is of a resource that stands at an offset of the stream.
func (s *streaming) reading(text string, at int64) *reading {
	s.read = reading{file: s.file, source: text, own: &s.texts, to: Resource{Offset: at, Number: s.count}}
	return &s.read
}

// run reads the document, and gives visit the texts of the resources. It returns
// no error when visit wants no more.
func (s *streaming) run(visit func(text string, at int64) (more bool, err error)) error {
	if s.used {
		return &Error{Offset: s.offset(), Resources: s.count, err: &outside{ErrRead, errUsed}}
	}
	s.used = true
	if s.in == nil {
		return &Error{Offset: -1, err: &outside{ErrRead, errNoReader}}
	}
	if err := (&Options{Codec: s.file.opts}).check(); err != nil {
		return err
	}
	stopped := false
	var failed error
	s.resource = func(text string, at int64) *Error {
		var more bool
		if more, failed = visit(text, at); failed != nil {
			return &Error{} // failed says it all
		}
		if stopped = !more; stopped {
			return &Error{}
		}
		return nil
	}
	err := s.parse()
	s.in, s.text, s.buf, s.piece, s.read, s.texts = nil, "", nil, nil, reading{}, texts{}
	switch {
	case stopped:
		return nil
	case failed != nil:
		return failed
	case err != nil:
		return err
	}
	return nil
}

// Open decrypts the secrets of many resources in one call of the [Decrypter] and
// returns the resources with what takes their place, in the same order; see
// [OpenBags]. It may be called while the iteration goes on. The batch itself
// stays as it is. With an error no resource is returned; it names the first in
// which something is wrong, unless the call as a whole failed.
func (r *Reader) Open(batch []Resource, d Decrypter) ([]Resource, error) {
	o := Options{}
	if s := r.streaming(); s != nil {
		o.Codec = s.file.opts
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	return openBatch(batch, d, o.Codec)
}

// Document returns what was read so far beside the resources, as a file that has
// none: shape, version, features, secrets provider, fields, wrapping. It is
// complete when the iteration has ended without an error.
func (r *Reader) Document() *File {
	s := r.streaming()
	if s == nil {
		return &File{}
	}
	p := parser{file: &File{}, shapes: s.shapes, top: slices.Clone(s.top)}
	*p.file = *s.file
	p.file.wrapping = slices.Clone(p.file.wrapping)
	if len(p.shapes) > 0 && len(p.top) > 0 {
		p.settle()
	}
	return p.file
}
