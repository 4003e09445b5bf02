package decide

import (
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/provider"
)

// Operation is the operation during which the engine calls Diff. The set is closed.
type Operation uint8

const (
	// DuringUpdate is an update or its preview.
	DuringUpdate Operation = iota
	// DuringImport is the import of a resource that was read: the old state is what was
	// read. If the program's inputs differ, the engine updates the resource after the
	// import. A response that replaces makes the import fail ([BecauseImportDiffers]).
	// That is what engine v3.259.0 does; older engines, and their guide for
	// implementers, refuse any difference.
	DuringImport
	// DuringRefresh is the refresh of a resource that was read. It never replaces.
	DuringRefresh
)

// Situation is what the engine knows in addition to a response. The zero Situation is
// an update with no special circumstances. Protection is not part of it: engines plan a
// step, and then refuse one that would delete a protected resource.
type Situation struct {
	Operation Operation
	// DeleteBeforeReplace is the resource option of that name. If it is nil, the response
	// decides.
	DeleteBeforeReplace *bool
	// InitErrors reports whether the last operation failed after the resource was made.
	// An update tries again, with a step of at least [StepUpdate].
	InitErrors bool
	// PendingReplacement reports whether an earlier replacement was interrupted: the
	// old resource is deleted, and the new one is not yet created.
	PendingReplacement bool
	// TriggerFired reports whether the resource option replacementTrigger has changed.
	// The engine then does not ask the provider: of the response, which may be the zero
	// one, only its DeleteBeforeReplace is used.
	TriggerFired bool
	// Unavailable reports whether the response is missing because the provider's own
	// configuration is not known yet.
	Unavailable bool
}

// Step is what the engine does next. The set is closed.
type Step uint8

// The steps.
const (
	StepFail        Step = iota // report an error
	StepCompare                 // compare the inputs without the provider, then decide: see Fallback
	StepSame                    // do nothing
	StepUpdate                  // update; during a refresh, take the state that was read
	StepCreateFirst             // replace: create the new resource, then delete the old one
	StepDeleteFirst             // replace: delete the old resource, unless that is done, then create the new one
)

// String returns the step in lower case, for example "create first".
func (s Step) String() string {
	return scan.Name(s, "invalid step", []string{
		StepFail: "fail", StepCompare: "compare", StepSame: "same", StepUpdate: "update",
		StepCreateFirst: "create first", StepDeleteFirst: "delete first",
	})
}

// The reasons for a step, or for an action of a run. Those after BecauseInvalid occur only
// in actions.
const (
	BecauseSame          = "nothing changed"
	BecauseChanged       = "something changed"
	BecauseReplaces      = "something changed that replaces"
	BecauseTrigger       = "the replacement trigger fired"
	BecausePending       = "a replacement is pending"
	BecauseInitErrors    = "the last operation failed"
	BecauseUnknown       = "the provider does not know"
	BecauseUnavailable   = "the provider is not configured yet" // an update warns, import and refresh fail
	BecauseImportDiffers = "the imported resource would have to be replaced"
	BecauseInvalid       = "the response is invalid"
	BecauseNew           = "it is not managed yet"
	BecauseUndeclared    = "the program does not declare it"
	BecauseReplaced      = "it was replaced, and waits for its deletion"
	BecauseDependency    = "a resource that it depends on is replaced, and deleted first"
	BecauseAsked         = "the run asks for it"
	BecauseMissing       = "a refresh did not find it"
	BecauseInterrupted   = "an earlier run did not end"
	BecauseNoTarget      = "the run may not change it"
	BecauseSkipped       = "something that it depends on failed"
	BecauseNeeded        = "something that stays depends on it"
)

// Decision is what the engine does next, and why.
type Decision struct {
	Step Step
	Why  string
}

// Replaces reports whether the step replaces the resource. The engine then calls Check
// again before the step, since that creates a new resource: with the program's inputs,
// without old inputs, and without applying ignoreChanges.
func (n Decision) Replaces() bool {
	return n.Step == StepCreateFirst || n.Step == StepDeleteFirst
}

// Next returns the step that the engine takes after a response to Diff, and the reason.
// Apply [Fallback] and then [ReplaceOnChanges] to the response before: if its Changes are
// [rpc.DiffUnknown], the step may be StepCompare.
func Next(r provider.Response, s Situation) Decision {
	switch {
	case s.Operation != DuringUpdate:
		return afterReading(r, s)
	case s.TriggerFired:
		return Decision{s.replacement(r), BecauseTrigger}
	case s.Unavailable && s.PendingReplacement:
		return Decision{s.replacement(provider.Response{}), BecauseUnavailable}
	case s.Unavailable:
		return Decision{StepUpdate, BecauseUnavailable}
	case !protocol.IsChanges(r.Changes):
		return Decision{StepFail, BecauseInvalid}
	case r.Changes == rpc.DiffUnknown:
		return Decision{StepCompare, BecauseUnknown}
	case r.Changes == rpc.DiffSome && r.Replace():
		return Decision{s.replacement(r), BecauseReplaces}
	case s.PendingReplacement:
		return Decision{s.replacement(r), BecausePending}
	case r.Changes == rpc.DiffSome:
		return Decision{StepUpdate, BecauseChanged}
	case s.InitErrors:
		return Decision{StepUpdate, BecauseInitErrors}
	}

	return Decision{StepSame, BecauseSame}
}

// replacement returns how the resource is replaced. The option wins over the provider.
func (s Situation) replacement(r provider.Response) Step {
	deletesFirst := r.DeleteBeforeReplace
	if s.DeleteBeforeReplace != nil {
		deletesFirst = *s.DeleteBeforeReplace
	}
	if deletesFirst {
		return StepDeleteFirst
	}
	return StepCreateFirst
}

// afterReading returns what follows from a response if the resource was read to be
// imported or refreshed.
func afterReading(r provider.Response, s Situation) Decision {
	switch {
	case s.Unavailable:
		return Decision{StepFail, BecauseUnavailable}
	case !protocol.IsChanges(r.Changes):
		return Decision{StepFail, BecauseInvalid}
	case r.Changes == rpc.DiffUnknown:
		return Decision{StepCompare, BecauseUnknown}
	case r.Changes == rpc.DiffNone:
		return Decision{StepSame, BecauseSame}
	case s.Operation == DuringImport && r.Replace():
		return Decision{StepFail, BecauseImportDiffers}
	}

	return Decision{StepUpdate, BecauseChanged}
}

// Kind is what an engine does with a resource that a program declares. The set is closed.
type Kind uint8

const (
	// KindManage means to create, update, replace or leave the resource, as Diff says.
	KindManage Kind = iota
	// KindImport means to read a resource by its ID, and to manage it from then on.
	KindImport
	// KindRead means to read a resource by its ID, and not to manage it.
	KindRead
)

// KindOf returns what an engine does with a resource, of which a program declares the IDs
// by which it is read or imported, if it is, and whether it is a component. The argument old
// is the resource in the state, or nil if the state does not have it.
//
// Programs keep the resource option import after the import. KindOf therefore returns
// KindImport only if the resource is not in the state, is in the state but not managed, or
// was imported or created with an ID other than importID. In the last case the import
// replaces it.
func KindOf(readID, importID string, isComponent bool, old *state.Resource) Kind {
	switch {
	case readID != "":
		return KindRead
	case isComponent || importID == "":
		return KindManage
	case old == nil || old.External:
		return KindImport
	case (old.ImportID != "" && old.ImportID != importID) || (old.ImportID == "" && old.ID != importID):
		return KindImport
	}

	return KindManage
}
