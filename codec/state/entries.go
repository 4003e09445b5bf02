package state

import (
	"bytes"
	"errors"
	"hash/maphash"
	"io"
	"iter"

	"github.com/propalg/propalg/internal/given"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/veil"
)

// Entry is the identity, the offset and a hash of a resource in a stream, whose
// properties are not read. It shares no memory with the text: a list of entries is
// a small index of a large file.
type Entry struct {
	URN    string
	ID     string
	Parent string // a URN
	Delete bool   // replaced and pending deletion: another resource may have the same URN

	Offset int64  // of the resource in the stream, in bytes
	Length int64  // of its text, in bytes
	Number int    // index of the resource in the document, from 0
	Hash   uint64 // of its text: those of other texts differ, but for rare exceptions; other processes have others

	reader veil.Pointer[streaming] // where it was found
}

var seed = maphash.MakeSeed() //nolint:gochecknoglobals // of the hashes of entries

// Entries iterates over the resources in the order of the file, and yields an [Entry] for
// each. It reads no properties, and reports only errors in the document and in the members
// that an Entry has. An error, with a zero Entry, ends the iteration. A Reader iterates
// once, over Entries or over [Reader.Resources].
func (r *Reader) Entries() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		s := r.streaming()
		if s == nil {
			return
		}

		s.isOutlined = true
		err := s.run(func(text string, at int64) (bool, error) {
			e, err := s.entry(text, at)
			if err != nil {
				return false, err
			}
			e.reader = r.inner
			s.now, s.from = text, at
			defer func() { s.now, s.from = "", -1 }()
			return yield(e, nil), nil
		})
		if err != nil {
			yield(Entry{}, err)
		}
	}
}

// entry reads the names of a resource.
func (s *streaming) entry(text string, at int64) (Entry, error) {
	if s.twin != nil {
		e := *s.twin
		e.Offset, e.Number = at, s.count
		return e, nil
	}

	own := s.reading(text, at)
	err := own.read([]fieldOf{{"urn", &own.to.URN}, {"id", &own.to.ID}, {"parent", &own.to.Parent}, {"delete", &own.to.Delete}})
	e := Entry{Offset: at, Length: int64(len(text)), Number: s.count, Hash: maphash.String(seed, text)}
	e.URN, e.ID, e.Parent, e.Delete = own.to.URN, own.to.ID, own.to.Parent, own.to.Delete
	return e, err
}

// errPassed is the error of an entry that cannot be read any more.
var errPassed = errors.New("the stream has moved past this resource")

// errOther is the error of a resource that changed.
var errOther = errors.New("the resource has changed since the entry was read")

// resource reads the resource, as [Reader.Resources] does, or an outline without bags. It works only while the
// iteration is at the entry; later it returns an error that wraps [ErrRead], and
// reread has to be used.
func (e Entry) resource(isOutline bool) (Resource, error) {
	s := e.reader.Open()
	if s == nil || s.from != e.Offset {
		return Resource{}, e.refuse(errPassed)
	}
	own := s.reading(s.now, e.Offset)
	own.isOutline, own.isBagless = isOutline, isOutline
	return own.whole()
}

// reread reads the resource again, from the file that the stream was read from. The
// options are those of the [Reader], with the secrets provider of the document
// ([File.Provider]). If the text has changed it returns an error that wraps [ErrRead].
func (e Entry) reread(file io.ReaderAt, o Options) (Resource, error) {
	if err := o.check(); err != nil {
		return Resource{}, err
	}
	if file == nil || e.Offset < 0 || e.Length <= 0 || e.Offset+e.Length < 0 {
		return Resource{}, e.refuse(errOther)
	}

	var read bytes.Buffer
	read.Grow(int(min(e.Length, jsonscan.WindowSize)) + bytes.MinRead)
	if _, err := read.ReadFrom(io.NewSectionReader(file, e.Offset, e.Length)); err != nil {
		return Resource{}, e.refuse(err)
	}
	text := given.Alias(read.Bytes())
	if int64(len(text)) != e.Length || maphash.String(seed, text) != e.Hash {
		return Resource{}, e.refuse(errOther)
	}

	of := &File{opts: o.codec()}
	if s := e.reader.Open(); s != nil {
		of.version, of.shape = s.file.version, s.file.shape
	}
	s := streaming{parser: parser{file: of, count: e.Number, around: around(limit(o.Codec)), Window: jsonscan.Window{Text: text, Base: e.Offset}}}
	whole, err := s.one(&s.around)
	switch {
	case err != nil:
		return Resource{}, err
	case len(whole) != len(text):
		return Resource{}, e.refuse(errOther)
	}
	own := s.reading(whole, e.Offset)
	return own.whole()
}

// refuse makes an error of what kept the resource from being read.
func (e Entry) refuse(err error) error {
	return &Error{Offset: e.Offset, Resources: e.Number, err: &outside{ErrRead, err}}
}
