package decide

import (
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// Written returns what the state holds for a resource, in order, after the given number of
// calls of a step succeeded. The next run can continue from there. StepSame makes no call,
// StepUpdate makes one, StepCreateFirst calls Create and then Delete, and StepDeleteFirst
// calls Delete and then Create.
//
// The argument old is the resource as the state holds it before the step. The argument now
// has the checked inputs, the options that the program sets, and what Create or Update
// returned: the ID, the outputs and, if the resource exists but does not work, InitErrors.
//
//   - StepSame takes the inputs of now, even though Diff found no difference in them, and
//     the ID and outputs of old.
//   - StepFail and StepCompare leave old, and so do the other steps before their first call.
//   - StepUpdate keeps the ID of old. If now has InitErrors it also keeps the inputs, so that
//     the next Diff still finds what changed.
//   - StepCreateFirst leaves two resources after one call: now, and old as pending deletion.
//     After both calls it leaves now.
//   - StepDeleteFirst leaves old after one call, with PendingReplacement. After both calls it
//     leaves now.
//
// The outputs of now that its AdditionalSecretOutputs names, or whose input of the same name
// is a secret, are written as secrets.
func Written(step Step, calls int, old, now state.Resource) []state.Resource {
	switch {
	case step == StepFail || step == StepCompare || (calls == 0 && step != StepSame):
		return []state.Resource{old}
	case step == StepDeleteFirst && calls == 1:
		old.PendingReplacement = true
		return []state.Resource{old}
	case step == StepSame:
		now.ID, now.Outputs = old.ID, old.Outputs
	case step == StepUpdate:
		now.ID = old.ID
		if len(now.InitErrors) > 0 {
			now.Inputs = old.Inputs
		}
	case step == StepCreateFirst && calls == 1:
		old.Delete = true
		return []state.Resource{WithSecretOutputs(now), old}
	}

	return []state.Resource{WithSecretOutputs(now)}
}

// Refreshed returns what the state holds for a resource after a refresh in which Read
// returned r. The bool is false if r has no ID: the resource no longer exists, and the
// state drops it.
//
// The ID and the properties of r are written even if Diff finds no difference in them, and
// so are its inputs, unless they are null. The parameter errors has the reasons that Read
// gave if the resource exists but does not work, and is otherwise nil. They are written as
// secrets, and so are the outputs that [Written] writes so. A nil r is one without an ID.
func Refreshed(old state.Resource, r *rpc.ReadResponse, errors []string) (now state.Resource, ok bool) {
	if r == nil || r.ID == "" {
		return state.Resource{}, false
	}

	now = old
	now.ID, now.Outputs, now.InitErrors, now.RefreshBeforeUpdate = r.ID, r.Properties, SecretTexts(errors), r.RefreshBeforeUpdate
	if !r.Inputs.IsNull() {
		now.Inputs = r.Inputs
	}
	return WithSecretOutputs(now), true
}

// SecretTexts returns the texts as secret strings.
func SecretTexts(texts []string) (all []value.Value) {
	for _, text := range texts {
		all = append(all, value.Secret(value.String(text)))
	}
	return all
}
