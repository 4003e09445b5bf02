package state

import (
	"iter"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/given"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/veil"
)

// Options are the options of readers of state files.
type Options struct {
	// Codec is for the inputs and outputs of resources. Its Provider is replaced by
	// that of the document, if it names one. Its Form is [codec.FormState]. Its
	// Report is not used: each [Resource] has reports of its own. Its depth limit
	// applies to each bag, and to fields that are kept as they are. With secrets
	// lowered, a sealed one is an error that wraps [codec.ErrSealed], except in a
	// file that [File.Decrypt] returned.
	Codec codec.Options
}

// The shapes of a document: what surrounds the deployment.
const (
	export         = "stack export"    // {"version":3,"deployment":{…}}
	checkpoint     = "checkpoint"      // {"version":3,"checkpoint":{"latest":{…}}}
	oldCheckpoint  = "old checkpoint"  // {"target":…,"latest":{…}}
	bareDeployment = "bare deployment" // the deployment itself
)

// File is a state file. It is immutable, and may be shared between goroutines;
// iterations are independent of each other. A nil File is empty.
type File struct {
	text      veil.Pointer[string]
	answers   veil.Pointer[answers] // nil before Open
	opts      codec.Options
	shape     string
	version   int
	features  []string
	provider  string
	resources []place
	document  []Field
	wrapping  []Field
}

// place is where a resource is in the text.
type place struct{ at, end int }

// Parse reads a state file: a stack export or a checkpoint of version 1 to 4, a
// checkpoint without a version, or a bare deployment. It validates all of it except inputs and
// outputs, which are read with their resources. The file and its resources share the
// memory of the text if that is a string, and of one copy of it if it is bytes (but see
// [codec.Options.OwnBytes]). The error is an [*Error]. [Reader] reads files that are too
// large for memory.
func Parse[Text ~string | ~[]byte](text Text, o Options) (*File, error) {
	return parse(given.Text(text, o.Codec.OwnBytes), o)
}

func parse(text string, o Options) (*File, error) {
	if err := o.check(); err != nil {
		return nil, err
	}

	f := &File{text: veil.Hide(&text), opts: o.codec()}
	p := parser{file: f, Window: jsonscan.Window{Text: text}}
	p.resource = func(text string, at int64) *Error {
		f.resources = append(f.resources, place{int(at), int(at) + len(text)})
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

// check returns an error for invalid options.
func (o *Options) check() error {
	opts := o.Codec
	opts.Report = nil
	if _, err := codec.DecodeJSONValue("0", opts); err != nil {
		e := &Error{}
		e.adopt(err, 0)
		e.Offset = -1
		return e
	}

	return nil
}

func (f *File) self() *File {
	if f == nil {
		return &File{}
	}
	return f
}

// Shape returns what surrounds the deployment:
//   - "stack export": {"version":3,"deployment":{…}}, what `pulumi stack export` writes
//   - "checkpoint": {"version":3,"checkpoint":{"latest":{…}}}, what backends store
//   - "old checkpoint": {"target":…,"latest":{…}}, what old backends stored
//   - "bare deployment": the deployment itself
//
// It is empty for a file that was not read.
func (f *File) Shape() string { return f.self().shape }

// Version returns the version of the deployment, 1 to 4, or 0 if the shape has none.
func (f *File) Version() int { return f.self().version }

// Features returns the features that a reader of a deployment of version 4 has to
// support, as the document names them.
func (f *File) Features() []string { return slices.Clone(f.self().features) }

// UnknownFeatures returns those of [File.Features] that engines of v3.259.0 do not support.
// They refuse such a file. Below version 4 features have no effect, and there are none.
func (f *File) UnknownFeatures() []string {
	if f.self().version < 4 {
		return nil
	}
	return slices.DeleteFunc(f.Features(), isKnownFeature)
}

// Provider returns the type of the secrets provider, for example "passphrase",
// or the empty string if the document names none.
func (f *File) Provider() string { return f.self().provider }

// Len returns the number of resources.
func (f *File) Len() int { return len(f.self().resources) }

// Fields returns the members of the deployment apart from its resources, as they are:
// manifest, pending operations, metadata, secrets providers, and those that this
// package does not know.
func (f *File) Fields() []Field { return slices.Clone(f.self().document) }

// Envelope returns the members around the deployment, as they are, such as version,
// features, stack and target.
func (f *File) Envelope() []Field { return slices.Clone(f.self().wrapping) }

// Resources iterates over the resources in the order of the file, and reads each on
// demand. For a resource that cannot be read it yields the zero Resource and an error; the
// loop may go on to the others.
func (f *File) Resources() iter.Seq2[Resource, error] {
	return func(yield func(Resource, error) bool) {
		skip := jsonscan.Skipper{Tape: true, Most: mostMarks}
		for i := range f.self().resources {
			r, err := f.resource(i, &skip)
			if err != nil {
				r = Resource{}
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// Find returns the resource with the given URN, and reports whether there is one. An empty
// URN finds none. While replaced resources are pending deletion, several may have the same
// URN: Find returns the first whose Delete is false or, if there is none, the first. It
// reads no other resource, so an error is about that one; the bool is then false.
func (f *File) Find(urn string) (Resource, bool, error) {
	f = f.self()
	found := -1
	for i, at := range f.resources {
		text := (*f.text.Open())[at.at:at.end]
		name := gjson.Get(text, "urn")
		if name.Type != gjson.String || urn == "" || unquote(name.Raw) != urn {
			continue
		}
		if gjson.Get(text, "delete").Type != gjson.True {
			found = i
			break
		}
		if found < 0 {
			found = i
		}
	}
	if found < 0 {
		return Resource{}, false, nil
	}

	r, err := f.resource(found, new(jsonscan.Skipper))
	return r, err == nil, err
}

// Field is a member of an object of the document, kept as it is. Its text may contain
// secrets, and is hidden from package fmt and other printers.
type Field struct {
	Name  string
	text  veil.Pointer[string]
	at    int64 // where the text begins
	after int   // resources before it
}

// RevealText returns the JSON text of the member's value, secrets included. The
// zero Field has the text null.
func (f Field) RevealText() string {
	if text := f.text.Open(); text != nil {
		return *text
	}
	return "null"
}
