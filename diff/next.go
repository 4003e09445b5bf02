package diff

// Moment says what the engine is doing when it asks. The set is closed.
type Moment uint8

const (
	// DuringUpdate is an update or its preview.
	DuringUpdate Moment = iota
	// DuringImport says that a resource was read to be imported: what was read is the
	// old state. Where the program says otherwise the resource is updated next, but
	// never replaced. (Engines before v3.259.0, and their guide for implementers,
	// refuse every difference; that one was tried.)
	DuringImport
	// DuringRefresh says that a resource was read to see what became of it. Refreshing
	// never replaces.
	DuringRefresh
)

// Order is the resource option deleteBeforeReplace. The set is closed.
type Order uint8

const (
	// OrderOfProvider says that the option is not set; the provider's word counts.
	OrderOfProvider Order = iota
	// CreateFirst is the option set to false.
	CreateFirst
	// DeleteFirst is the option set to true.
	DeleteFirst
)

// Situation is what the engine knows beside a response. The zero Situation is an
// update with nothing unusual.
type Situation struct {
	Moment Moment
	Order  Order
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

// Cause says why a step is taken. The set is closed.
type Cause uint8

// The causes.
const (
	BecauseSame          Cause = iota // nothing changed
	BecauseChanged                    // something changed, nothing of it replaces
	BecauseReplaces                   // something changed that replaces
	BecauseTrigger                    // the replacement trigger fired
	BecausePending                    // a replacement was under way
	BecauseInitErrors                 // the last operation failed; nothing changed
	BecauseUnknown                    // the provider does not know
	BecauseUnavailable                // the provider cannot tell yet; users are warned
	BecauseImportDiffers              // what is imported would have to be replaced
	BecauseInvalid                    // the response is of no known kind
)

// String returns the cause as half a sentence, for example "nothing changed".
func (c Cause) String() string {
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

// Next is what the engine does next, and why.
type Next struct {
	Step Step
	Why  Cause
}

// Replaces reports whether the step replaces the resource.
func (n Next) Replaces() bool {
	return n.Step == StepCreateFirst || n.Step == StepDeleteFirst
}

// ChecksAgain reports whether the provider's Check runs again first, on what the
// program says, with no old inputs and no ignoreChanges: so it does before every
// replacement, which makes a new resource.
func (n Next) ChecksAgain() bool { return n.Replaces() }

// Warns reports whether users are warned that the step may turn out otherwise.
func (n Next) Warns() bool { return n.Why == BecauseUnavailable && n.Step != StepFail }

// NextStep is what the engine does with a response, to which [Response.ReplaceOn]
// has been applied.
func NextStep(r Response, s Situation) Next {
	switch {
	case s.Moment != DuringUpdate:
		return r.afterReading(s)
	case s.TriggerFired:
		return Next{s.replacement(r), BecauseTrigger}
	case s.Unavailable && s.PendingReplacement:
		return Next{s.replacement(Response{}), BecauseUnavailable}
	case s.Unavailable:
		return Next{StepUpdate, BecauseUnavailable}
	case r.Changes > Some:
		return Next{StepFail, BecauseInvalid}
	case r.Changes == Unknown:
		return Next{StepCompare, BecauseUnknown}
	case r.Changes == Some && r.Replace():
		return Next{s.replacement(r), BecauseReplaces}
	case s.PendingReplacement:
		return Next{s.replacement(r), BecausePending}
	case r.Changes == Some:
		return Next{StepUpdate, BecauseChanged}
	case s.InitErrors:
		return Next{StepUpdate, BecauseInitErrors}
	}
	return Next{StepSame, BecauseSame}
}

// replacement is how the resource is replaced. The option wins over the provider.
func (s Situation) replacement(r Response) Step {
	if s.Order == DeleteFirst || s.Order != CreateFirst && r.DeleteBeforeReplace {
		return StepDeleteFirst
	}
	return StepCreateFirst
}

// afterReading is what follows from a response when the resource was read to be
// imported or refreshed.
func (r Response) afterReading(s Situation) Next {
	switch {
	case s.Unavailable:
		return Next{StepFail, BecauseUnavailable}
	case r.Changes > Some:
		return Next{StepFail, BecauseInvalid}
	case r.Changes == Unknown:
		return Next{StepCompare, BecauseUnknown}
	case r.Changes == None:
		return Next{StepSame, BecauseSame}
	case s.Moment == DuringImport && r.Replace():
		return Next{StepFail, BecauseImportDiffers}
	}
	return Next{StepUpdate, BecauseChanged}
}
