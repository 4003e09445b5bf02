package decide

import (
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// Fallback returns the response that engine v3.259.0 uses in place of DIFF_UNKNOWN.
//
// It compares the old inputs with the new ones, after setting back the places that
// ignoreChanges names (see [ignore.Changes]). An input that becomes a secret, or is one no
// more, has changed, and so has one with other dependencies. Engines since v3.260.0
// overlook both: to decide as they do, remove the marks from the sides before.
//
// If there are differences, they replace Diffs and the entries of r, marked inputDiff;
// they stop at the outermost secret. Everything else is kept, and so are Diffs and entries
// if there is no difference. Any other response is returned unchanged.
//
// Since what is kept need not agree with the comparison, [check.Validate] may report
// replaces-extra (a name without an entry that replaces) and none-with-changes (names but
// no differences) for the result.
func Fallback(r provider.Response, s provider.Sides, ignored []path.Pattern) provider.Response {
	if r.Changes != rpc.DiffUnknown {
		return r
	}
	old, news := protocol.Present(s.OldInputs), protocol.Present(s.News)
	if len(ignored) > 0 {
		news = ignore.Changes(old, news, ignored, ignore.AsEngine).Value
	}
	d := diff.Between(old, news, diff.Options{Relation: value.Engine, MaybeIsChanged: true})
	if d.Empty() {
		r.Changes = rpc.DiffNone
		return r
	}

	answer := provider.Differ{}.RespondInputs(d)
	r.Changes, r.Diffs, r.Detailed, r.HasDetailed = answer.Changes, answer.Diffs, answer.Detailed, answer.HasDetailed
	return r
}
