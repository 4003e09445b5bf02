package steps

import (
	"strings"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/urn"
)

// Op is an operation of the engine, as it stands in the text. Engines add operations:
// others than the constants may occur.
type Op string

// The operations. A replacement is several steps: OpReplace, which only marks it, and
// OpCreateReplacement and OpDeleteReplaced or their relatives in either order.
const (
	OpSame                 Op = "same"                   // nothing is to be done
	OpCreate               Op = "create"                 // a new resource
	OpUpdate               Op = "update"                 // an existing resource changes
	OpDelete               Op = "delete"                 // a resource is deleted
	OpReplace              Op = "replace"                // a resource is replaced: the sum of the other steps
	OpCreateReplacement    Op = "create-replacement"     // the new resource of a replacement
	OpDeleteReplaced       Op = "delete-replaced"        // the old resource of a replacement, perhaps one that an earlier run left
	OpRead                 Op = "read"                   // a resource that is not managed is read
	OpReadReplacement      Op = "read-replacement"       // likewise, in place of a managed one
	OpRefresh              Op = "refresh"                // what the provider has of a resource is read
	OpDiscard              Op = "discard"                // a resource that was read is dropped from the state
	OpDiscardReplaced      Op = "discard-replaced"       // likewise, after it was replaced
	OpRemovePendingReplace Op = "remove-pending-replace" // the record of a deleted resource, which was to be created again, is dropped
	OpImport               Op = "import"                 // an existing resource comes under management
	OpImportReplacement    Op = "import-replacement"     // likewise, in place of another one
)

// Known reports whether this package knows what the operation does. Steps of others have no
// [Step.Effect].
func (o Op) Known() bool { return o.does().isKnown }

// deed is what an operation does.
type deed struct {
	isKnown   bool
	takes     bool // the old resource is no longer what it was
	puts      bool // the new resource is in the state
	isLogical bool // the engine counts it
}

func (o Op) does() deed {
	switch o {
	case OpSame, OpUpdate, OpRead:
		return deed{isKnown: true, takes: true, puts: true, isLogical: true}
	case OpRefresh:
		return deed{isKnown: true, takes: true, puts: true}
	case OpCreate, OpImport:
		return deed{isKnown: true, puts: true, isLogical: true}
	case OpCreateReplacement, OpReadReplacement, OpImportReplacement:
		return deed{isKnown: true, puts: true}
	case OpDelete, OpDiscard:
		return deed{isKnown: true, takes: true, isLogical: true}
	case OpDeleteReplaced, OpDiscardReplaced, OpRemovePendingReplace:
		return deed{isKnown: true, takes: true}
	case OpReplace, "diff":
		return deed{isKnown: true, isLogical: true}
	case "extend-parameterize":
		return deed{isKnown: true}
	}
	return deed{isLogical: true}
}

// deletes reports whether an operation leaves no resource behind.
func (d deed) deletes() bool { return d.takes && !d.puts }

// Status says how far a step got.
type Status uint8

// How far a step got.
const (
	Planned    Status = iota // in a preview or a plan: it would be done
	Done                     // it was done
	Failed                   // it failed: see the diagnostics with its URN
	Unfinished               // it began, and was interrupted or is not known to have ended
)

// String returns the name of the status in lower case.
func (s Status) String() string {
	return scan.Name(s, "invalid status", []string{Planned: "planned", Done: "done", Failed: "failed", Unfinished: "unfinished"})
}

// Step is one step of an update. It shares memory with the text that it was read from.
type Step struct {
	Op     Op
	Status Status
	URN    string // of New, or of Old where there is no New

	// Old and New are the states before and after the step; nil: there is none, or the text
	// does not have it. If their URNs differ, an alias has renamed the resource. The old
	// state of an import is no state before, and is Imported. Where nothing changes, New may
	// be Old itself.
	Old, New *state.Resource
	// Imported is what the provider had of a resource that is imported. New has the inputs
	// of the program.
	Imported *state.Resource

	// Found is what a refresh found, as the engine says it: OpSame, OpUpdate, OpDelete. It is
	// empty if the run is not a refresh as a whole, and for other operations.
	Found Op
	// Pending says that the step is about a resource that was replaced and is pending
	// deletion, rather than about the live one of its URN.
	Pending bool
	// Logical says that the engine counts the step, see [Step.Counted].
	Logical bool
	// PartialFailure says that a failed step changed the resource nevertheless.
	PartialFailure bool

	// InputsPartial says that the inputs are only those that change, as in plans: Old has as
	// an unknown those that have an old value, and New the new values. Outputs are likewise
	// if the plan has what changes of them; else those of Old are null.
	InputsPartial bool
	// OutputsPartial says that an output that New lacks is unknown rather than removed, as in
	// previews, and in a replacement that deletes first. An empty ID of New is unknown, too.
	OutputsPartial bool

	Provider string           // a URN, two colons and an ID
	Changed  []string         // names of the properties that changed, by the provider; nil if it does not say
	Replaces []string         // of these, what makes the engine replace the resource
	Details  []PropertyChange // the provider's detailed diff; nil if there is none, empty if it has no changes

	Number int           // in the order in which steps begin, from 0
	Offset int64         // of the step in the text, in bytes
	Extra  []state.Field // other members of the step, as they are
}

// PropertyChange is an entry of the detailed diff of a provider.
type PropertyChange struct {
	Path   string // in Pulumi's dialect
	Kind   string // such as "add" or "update-replace"
	Inputs bool   // old inputs differ from new ones; else the old state does
}

// Effect returns what the step does to the resources of a stack: it takes one away and puts
// one in its place; nil is none. The resource that is taken away is the one with its URN and
// ID, pending deletion if the step is Pending. What a replacement puts in is put beside
// the live resource with the URN of Old, or of the step if that is nil, which is pending
// deletion then, unless another step took it away before. [OpReplace] itself has no effect,
// nor has a step that is neither Planned nor Done.
func (s *Step) Effect() (taken, put *state.Resource) {
	if s.Status > Done {
		return nil, nil
	}
	does := s.Op.does()
	if does.takes {
		taken = s.Old
	}
	if does.puts {
		put = s.New
	}
	return taken, put
}

// Counted returns the operation as which the engine's summary counts the step, and whether
// it does.
func (s *Step) Counted() (Op, bool) {
	switch {
	case s.Status > Done, s.Op == OpRemovePendingReplace, isDefaultProvider(s.URN):
		return "", false
	case s.Op == OpRefresh:
		return s.Found, s.Found != ""
	case s.Op == OpRead: // the engine calls those that changed nothing the same
		return s.Op, s.Old != nil && s.New != nil && !s.OutputsPartial && !s.Old.Outputs.Equal(s.New.Outputs)
	}
	return s.Op, s.Logical
}

// isDefaultProvider reports whether a URN is that of a provider that an engine made, which
// it treats as internal.
func isDefaultProvider(text string) bool {
	u, err := urn.Parse(text)
	return err == nil && strings.HasPrefix(u.Type(), "pulumi:providers:") && strings.HasPrefix(u.Name(), "default")
}
