package codec

import (
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/value"
)

// Internal is the door for the rest of this module. It is no part of the API: what it has
// changes in any release.
var Internal exporter //nolint:gochecknoglobals // it has no state

// exporter has as methods what other packages of the module need of this one, and users do
// not.
type exporter struct{}

// DecodeMarked is [DecodeJSON] of a member in a text whose marks are made already. The value
// shares the memory of the text.
func (exporter) DecodeMarked(text string, m jsonscan.Member, marks []jsonscan.Mark, o Options) (value.Value, error) {
	if o.check(opDecodeJSON) == nil {
		r := newJSONReader(text, &o)
		r.merge = mergeable(m.End - m.At)
		v, fault := r.make(marks[m.Mark:m.MarkEnd], m.Sizes)
		if fault == nil && !r.rounded && v.Kind() == value.KindObject {
			return lower(opDecodeJSON, v, &o)
		}
	}
	return DecodeJSON(text[m.At:m.End], o) // which has more to say
}
