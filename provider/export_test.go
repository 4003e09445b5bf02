package provider

import (
	"slices"

	"github.com/propalg/propalg/diff"
)

// ResponseWithin is Respond, with so many bytes of paths at most.
func ResponseWithin(d diff.Diff, o Options, most int) Response {
	return respondWithin(d, o, most)
}

// ComparisonWithin is Comparison.Response, with so many bytes of paths at most.
func ComparisonWithin(c Comparison, o Options, most int) Response {
	return c.open().responseWithin(&o, most)
}

// NotesHold reports whether the memory that a response gave back still holds a text of a
// value.
func NotesHold() bool {
	w := responders.Get().(*responder) //nolint:forcetypeassert // the pool holds nothing else
	defer responders.Put(w)
	some := func(s string) bool { return s != "" }
	return slices.ContainsFunc(w.entries[:cap(w.entries)], func(e Entry) bool { return e.Key != "" }) ||
		slices.ContainsFunc(w.levels[:cap(w.levels)], func(l level) bool { return l.key != "" }) ||
		slices.ContainsFunc(w.names[:cap(w.names)], some) || slices.ContainsFunc(w.changed[:cap(w.changed)], some) ||
		slices.ContainsFunc(w.text[:cap(w.text)], func(c byte) bool { return c != 0 })
}
