package state

import (
	"crypto/sha256"
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/veil"
	"github.com/tidwall/gjson"
)

// Entry is the identity, the offset and the digest of a resource in a stream, whose
// properties are not read. It shares no memory with the text: a list of entries is
// a small index of a large file.
//
// Entries with equal digests have the same text, and so the same properties.
// Ciphertexts in them are equal only if the documents have the same secrets provider.
type Entry struct {
	URN    string
	ID     string
	Parent string // a URN
	Delete bool   // replaced and pending deletion: another resource may have the same URN

	Offset int64             // of the resource in the stream, in bytes
	Length int64             // of its text, in bytes
	Number int               // index of the resource in the document, from 0
	Digest [sha256.Size]byte // SHA-256 of its text

	reader veil.Pointer[streaming] // where it was found
}

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

// entry reads the names of a resource. If they are malformed, the whole
// resource is read, which says what is wrong.
func (s *streaming) entry(text string, at int64) (Entry, error) {
	e := Entry{Offset: at, Length: int64(len(text)), Number: s.count, Digest: sha256.Sum256([]byte(text))}
	var found [4]bool
	odd := false
	gjson.Result{Type: gjson.JSON, Raw: text}.ForEach(func(key, v gjson.Result) bool {
		var i int
		var to *string
		switch unquote(key.Raw) {
		case "urn":
			to = &e.URN
		case "id":
			i, to = 1, &e.ID
		case "parent":
			i, to = 2, &e.Parent
		case "delete":
			i = 3
		default:
			return true
		}
		odd = odd || found[i]
		found[i] = true

		switch {
		case v.Type == gjson.Null:
		case to != nil && v.Type == gjson.String:
			*to = strings.Clone(unquote(v.Raw))
		case to == nil && v.Type == gjson.True:
			e.Delete = true
		case to == nil && v.Type == gjson.False:
		default:
			odd = true
		}
		return !odd
	})
	if odd || e.URN == "" {
		own := s.reading(text, at)
		r, err := own.find(new(jsonscan.Skipper))
		e.URN, e.ID, e.Parent, e.Delete = r.URN, r.ID, r.Parent, r.Delete
		return e, err
	}

	return e, nil
}

// errPassed is the error of an entry that cannot be read any more.
var errPassed = errors.New("the stream has moved past this resource")

// errOther is the error of a resource that changed.
var errOther = errors.New("the resource has changed since the entry was read")

// resource reads the resource, as [Reader.Resources] does. It works only while the
// iteration is at the entry; later it returns an error that wraps [ErrRead], and
// reread has to be used.
func (e Entry) resource() (Resource, error) {
	s := e.reader.Open()
	if s == nil || s.from != e.Offset {
		return Resource{}, e.refuse(errPassed)
	}
	own := s.reading(s.now, e.Offset)
	return own.find(new(jsonscan.Skipper))
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

	var text strings.Builder
	if e.Length <= jsonscan.WindowSize {
		text.Grow(int(e.Length))
	}
	if _, err := io.Copy(&text, io.NewSectionReader(file, e.Offset, e.Length)); err != nil {
		return Resource{}, e.refuse(err)
	}
	if int64(text.Len()) != e.Length || sha256.Sum256([]byte(text.String())) != e.Digest {
		return Resource{}, e.refuse(errOther)
	}

	of := &File{opts: o.codec()}
	if s := e.reader.Open(); s != nil {
		of.version, of.shape = s.file.version, s.file.shape
	}
	s := streaming{parser: parser{file: of, count: e.Number, Window: jsonscan.Window{Text: text.String(), Base: e.Offset}}}
	skip := around(limit(o.Codec))
	whole, err := s.one(&skip)
	switch {
	case err != nil:
		return Resource{}, err
	case len(whole) != text.Len():
		return Resource{}, e.refuse(errOther)
	}
	own := s.reading(whole, e.Offset)
	return own.find(new(jsonscan.Skipper))
}

// refuse makes an error of what kept the resource from being read.
func (e Entry) refuse(err error) error {
	return &Error{Offset: e.Offset, Resources: e.Number, err: &outside{ErrRead, err}}
}
