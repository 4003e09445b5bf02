package engine

import (
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// Fallback is what the engine makes of DIFF_UNKNOWN: it compares old inputs with
// new inputs itself, once it has set back what ignoreChanges names (see [ignore.Changes]),
// and looks at neither secretness nor dependencies. Of the response it keeps
// Replaces and DeleteBeforeReplace. Any other response comes back as it is.
//
// What is kept need not agree with what was compared: [check.Validate] of the result may
// report replaces-extra, of names without an entry that replaces, and
// none-with-changes, when nothing differs and names are kept.
//
// Entries say inputDiff. They stop at the outermost secret, though engines, which
// take the marks off first, go on below it.
func Fallback(r provider.Response, s provider.Sides, ignored []path.Pattern) provider.Response {
	if r.Changes != provider.Unknown {
		return r
	}
	old, news := protocol.Present(s.OldInputs), protocol.Present(s.News)
	if len(ignored) > 0 {
		news = ignore.Changes(old, news, ignored, ignore.Engine).Value
	}
	const relation = value.Engine | value.IgnoreSecrets | value.IgnoreDependencies
	answer := provider.Respond(diff.Between(old, news, diff.Options{Relation: relation, Unknowns: diff.UnknownsChanged}), provider.Options{Side: provider.FromInputs})
	answer.Replaces, answer.Stables, answer.DeleteBeforeReplace = r.Replaces, r.Stables, r.DeleteBeforeReplace
	return answer
}
