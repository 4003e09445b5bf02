package main

import (
	"maps"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// step returns what happens to a resource, the zero step if that is not known.
func (s *stacks) step(d *state.ResourceDiff) *input.Step {
	for _, st := range s.stepsOf(d) {
		return st
	}
	return &input.Step{}
}

// stepsOf returns what happens to a resource on each side, the new one first.
func (s *stacks) stepsOf(d *state.ResourceDiff) (all []*input.Step) {
	for _, steps := range []*input.Steps{s.newSteps, s.oldSteps} {
		if steps == nil {
			continue
		}

		for _, r := range []*state.Resource{d.New, d.Old} {
			if r != nil && steps.ByURN[r.URN] != nil {
				all = append(all, steps.ByURN[r.URN])
				break
			}
		}
	}
	return all
}

// failure returns what there is to say of an update that failed, else nil. If both sides are
// of updates that failed, it is about the new one.
func (s *stacks) failure() *failure {
	isOne := s.oldSteps == nil || s.newSteps == nil || s.oldSteps == s.newSteps
	for _, side := range []struct {
		steps *input.Steps
		name  string
	}{{s.newSteps, s.newName}, {s.oldSteps, s.oldName}} {
		if side.steps == nil {
			continue
		}
		if isOne {
			side.name = ""
		}
		if x := failureOf(side.steps.Run, side.name); x != nil {
			return x
		}
	}
	return nil
}

// settle takes into account what the steps of an update do not say: resources that are
// not in them stay as they are, and what is not known yet does not count as a change.
func (s *stacks) settle(d *state.ResourceDiff, f *diffFlags) {
	if s.oldSteps == nil && s.newSteps == nil {
		return
	}
	st := s.step(d)
	switch {
	case s.isUnlike && (d.Old == nil || d.New == nil):
		return
	case d.New == nil && s.oldSteps == nil && !st.Deleted:
		*d = state.ResourceDiff{Old: d.Old, New: d.Old}
		return
	case d.Old == nil && s.newSteps == nil && s.oldSteps.ByURN[d.New.URN] == nil:
		*d = state.ResourceDiff{Old: d.New, New: d.New}
		return
	case d.Old == nil || d.New == nil:
		return
	}

	if st.Partial && s.oldSteps == nil {
		d.Inputs.New = planned(d.Inputs.Old, d.Inputs.New, st)
		d.Inputs.Diff = diff.Between(d.Inputs.Old, d.Inputs.New, f.options(partInputs, value.Strict))
	}

	if st.Lacks["outputs"] || (st.Partial && s.oldSteps == s.newSteps) {
		d.Outputs = state.PartDiff{}
	}
	d.LeftOut = 0 // times, which change with each update
	d.Metadata.Diff, _ = d.Metadata.Diff.Split(path.NewSet(s.lacked(d)...))
}

// lacked returns the metadata of a resource that one side cannot have.
func (s *stacks) lacked(d *state.ResourceDiff) (lacked []path.Pattern) {
	if s.oldSteps == nil || s.newSteps == nil || s.oldSteps == s.newSteps || s.oldSteps.What != s.newSteps.What {
		lacked = append(lacked, path.PatternOf(path.Key("steps")))
	}
	for _, each := range s.stepsOf(d) {
		for name, lacks := range each.Lacks {
			if lacks && name != "outputs" {
				lacked = append(lacked, path.PatternOf(path.Key(name)))
			}
		}
	}

	return lacked
}

// planned returns the inputs that a plan leads to: those before, with what it changes.
func planned(old, changed value.Value, st *input.Step) value.Value {
	members := maps.Collect(old.Members())
	for _, name := range st.Removed {
		delete(members, name)
	}

	maps.Insert(members, changed.Members())
	return value.ObjectFromMap(members).WithMarksOf(old)
}

// replacingIn returns the patterns of what replaces a resource: for its inputs those of the
// flag, and the reasons of its step; else nil.
func (f *diffFlags) replacingIn(part string, st *input.Step) *path.Set {
	switch {
	case part != partInputs:
		return nil
	case len(st.Reasons) == 0:
		return f.replacing(partInputs)
	}

	var all []path.Pattern
	for _, p := range f.replacing(partInputs).Patterns() {
		all = append(all, p)
	}
	for _, text := range st.Reasons {
		if p, err := path.ParsePulumiPattern(text); err == nil && !p.IsRoot() {
			all = append(all, p)
		}
	}
	return path.NewSet(all...)
}
