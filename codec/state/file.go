package state

import (
	"errors"
	"io"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/refuse"
	"github.com/propalg/propalg/internal/veil"
)

// Options says how a state file is read.
type Options struct {
	// Codec is for the inputs and outputs of resources. Its Provider is
	// replaced by that of the document, if this names one; its Form is
	// [codec.FormState]; its Report is not used, since what was rounded is listed
	// with each [Resource]. Its depth
	// limit is for each bag, and also bounds the nesting of what is kept as it
	// stands. With secrets lowered, a sealed one is an error that wraps
	// [codec.ErrSealed] until [File.Open] has put its contents in its place.
	Codec codec.Options
}

// Shape says how a deployment is wrapped.
type Shape uint8

// The shapes.
const (
	Export        Shape = iota // {"version":3,"deployment":{…}}, what `pulumi stack export` writes
	Checkpoint                 // {"version":3,"checkpoint":{"latest":{…}}}, what backends store
	OldCheckpoint              // {"target":…,"latest":{…}}, what they stored before there were versions
	Bare                       // the deployment itself
)

// String returns for example "stack export".
func (s Shape) String() string {
	switch s {
	case Export:
		return "stack export"
	case Checkpoint:
		return "checkpoint"
	case OldCheckpoint:
		return "old checkpoint"
	case Bare:
		return "bare deployment"
	}
	return "invalid shape"
}

// File is a state file that was read; nil is an empty one. It is immutable and may be shared between
// goroutines; each iteration over its resources stands alone.
type File struct {
	text      veil.Pointer[string]
	answers   veil.Pointer[answers] // nil before Open
	opts      codec.Options
	shape     Shape
	version   int
	features  []string
	provider  string
	resources []span
	document  []Field
	wrapping  []Field
}

// span is where a resource stands in the text.
type span struct{ at, end int }

// Read reads a state file to its end and holds its whole text in memory; see
// [Parse], and [Reader] for files that are too large for that. An error of the reader is wrapped together with [ErrRead];
// so is that there is none.
func Read(r io.Reader, o Options) (*File, error) {
	if r == nil {
		return nil, &Error{Offset: -1, err: &outside{ErrRead, errNoReader}}
	}
	var text strings.Builder
	if size, ok := length(r); ok {
		text.Grow(size)
	}
	if n, err := io.Copy(&text, r); err != nil {
		return nil, &Error{Offset: n, err: &outside{ErrRead, err}}
	}
	return ParseText(text.String(), o)
}

// errNoReader is what is wrong with a reader that is nil.
var errNoReader = errors.New("there is no reader")

// length returns how much is left in a reader that can tell, up to a bound: it
// may be wrong, and what is more is read all the same.
func length(r io.Reader) (int, bool) {
	const bound = 1 << 30
	if l, ok := r.(interface{ Len() int }); ok {
		return max(0, min(bound, l.Len())), true
	}
	s, ok := r.(io.Seeker)
	if !ok {
		return 0, false
	}
	here, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, false
	}
	end, err := s.Seek(0, io.SeekEnd)
	if _, back := s.Seek(here, io.SeekStart); err != nil || back != nil || end <= here {
		return 0, false
	}
	return int(min(bound, end-here, math.MaxInt32)), true
}

// Parse reads a state file: a stack export or a checkpoint of version 3 or 4, an
// older checkpoint, or the bare deployment. The text is copied once. All of it
// is validated here, but the contents of inputs and outputs, which are read when
// the resources are iterated over. The error is an [*Error].
func Parse(data []byte, o Options) (*File, error) { return ParseText(string(data), o) }

// ParseText is [Parse] of a string, of which the file and its resources share
// the memory.
func ParseText(text string, o Options) (*File, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	f := &File{text: veil.Hide(&text), opts: o.codec()}
	p := parser{file: f, tape: tape{text: text}}
	p.resource = func(text string, at int64) *Error {
		f.resources = append(f.resources, span{int(at), int(at) + len(text)})
		return nil
	}
	if err := p.parse(); err != nil {
		return nil, err
	}
	return f, nil
}

// codec returns the options for the inputs and outputs of resources.
func (o *Options) codec() codec.Options {
	opts := o.Codec
	if opts.Form <= codec.FormState { // others are refused
		opts.Form = codec.FormState
	}
	return opts
}

// check refuses options that mean nothing, before anything is read.
func (o *Options) check() error {
	opts := o.Codec
	opts.Report = nil
	if _, err := codec.DecodeJSONText("0", opts); err != nil {
		e := &Error{}
		e.adopt(err, 0)
		e.Offset = -1
		return e
	}
	return nil
}

// self is the file, or an empty one for nil.
func (f *File) self() *File {
	if f == nil {
		return &File{}
	}
	return f
}

// Shape returns how the deployment is wrapped.
func (f *File) Shape() Shape { return f.self().shape }

// Version returns the version of the deployment, 3 or 4, or 0 where the shape
// has none.
func (f *File) Version() int { return f.self().version }

// Features returns the features that a deployment of version 4 needs from who
// reads it, as they stand there.
func (f *File) Features() []string { return slices.Clone(f.self().features) }

// Provider returns the type of the secrets provider, for example "passphrase",
// or the empty string if the document names none.
func (f *File) Provider() string { return f.self().provider }

// Len returns the number of resources.
func (f *File) Len() int { return len(f.self().resources) }

// Fields returns the members of the deployment beside its resources, as they
// stand: manifest, pending operations, metadata, secrets providers, and what
// this package does not know.
func (f *File) Fields() []Field { return slices.Clone(f.self().document) }

// Wrapping returns the members of what is around the deployment, as they stand,
// such as version, features, stack and target.
func (f *File) Wrapping() []Field { return slices.Clone(f.self().wrapping) }

// Resources iterates over the resources in the order of the file, and reads
// each when its turn comes. An error is yielded with a zero Resource and ends
// the iteration.
func (f *File) Resources() iter.Seq2[Resource, error] {
	return func(yield func(Resource, error) bool) {
		var skip jsonscan.Skipper
		for i := range f.self().resources {
			r, err := f.resource(i, &skip)
			if err != nil {
				yield(Resource{}, err)
				return
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Field is a member of an object of the document that is kept as it stands. Its
// text may hold secrets, and so stands where no printer looks.
type Field struct {
	Name  string
	text  veil.Pointer[string]
	at    int64 // where the text begins
	after int   // how many resources stand before it
}

// RevealText returns the JSON text of the member's value, secrets included. The
// zero Field has the text null.
func (f Field) RevealText() string {
	if text := f.text.Open(); text != nil {
		return *text
	}
	return "null"
}

// UnmarshalJSON returns an error that names state.Parse.
func (*File) UnmarshalJSON([]byte) error { return refuse.JSON("state.File", "state.Parse") }

// UnmarshalJSON returns an error that names state.Parse.
func (*Field) UnmarshalJSON([]byte) error { return refuse.JSON("state.Field", "state.Parse") }
