package state

import (
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/veil"
)

// Reader reads a state file of any size as a stream, one resource at a time. It holds in
// memory a window of some hundred KiB, one resource, and the members of the document apart
// from its resources. A resource that is longer than the window takes up to three times its
// length in memory while it is read. A resource or other member that is longer than 512 MiB
// is an error that wraps [ErrRead], since the stream may have no end. A Reader is for one
// goroutine.
//
// It reads what [Parse] reads, with the same errors, but yields resources before it has
// read the rest:
//   - an error in the document follows the resources before it: the document is valid
//     only if the iteration ends without an error
//   - encrypted secrets are [value.Sealed]. Their provider is the one that the document
//     names, if it does so before the resources (engines do), else that of
//     [codec.Options], which is empty by default. [Reader.Decrypt] decrypts them
//
// Resources do not share memory with the window: they hold copies of what they need of the
// text. The texts of a bag are in one piece.
type Reader struct {
	inner veil.Pointer[streaming]
}

type streaming struct {
	parser
	used  bool
	texts *texts

	now  string // the text of the entry that the iteration is at
	from int64  // its offset; -1: at none
}

// NewReader returns a reader of r. It reads nothing yet; invalid options are an error
// of the iteration.
func NewReader(r io.Reader, o Options) *Reader {
	s := &streaming{from: -1, texts: new(texts)}
	s.file = &File{opts: o.codec()}
	s.Window = jsonscan.Window{In: r}
	return &Reader{veil.Hide(s)}
}

// What keeps a Reader from reading.
var (
	errUsed     = errors.New("the stream has been read already")
	errNoReader = errors.New("nil reader")
)

func (r *Reader) streaming() *streaming {
	if r == nil {
		return nil
	}
	return r.inner.Open()
}

// Resources iterates over the resources in the order of the file. A Reader can be iterated
// over once, and a loop that was left cannot be continued. An error, with a zero Resource,
// ends the iteration. It has the offset in the stream and the number of whole resources
// before it; an error of the io.Reader is wrapped together with [ErrRead]. The zero Reader,
// and nil, have no resources.
func (r *Reader) Resources() iter.Seq2[Resource, error] { return r.resources(nil, false) }

// resources iterates over the resources, and goes on after one that cannot be read or not. If
// needs is not nil it yields outlines, with inputs and outputs only where these are needed;
// it is asked with no resource first, by who needs them whatever the resource is.
func (r *Reader) resources(needs func(r *Resource, text string) bool, goesOn bool) iter.Seq2[Resource, error] {
	return func(yield func(Resource, error) bool) {
		s := r.streaming()
		if s == nil {
			return
		}

		s.isOutlined = needs != nil
		err := s.run(func(text string, at int64) (bool, error) {
			own := s.reading(text, at)
			own.isOutline, own.isBagless = needs != nil, needs != nil && !needs(nil, text)
			resource, err := own.whole()
			if err == nil && own.isBagless {
				if outline := resource; needs(&outline, text) {
					own = s.reading(text, at)
					own.isOutline = true
					resource, err = own.whole()
				}
			}
			if err != nil && goesOn {
				return yield(Resource{}, err), nil
			}
			return err == nil && yield(resource, nil), err
		})
		if err != nil {
			yield(Resource{}, err)
		}
	}
}

// reading returns the reading of the resource at an offset of the stream.
func (s *streaming) reading(text string, at int64) reading {
	return reading{file: s.file, source: text, own: s.texts, members: s.around.Members, marks: s.around.Marks, to: Resource{Offset: at, Number: s.count}}
}

// run reads the document, and calls visit with the texts of the resources. It returns
// no error if visit stops it.
func (s *streaming) run(visit func(text string, at int64) (more bool, err error)) error {
	if s.used {
		return &Error{Offset: s.Offset(), Resources: s.count, err: &outside{ErrRead, errUsed}}
	}
	s.used = true
	if s.In == nil {
		return &Error{Offset: -1, err: &outside{ErrRead, errNoReader}}
	}
	if err := (&Options{Codec: s.file.opts}).check(); err != nil {
		return err
	}

	more, failed := true, error(nil)
	s.resource = func(text string, at int64) *Error {
		if more, failed = visit(text, at); more && failed == nil {
			return nil
		}
		return &Error{} // which is replaced by failed
	}
	err := s.parse()
	s.Drop()
	s.texts = nil
	if err == nil || !more || failed != nil {
		return failed
	}
	return err
}

// Decrypt decrypts the secrets of many resources in one call of the [Decrypter] and
// returns the resources with secrets in their places, in the same order; see
// [DecryptBags]. It may be called during the iteration. The batch itself does not
// change. On an error it returns no resources. The error names the first resource that
// could not be decrypted, unless the call of the Decrypter failed.
func (r *Reader) Decrypt(batch []Resource, d Decrypter) ([]Resource, error) {
	o := Options{}
	if s := r.streaming(); s != nil {
		o.Codec = s.file.opts
	}
	if err := o.check(); err != nil {
		return nil, err
	}

	return openBatch(batch, d, o.Codec)
}

// Document returns what was read so far apart from the resources, as a file without
// any: shape, version, features, secrets provider, fields and envelope. It is complete
// when the iteration has ended without an error.
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
