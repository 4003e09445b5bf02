package steps

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Result is what an update leads to, as far as its steps say: resources that are in none of
// them are not in it.
type Result struct {
	deleted map[string]bool // URNs without the name of the stack
	byURN   map[string]*Step
	run     *Run
}

// Result reads all steps, and returns what they lead to, applied in the order in which they
// begin. With an error, which is one of [Reader.Steps], it is what the steps before that lead
// to.
func (r *Reader) Result() (*Result, error) {
	var all []*Step
	var failed error
	for s, err := range r.Steps() {
		if err != nil {
			failed = err
			break
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b *Step) int { return a.Number - b.Number })

	x := &Result{run: r.Run(), byURN: map[string]*Step{}, deleted: map[string]bool{}}
	for _, s := range all {
		x.apply(s)
	}
	return x, failed
}

func (x *Result) apply(s *Step) {
	taken, put := s.Effect()
	switch {
	case s.Status > Done:
		put = s.Old
	case s.Op == OpReplace:
		put = s.New
	}
	if taken != nil && !s.Pending && (put == nil || put.URN != taken.URN) && !s.isPart() {
		delete(x.byURN, taken.URN)
		x.deleted[inStack(taken.URN)] = put == nil
	}
	if put == nil {
		return
	}
	if known := x.byURN[put.URN]; s.Op != OpReplace || known == nil || !known.isPart() {
		x.byURN[put.URN] = s
	}
	x.deleted[inStack(put.URN)] = false
}

// inStack returns a URN without the name of the stack.
func inStack(urn string) string {
	_, rest, _ := strings.Cut(urn, "::")
	return rest
}

// Resources iterates over the resources, each with the step that it is from, in the order of
// these.
func (x *Result) Resources() iter.Seq2[state.Resource, *Step] {
	return func(yield func(state.Resource, *Step) bool) {
		if x == nil {
			return
		}
		for _, s := range slices.SortedFunc(maps.Values(x.byURN), func(a, b *Step) int { return a.Number - b.Number }) {
			r := *cmp.Or(s.New, s.Old)
			if s.Status > Done {
				r = *s.Old
			}
			if !yield(r, s) {
				return
			}
		}
	}
}

// Settle corrects a difference between resources of which either or both are from a Result, nil
// is that of a side which is a stack: what the steps do not say is no change. Resources that
// are in none of them stay as they are, in a stack of another name too, and properties and
// fields that are not known yet, or that the format lacks, do not count. Nor do the times
// that [state.ResourceDiff.LeftOut] counts, which are others with each update.
func Settle(d *state.ResourceDiff, old, now *Result) {
	if d == nil {
		return
	}
	d.LeftOut = 0
	switch {
	case d.Old != nil && d.New != nil:
		from, to := old.step(d.Old), now.step(d.New)
		old.leaveOut(d, d.Old, from, to)
		now.leaveOut(d, d.New, to, from)
	case d.Old != nil && old == nil && now != nil && !now.deleted[inStack(d.Old.URN)]:
		*d = state.ResourceDiff{Old: d.Old, New: d.Old}
	case d.New != nil && now == nil && old != nil && !old.has(d.New.URN):
		*d = state.ResourceDiff{Old: d.New, New: d.New}
	}
}

// step returns the step that a resource is from, or nil.
func (x *Result) step(r *state.Resource) *Step {
	if x == nil {
		return nil
	}
	return x.byURN[r.URN]
}

// has reports whether a resource is in any of the steps.
func (x *Result) has(urn string) bool {
	_, isKnown := x.deleted[inStack(urn)]
	return isKnown
}

// leaveOut leaves out of a difference what the resource of one side cannot have, which is
// from a step. The other side may be from a step as well.
func (x *Result) leaveOut(d *state.ResourceDiff, r *state.Resource, step, other *Step) {
	if step == nil {
		return
	}
	if step.InputsPartial && (other == nil || !other.InputsPartial) {
		d.Inputs.Diff, _ = d.Inputs.Diff.Split(absent(&d.Inputs, r.Inputs))
	}
	if step.OutputsPartial && (other == nil || !other.OutputsPartial || r.Outputs.Len() == 0) {
		d.Outputs.Diff, _ = d.Outputs.Diff.Split(absent(&d.Outputs, r.Outputs))
	}

	var lacked []path.Pattern
	for key := range d.Metadata.New.Members() {
		if x.run.Lacks(key) || (key == "id" && r.ID == "") {
			lacked = append(lacked, path.PatternOf(path.Key(key)))
		}
	}
	d.Metadata.Diff, _ = d.Metadata.Diff.Split(path.NewSet(lacked...))
}

// absent returns the members of a part that one side lacks.
func absent(p *state.PartDiff, side value.Value) *path.Set {
	var found []path.Pattern
	for _, v := range []value.Value{p.Old, p.New} {
		for key := range v.Members() {
			if _, ok := side.Lookup(key); !ok {
				found = append(found, path.PatternOf(path.Key(key)))
			}
		}
	}
	return path.NewSet(found...)
}
