package provider

// Answering says who finds out what changed. The set is closed.
type Answering uint8

const (
	// AnswerChanges leaves it to the provider; the response says what changed.
	AnswerChanges Answering = iota
	// AnswerUnknown leaves it to the engine, which is told DIFF_UNKNOWN and no changes, and
	// compares the inputs itself (see [engine.Fallback]). The names that force a
	// replacement and DeleteBeforeReplace are told all the same: the engine
	// keeps them.
	AnswerUnknown
)

// as is the response in this way of answering.
func (r Response) as(a Answering) Response {
	if a != AnswerUnknown {
		return r
	}
	return Response{Changes: Unknown, Replaces: r.Replaces, Stables: r.Stables, DeleteBeforeReplace: r.DeleteBeforeReplace}
}
