package engine

import (
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/value"
)

// Kind is what an engine does with a resource that a program declares. The set is closed.
type Kind uint8

const (
	// Manage means to create, update, replace or leave the resource, as Diff says.
	Manage Kind = iota
	// Import means to read a resource by its ID, and to manage it from then on.
	Import
	// Read means to read a resource by its ID, and not to manage it.
	Read
)

// String returns the kind in lower case, for example "import".
func (k Kind) String() string {
	return scan.Name(k, "invalid kind", []string{Manage: "manage", Import: "import", Read: "read"})
}

// KindOf returns what an engine does with a resource whose state is old, or nil if it has
// none.
//
// The resource option import stays in a program after the import. KindOf therefore
// returns Import only if the resource is not in the state, is there but not managed, or
// was created or imported with another ID. In the last case the import replaces it.
func KindOf(g Goal, old *state.Resource) Kind {
	switch {
	case g.ReadID != "":
		return Read
	case g.Component || g.ImportID == "":
		return Manage
	case old == nil || old.External:
		return Import
	case old.ImportID != "" && old.ImportID != g.ImportID || old.ImportID == "" && old.ID != g.ImportID:
		return Import
	}

	return Manage
}

// Written returns what the state holds for a resource, in order, once the given number of
// calls of a step have succeeded. The next run can continue from there. StepSame has no
// call, StepUpdate has one, StepCreateFirst has Create and then Delete, and StepDeleteFirst
// has Delete and then Create.
//
// Old is the resource as the state holds it so far. Now has the checked inputs, the
// options that the program sets, and what the last call returned: the ID, the outputs
// and, if the resource exists but does not work, the errors.
//
//   - StepSame writes the inputs of now, though Diff found nothing in them, and keeps the ID
//     and outputs of old. StepFail and StepCompare write nothing.
//   - StepUpdate keeps the ID. If the resource does not work now, it keeps the inputs too, so
//     that the next Diff still finds what changed.
//   - StepCreateFirst after one call leaves both: now, and old as pending deletion.
//   - StepDeleteFirst after one call leaves old, with PendingReplacement.
func Written(step Step, calls int, old, now state.Resource) []state.Resource {
	switch {
	case step == StepSame:
		now.ID, now.Outputs = old.ID, old.Outputs
	case step == StepFail || step == StepCompare || calls == 0:
		now = old
	case step == StepUpdate:
		now.ID = old.ID
		if len(now.InitErrors) > 0 {
			now.Inputs = old.Inputs
		}
	case step == StepCreateFirst && calls == 1:
		old.Delete = true
		return []state.Resource{now, old}
	case step == StepDeleteFirst && calls == 1:
		now = old
		now.PendingReplacement = true
	}

	return []state.Resource{now}
}

// Refreshed returns what the state holds for a resource after a refresh in which Read
// returned r. The bool is false if the resource no longer exists; the state then drops
// it.
//
// What Read returned is written even if Diff finds no difference in it. If the response
// has no inputs, the old ones are kept. The ID may change. The errors are those of a
// resource that exists but does not work; otherwise they are nil.
func Refreshed(old state.Resource, r *rpc.ReadResponse, errors []string) (now state.Resource, ok bool) {
	if r.ID == "" {
		return state.Resource{}, false
	}

	now = old
	now.ID, now.Outputs, now.InitErrors = r.ID, r.Properties, secretTexts(errors)

	if !r.Inputs.IsNull() {
		now.Inputs = r.Inputs
	}

	return now, true
}

// secretTexts returns texts as secrets.
func secretTexts(texts []string) (all []value.Value) {
	for _, text := range texts {
		all = append(all, value.Secret(value.String(text)))
	}
	return all
}
