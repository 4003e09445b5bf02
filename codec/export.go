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
// shares the memory of the text, or has copies, in one piece, of what it needs of it. It
// reports false where there is more to say, which DecodeJSON does.
func (exporter) DecodeMarked(text string, m jsonscan.Member, marks []jsonscan.Mark, copies bool, o Options) (v value.Value, ok bool) {
	if o.check(opDecodeJSON) != nil {
		return v, false
	}
	r := newJSONReader(text, &o)
	r.merge, r.copies = mergeable(m.End-m.At), copies
	v, fault := r.make(marks[m.Mark:m.MarkEnd], m.Sizes)
	if fault != nil || r.rounded || v.Kind() != value.KindObject {
		return v, false
	}
	v, err := lower(opDecodeJSON, v, &o)
	return v, err == nil
}
