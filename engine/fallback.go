package engine

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// Fallback returns the response that the engine uses in place of DIFF_UNKNOWN.
//
// It compares the old inputs with the new ones, after setting back the places that
// ignoreChanges names (see [ignore.Changes]), and ignores secretness and dependencies.
// It keeps Replaces, Stables and DeleteBeforeReplace of r. Any other response is returned
// unchanged.
//
// Since the names in Replaces need not agree with the comparison, [check.Validate] may
// report replaces-extra (a name without an entry that replaces) and none-with-changes
// (names but no differences) for the result.
//
// Entries are marked inputDiff. They stop at the outermost secret, whereas engines,
// which remove the marks first, report changes inside it.
func Fallback(r provider.Response, s provider.Sides, ignored []path.Pattern) provider.Response {
	if r.Changes != provider.Unknown {
		return r
	}
	old, news := protocol.Present(s.OldInputs), protocol.Present(s.News)
	if len(ignored) > 0 {
		news = ignore.Changes(old, news, ignored, ignore.Engine).Value
	}
	const relation = value.Engine | value.IgnoreSecrets | value.IgnoreDependencies
	answer := provider.Respond(diff.Between(old, news, diff.Options{Relation: relation, Unknowns: diff.UnknownsChanged}), provider.Options{InputDiff: true})
	r.Changes, r.Diffs, r.Detailed, r.HasDetailed = answer.Changes, answer.Diffs, answer.Detailed, answer.HasDetailed
	return r
}
