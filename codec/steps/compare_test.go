package steps_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/codec/steps"
	"github.com/propalg/propalg/value"
)

// bag returns an object of names and values in turns.
func bag(members ...any) value.Value {
	all := make([]value.Member, 0, len(members)/2)
	for i := 0; i < len(members); i += 2 {
		all = append(all, value.Member{Key: members[i].(string), Value: members[i+1].(value.Value)})
	}
	return value.Object(all...)
}

// TestCompare: what is not known is no change, alone and on top of a stack, and what a step
// leaves as it is stays as the stack has it.
func TestCompare(t *testing.T) {
	n, s := value.Number, value.String
	secret := value.Secret(s("canary"))
	for name, row := range map[string]struct {
		step            steps.Step
		base            *state.Resource
		inputs, outputs string
		metadata        int
	}{
		"outputs that are not known": {
			steps.Step{OutputsPartial: true, Old: &state.Resource{ID: "1", Outputs: bag("id", s("1"), "arn", s("x"), "n", n(1))}, New: &state.Resource{Outputs: bag("id", s(""), "n", n(2))}},
			nil, "", "~ n: 1 => 2", 0,
		},
		"outputs that a plan proposes": {
			steps.Step{InputsPartial: true, OutputsPartial: true, Old: &state.Resource{}, New: &state.Resource{Outputs: bag("n", n(1))}}, nil, "", "", 0,
		},
		"no outputs at all": {
			steps.Step{OutputsPartial: true, Old: &state.Resource{Outputs: bag("n", n(1))}, New: &state.Resource{}}, nil, "", "", 0,
		},
		"outputs that are gone": {
			steps.Step{Old: &state.Resource{Outputs: bag("n", n(1))}, New: &state.Resource{}}, nil, "", "- n: 1", 0,
		},
		"a replacement, marked for deletion": {
			steps.Step{Op: steps.OpReplace, Old: &state.Resource{Delete: true}, New: &state.Resource{}}, nil, "", "", 0,
		},
		"another, marked for deletion": {
			steps.Step{Op: steps.OpUpdate, Old: &state.Resource{}, New: &state.Resource{Delete: true}}, nil, "", "", 1,
		},
		"a part of the inputs": {
			steps.Step{InputsPartial: true, Old: &state.Resource{Inputs: bag("a", value.Unknown(), "c", value.Unknown())}, New: &state.Resource{Inputs: bag("a", n(2))}},
			&state.Resource{Inputs: bag("a", n(1), "b", n(1), "c", n(1))}, "~ a: 1 => 2 - c: 1", "", 0,
		},
		"masked, and the same": {
			steps.Step{Old: &state.Resource{Inputs: bag("p", s("[secret]"), "a", n(1))}, New: &state.Resource{Inputs: bag("p", s("[secret]"), "a", n(2))}},
			&state.Resource{Inputs: bag("p", secret, "a", n(1))}, "~ a: 1 => 2", "", 0,
		},
		"options that the stack has": {
			steps.Step{Old: &state.Resource{Inputs: bag("a", n(1))}, New: &state.Resource{Inputs: bag("a", n(2)), Protect: true}},
			&state.Resource{Inputs: bag("a", n(1)), Dependencies: []string{"x"}, ID: "1"}, "~ a: 1 => 2", "", 1,
		},
		"nothing, on top of another": {
			steps.Step{Old: &state.Resource{Inputs: bag("a", n(1))}, New: &state.Resource{Inputs: bag("a", n(1))}}, &state.Resource{Inputs: bag("a", n(5))}, "", "", 0,
		},
		"created, whatever was there": {
			steps.Step{New: &state.Resource{Inputs: bag("a", n(1))}}, &state.Resource{Inputs: bag("a", n(5))}, "+ a: 1", "", 0,
		},
		"deleted, as the stack has it": {
			steps.Step{Old: &state.Resource{Inputs: bag("a", n(1))}}, &state.Resource{Inputs: bag("a", n(5))}, "- a: 5", "", 0,
		},
	} {
		d := row.step.Compare(row.base, state.CompareOptions{})
		inputs, outputs := d.Inputs.Diff.String(), d.Outputs.Diff.String()
		if strings.Join(strings.Fields(inputs), " ") != row.inputs || strings.Join(strings.Fields(outputs), " ") != row.outputs || d.Metadata.Diff.Len() != row.metadata {
			t.Errorf("%s: inputs %s; outputs %s; metadata %v", name, inputs, outputs, d.Metadata.Diff)
		}
		if isChanged := inputs+outputs != "" || row.metadata > 0; isChanged != (d.Outcome != state.Unchanged) {
			t.Errorf("%s: %v", name, d.Outcome)
		}
	}

	same := &state.Resource{Inputs: bag("a", n(1))}
	base := &state.Resource{Inputs: bag("a", n(5))}
	if d := (&steps.Step{Old: same, New: same}).Compare(base, state.CompareOptions{}); d.Outcome != state.Unchanged || d.Old != base || d.New != base {
		t.Errorf("%+v", d)
	}
}

// TestCompareHidden: the names in a bag that is secret as a whole stay secret where its members
// are taken for what a step does not say.
func TestCompareHidden(t *testing.T) {
	hidden, now := value.Secret(bag("canary", value.Number(1))), bag("n", value.Number(1))
	unknown := steps.Step{OutputsPartial: true, Old: &state.Resource{Outputs: hidden}, New: &state.Resource{Outputs: now}}
	onTop := steps.Step{Old: &state.Resource{Outputs: value.Object()}, New: &state.Resource{Outputs: now}}
	for _, d := range []state.ResourceDiff{
		unknown.Compare(nil, state.CompareOptions{}),
		onTop.Compare(&state.Resource{Outputs: hidden}, state.CompareOptions{}),
	} {
		if text := d.Outputs.New.String() + d.Outputs.Diff.String(); strings.Contains(text, "canary") || !d.Outputs.New.IsSecret() {
			t.Error(text)
		}
	}
}
