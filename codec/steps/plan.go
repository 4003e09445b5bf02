package steps

import (
	"slices"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// plannedResource is what a plan says of a resource.
type plannedResource struct {
	ops             []string
	goal, state     chunk
	inputs, outputs planDiff
	proposed        value.Value // outputs
	extra           []state.Field
}

// planDiff is a difference of two bags, as plans have it.
type planDiff struct{ old, now map[string]value.Value }

// planned reads the plan for a resource, and yields a step for each of its operations.
func (in *reading) planned(name string) error {
	c, err := in.value()
	if err != nil {
		return err
	}
	var p plannedResource
	err = in.record("resourcePlans", c, member{"steps", &p.ops}, member{"goal", &p.goal}, member{"state", &p.state},
		member{"", func(name string, c chunk) error {
			p.extra = append(p.extra, state.Internal.Field(name, c.text, c.at))
			return nil
		}})
	if err != nil {
		return in.about(&Step{URN: name}, err)
	}

	goal, err := in.goal(name, c, &p)
	if err != nil {
		return in.about(&Step{URN: name}, err)
	}
	if len(p.ops) == 0 && goal.ID != "" { // engines do not record that they import a resource
		p.ops = []string{string(OpImport)}
	}
	for i, op := range p.ops {
		s := p.step(Op(op), goal)
		s.Pending = (Op(op) == OpDeleteReplaced || Op(op) == OpDiscardReplaced) && !slices.ContainsFunc(p.ops[i+1:], func(later string) bool { return Op(later).does() == OpCreateReplacement.does() })
		s.Number = in.number
		in.number++
		if err := in.give(s); err != nil {
			return err
		}
	}
	return nil
}

// goal reads what a resource is to become. A goal has the members of a resource, but for its
// URN and properties.
func (in *reading) goal(name string, c chunk, p *plannedResource) (goal state.Resource, err error) {
	goal = state.Resource{URN: name, Offset: c.at, Number: in.number}
	if !p.goal.isNull() {
		goal.Offset = p.goal.at
		if goal, err = state.Internal.Resource(p.goal.text, goal, in.options); err != nil {
			return goal, in.adopt(p.goal, "goal", err)
		}
	}
	err = in.each("goal", p.goal, func(name string, c chunk) (err error) {
		switch name {
		case "inputDiff":
			p.inputs, err = in.planDiff(name, c, &goal.InputsReport)
		case "outputDiff":
			p.outputs, err = in.planDiff(name, c, &goal.OutputsReport)
		}
		return err
	})
	if err == nil && len(p.outputs.now)+len(p.outputs.old) == 0 {
		p.proposed, err = in.bag("state", p.state, &goal.OutputsReport)
	}

	if u, err := urn.Parse(name); err == nil {
		goal.Type = u.Type()
	}
	goal.Extra = slices.DeleteFunc(goal.Extra, func(f state.Field) bool { return f.Name == "inputDiff" || f.Name == "outputDiff" })
	return goal, err
}

// step makes the step of an operation. Of its old state only the names of the properties
// that change are known.
func (p *plannedResource) step(op Op, goal state.Resource) *Step {
	s := &Step{
		Op: op, URN: goal.URN, Offset: goal.Offset, Provider: goal.Provider, Extra: p.extra,
		Logical: op.does().isLogical, InputsPartial: true, OutputsPartial: true,
	}
	if op != OpCreate && op != OpImport {
		old := goal
		old.Inputs, old.Outputs = value.ObjectFromMap(p.inputs.old), value.ObjectFromMap(p.outputs.old)
		if !p.proposed.IsNull() {
			old.Outputs = value.Null() // not known
		}
		old.InputsReport, old.OutputsReport = codec.Report{}, codec.Report{}
		s.Old = &old
	}
	if !op.does().deletes() {
		goal.Inputs, goal.Outputs = value.ObjectFromMap(p.inputs.now), value.ObjectFromMap(p.outputs.now)
		if op != OpSame && goal.Outputs.Len() == 0 {
			goal.Outputs = p.proposed
		}
		s.New = &goal
	}
	return s
}

func (in *reading) planDiff(field string, c chunk, report *codec.Report) (planDiff, error) {
	d := planDiff{map[string]value.Value{}, map[string]value.Value{}}
	var deletes []string
	take := func(name string, c chunk) error {
		bag, err := in.bag(field, c, report)
		for key, v := range bag.Members() {
			d.now[key] = v
			if name == "updates" {
				d.old[key] = value.Unknown()
			}
		}
		return err
	}
	err := in.record(field, c, member{"adds", take}, member{"updates", take}, member{"deletes", &deletes})
	for _, name := range deletes {
		d.old[name] = value.Unknown()
	}
	return d, err
}

// bag reads properties, and adds the numbers in them that were rounded to a report.
func (in *reading) bag(field string, c chunk, report *codec.Report) (value.Value, error) {
	if c.isNull() {
		return value.Object(), nil
	}
	o := in.options.Codec
	var rounded codec.Report
	o.Form, o.Report = codec.FormState, &rounded
	v, err := codec.DecodeJSON(c.text, o)
	if err != nil {
		return v, in.adopt(c, field, err)
	}

	report.Rounded = append(report.Rounded, rounded.Rounded...)
	report.More += rounded.More
	return unmasked(v, in.mark+field), nil
}
