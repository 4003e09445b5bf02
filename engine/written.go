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

// KindOf returns what an engine does with a resource of which it has the state old, or
// none if old is nil.
//
// The option import stays in a program when the import is done. The resource is imported
// only if it is not there, is there but not managed, or was made or imported with another
// ID. It is then replaced by the other one.
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

// Written returns what the state has of a resource, in order, after some of the calls of a
// step have succeeded, so that the next run goes on from there. StepSame has no call,
// StepUpdate has one, and a replacement has Create and Delete in the order of its name.
//
// The resource is old in the state so far; now has the checked inputs and what the program
// says of the resource, and what the last call returned: ID, outputs, and the errors of one
// that is there but does not work.
//
//   - StepSame writes the inputs of now, though Diff found nothing in them, and keeps the ID
//     and outputs of old. StepFail and StepCompare write nothing.
//   - StepUpdate keeps the ID. If the resource does not work now, it keeps the inputs too, so
//     that the next Diff still finds what changed.
//   - Half of StepCreateFirst leaves both, and old waits for its deletion.
//   - Half of StepDeleteFirst leaves old, with PendingReplacement.
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

// Refreshed returns what the state has of a resource after a refresh, in which Read returned
// the response. It is false if there is none any more: the state drops it.
//
// What Read returned is written even if Diff finds no difference in it. Without inputs in
// the response, the old ones stay. The ID may be another one. Errors are those of
// a resource that is there but does not work, and nil of any other.
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
