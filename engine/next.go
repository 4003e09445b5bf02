package engine

import "github.com/propalg/propalg/provider"

// Operation says what the engine is doing when it asks. The set is closed.
type Operation uint8

const (
	// DuringUpdate is an update or its preview.
	DuringUpdate Operation = iota
	// DuringImport says that a resource was read to be imported: what was read is the
	// old state. Where the program says otherwise the resource is updated next, but
	// never replaced. (Engines before v3.259.0, and their guide for implementers,
	// refuse every difference; that one was tried.)
	DuringImport
	// DuringRefresh says that a resource was read to see what became of it. Refreshing
	// never replaces.
	DuringRefresh
)

// ReplaceOrder is the resource option deleteBeforeReplace. The set is closed.
type ReplaceOrder uint8

const (
	// ProviderDecides says that the option is not set; the provider's word counts.
	ProviderDecides ReplaceOrder = iota
	// CreateFirst is the option set to false.
	CreateFirst
	// DeleteFirst is the option set to true.
	DeleteFirst
)

// Situation is what the engine knows beside a response. The zero Situation is an
// update with nothing unusual.
type Situation struct {
	Operation Operation
	Order     ReplaceOrder
	// InitErrors: the last operation failed after the resource was made, and the
	// engine tries again, as an update at least.
	InitErrors bool
	// PendingReplacement: an earlier replacement stopped half way; the old
	// resource is deleted, the new one not made yet.
	PendingReplacement bool
	// TriggerFired: the resource option replacementTrigger differs from last
	// time. The engine then asks no provider.
	TriggerFired bool
	// Unavailable: there is no response, since the provider cannot tell yet, its
	// own configuration not being known.
	Unavailable bool
}

// Step is what the engine does. The set is closed.
type Step uint8

// The steps.
const (
	StepFail        Step = iota // it reports an error
	StepCompare                 // it compares inputs itself, and then decides: see Fallback
	StepSame                    // nothing
	StepUpdate                  // it updates; while refreshing, it takes what it read
	StepCreateFirst             // it replaces: creates the new one, then deletes the old one
	StepDeleteFirst             // it replaces: deletes the old one, unless that is done, then creates the new one
)

// String returns the step in lower case, for example "create first".
func (s Step) String() string {
	switch s {
	case StepFail:
		return "fail"
	case StepCompare:
		return "compare"
	case StepSame:
		return "same"
	case StepUpdate:
		return "update"
	case StepCreateFirst:
		return "create first"
	case StepDeleteFirst:
		return "delete first"
	}
	return "invalid step"
}

// Reason says why a step is taken. The set is closed.
type Reason uint8

// The causes.
const (
	BecauseSame          Reason = iota // nothing changed
	BecauseChanged                     // something changed, nothing of it replaces
	BecauseReplaces                    // something changed that replaces
	BecauseTrigger                     // the replacement trigger fired
	BecausePending                     // a replacement was under way
	BecauseInitErrors                  // the last operation failed; nothing changed
	BecauseUnknown                     // the provider does not know
	BecauseUnavailable                 // the provider cannot tell yet; users are warned
	BecauseImportDiffers               // what is imported would have to be replaced
	BecauseInvalid                     // the response is of no known kind
)

// String returns the cause as half a sentence, for example "nothing changed".
func (c Reason) String() string {
	switch c {
	case BecauseSame:
		return "nothing changed"
	case BecauseChanged:
		return "something changed"
	case BecauseReplaces:
		return "something changed that replaces"
	case BecauseTrigger:
		return "the replacement trigger fired"
	case BecausePending:
		return "a replacement was under way"
	case BecauseInitErrors:
		return "the last operation failed"
	case BecauseUnknown:
		return "the provider does not know"
	case BecauseUnavailable:
		return "the provider cannot tell yet"
	case BecauseImportDiffers:
		return "what is imported would have to be replaced"
	case BecauseInvalid:
		return "the response is invalid"
	}
	return "invalid cause"
}

// Decision is what the engine does next, and why.
type Decision struct {
	Step Step
	Why  Reason
}

// Replaces reports whether the step replaces the resource.
func (n Decision) Replaces() bool {
	return n.Step == StepCreateFirst || n.Step == StepDeleteFirst
}

// ChecksAgain reports whether the provider's Check runs again first, on what the
// program says, with no old inputs and no ignoreChanges: so it does before every
// replacement, which makes a new resource.
func (n Decision) ChecksAgain() bool { return n.Replaces() }

// Warns reports whether users are warned that the step may turn out otherwise.
func (n Decision) Warns() bool { return n.Why == BecauseUnavailable && n.Step != StepFail }

// Next is what the engine does with a response, to which [ReplaceOnChanges]
// has been applied.
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
	case r.Changes > provider.Some:
		return Decision{StepFail, BecauseInvalid}
	case r.Changes == provider.Unknown:
		return Decision{StepCompare, BecauseUnknown}
	case r.Changes == provider.Some && r.Replace():
		return Decision{s.replacement(r), BecauseReplaces}
	case s.PendingReplacement:
		return Decision{s.replacement(r), BecausePending}
	case r.Changes == provider.Some:
		return Decision{StepUpdate, BecauseChanged}
	case s.InitErrors:
		return Decision{StepUpdate, BecauseInitErrors}
	}
	return Decision{StepSame, BecauseSame}
}

// replacement is how the resource is replaced. The option wins over the provider.
func (s Situation) replacement(r provider.Response) Step {
	if s.Order == DeleteFirst || s.Order != CreateFirst && r.DeleteBeforeReplace {
		return StepDeleteFirst
	}
	return StepCreateFirst
}

// afterReading is what follows from a response when the resource was read to be
// imported or refreshed.
func afterReading(r provider.Response, s Situation) Decision {
	switch {
	case s.Unavailable:
		return Decision{StepFail, BecauseUnavailable}
	case r.Changes > provider.Some:
		return Decision{StepFail, BecauseInvalid}
	case r.Changes == provider.Unknown:
		return Decision{StepCompare, BecauseUnknown}
	case r.Changes == provider.None:
		return Decision{StepSame, BecauseSame}
	case s.Operation == DuringImport && r.Replace():
		return Decision{StepFail, BecauseImportDiffers}
	}
	return Decision{StepUpdate, BecauseChanged}
}
