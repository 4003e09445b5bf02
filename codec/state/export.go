package state

import (
	"io"
	"iter"

	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/veil"
)

// Internal is the door for the rest of this module. It is no part of the API: what it has
// changes in any release.
var Internal exporter //nolint:gochecknoglobals // it has no state

// exporter has as methods what other packages of the module need of this one, and users do
// not.
type exporter struct{}

// Resource reads the text of a resource that stands elsewhere than in a state file. The
// given resource has its Offset and Number, and its URN if the text need not have one. The
// result shares the memory of the text.
func (exporter) Resource(text string, given Resource, o Options) (Resource, error) {
	if err := o.check(); err != nil {
		return Resource{}, err
	}
	r := reading{file: &File{opts: o.codec()}, source: text, to: given}
	return r.find(new(jsonscan.Skipper))
}

// Resources iterates as [Reader.Resources] does. For a resource that cannot be read it yields
// the zero Resource and an error, and goes on. If needs is not
// nil, dependencies may be missing, and inputs and outputs of a resource that does not need
// them; needs gets nil and the text, and if it returns false the rest and the text.
func (exporter) Resources(r *Reader, needs func(r *Resource, text string) bool) iter.Seq2[Resource, error] {
	return r.resources(needs, true)
}

// Reread reads the resource of an entry again, from the file that the stream was read from;
// the options have the secrets provider of the document.
func (exporter) Reread(e Entry, file io.ReaderAt, o Options) (Resource, error) {
	return e.reread(file, o)
}

// Field returns a member with the text of its value, which begins at an offset.
func (exporter) Field(name, text string, at int64) Field {
	return Field{Name: name, text: veil.Hide(&text), at: at}
}
