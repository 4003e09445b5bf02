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

// DecodeMarked is [DecodeJSON] of a part of a text, between two offsets, whose marks are made
// already. The value shares the memory of the text.
func (exporter) DecodeMarked(text string, from, to int, marks []jsonscan.Mark, o Options) (value.Value, error) {
	if o.check(opDecodeJSON) == nil {
		r := newJSONReader(text, &o)
		r.merge = mergeable(to - from)
		v, fault := r.make(marks, jsonscan.SizesOf(text, marks))
		if fault == nil && !r.rounded && v.Kind() == value.KindObject {
			return lower(opDecodeJSON, v, &o)
		}
	}
	return DecodeJSON(text[from:to], o) // which has more to say
}
