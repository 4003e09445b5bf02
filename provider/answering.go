package provider

// Answering selects whether the provider or the engine determines what changed. The set
// is closed.
type Answering uint8

const (
	// AnswerChanges has the response report what changed.
	AnswerChanges Answering = iota
	// AnswerUnknown leaves the comparison to the engine. The response is DIFF_UNKNOWN,
	// without changes, and the engine compares the inputs itself (see
	// [engine.Fallback]). The names that force a replacement and DeleteBeforeReplace
	// are still sent, since the engine keeps them.
	AnswerUnknown
)

// as is the response in this way of answering.
func (r Response) as(a Answering) Response {
	if a != AnswerUnknown {
		return r
	}
	return Response{Changes: Unknown, Replaces: r.Replaces, Stables: r.Stables, DeleteBeforeReplace: r.DeleteBeforeReplace}
}
