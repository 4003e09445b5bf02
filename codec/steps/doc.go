// Package steps reads what an update of a stack does or would do: previews
// (`pulumi preview --json`), plans (`--save-plan`) and event logs (`--event-log`).
//
// The three formats are read as one stream of steps, each with the engine's operation and
// the resource before and after it, and as a [Run], which says how it all went:
//
//	r := steps.NewReader(file, state.Options{})
//	for s, err := range r.Steps() {
//		if err != nil {
//			return err // one line, with the line and the offset in the file
//		}
//		fmt.Println(s.Op, s.URN, s.Status)
//	}
//	if run := r.Run(); run.Failed() {
//		fmt.Println(run.Diagnostics)
//	}
//
// The engine's operation says what happens to a resource, and a comparison of its old and
// new state ([Step.Compare]) explains it: an [OpSame] has nothing to do whatever its states show, and where
// the two states of a step have two URNs, an alias has renamed the resource. A URN is no
// name of one resource: while its replaced ones are pending deletion it has several, and one
// that is deleted may be created again later. [Step.Effect] says what a step does to the
// resources of a stack, and [Reader.Changes] sums the steps up to what people want to see: one
// change for each resource, also on top of a state file ([NewStack]), with a replacement as one.
//
// # What is not known
//
// A preview does not know IDs and outputs that the provider will make. An output that New
// lacks is unknown then, and not removed: [Step.OutputsPartial]. A plan has only the
// properties that change, and not their old values: [Step.InputsPartial]. Event logs have
// fewer fields of a resource than a state; those that New and Old lack are unknown in both:
// [Run.Lacks].
//
// Engines mask secrets in previews and logs. A masked secret is read as a [value.Sealed]
// whose ciphertext equals no other, so that comparisons say that it may have changed; the
// old and the new one of a step that changes nothing are equal.
//
// # Steps of a log
//
// In an event log a step begins with resourcePreEvent and ends with resOutputsEvent or
// resOpFailedEvent. The two belong together if they have the same URN, operation and old
// ID, the first with the first; the end of a refresh says what it found, in
// place of its operation. Steps run in parallel and are yielded when they end:
// [Step.Number] is the order in which they began. Of a step without an end:
//   - one of a component is Done, unless it is a deletion: engines only record it, and send
//     its outputs later or never. In previews, its outputs come a second time
//   - in a preview it is Failed if there is an error with its URN
//   - any other is Unfinished: it was interrupted, or the log is truncated
//
// Outputs that a program registers for a custom resource, after its step has ended, are
// passed over; SDKs register those of components alone.
//
// # Counts
//
// [Run.Counts] is made from the steps alone, and equals the engine's summary,
// [Run.Changes], in all event logs that engines' own tests recorded. By the
// engine's rules, [Step.Counted], a step counts if it was done or planned and is logical:
// replacements count once, as [OpReplace], and not their parts. A refresh counts as what it
// found if the whole run is one, and else not at all; a read only if outputs changed;
// default providers and [OpRemovePendingReplace] never. The steps of a preview that is no
// log are incomplete (unchanged resources and parts of replacements are left out by default),
// and so are their counts.
//
// # How a run went
//
// Newer engines write a result; [Run.Failed] judges the runs of older ones, and previews, by
// errors. A log that ends with neither a summary nor the event that ends every log is
// [Run.Truncated]: the process was killed, or still runs.
//
// # Other text
//
// Lines of a log that are no events, and lines around a document, are passed over; the Run
// counts them. Everything else that is unexpected is an [*Error], after the steps before
// it: a text that is cut off ([ErrTruncated]), two runs in one file ([ErrSecondRun]), other
// formats ([ErrFormat]), malformed JSON or resources. Operations, events and members that this
// package does not know are kept as they are.
package steps
