package main

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/changed"
	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/codec/steps"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// stacks is what is compared: two stacks, or the steps of an update.
type stacks struct {
	*state.Comparison // nil: the steps say what happens
	update            *update
	olds, news        *update // the sides of a comparison that are from steps; else nil
	oldName, newName  string
	isUnlike          bool // they are of two stacks or projects, so that URNs do not pair
	options           state.CompareOptions
}

func (inv *invocation) compareStacks(old, now *input.Source, f *diffFlags) (*stacks, error) {
	outputs := f.options(partOutputs, value.Strict)
	s := &stacks{oldName: old.Name, newName: now.Name, options: state.CompareOptions{
		OldName: old.Name, NewName: now.Name, Codec: codec.Options{RoundNumbers: true},
		Diff: f.options(partInputs, value.Strict), Outputs: &outputs, Times: f.all, AcrossStacks: f.match.value == "stack", Renamed: true,
		Unreadable: func(_ state.Entry, err error) { f.unreadable = append(f.unreadable, placed(err, old, now)) },
	}}
	s.isUnlike = old != now && f.noteUnlike(old, now)
	f.noteNoReplacements(old, now)
	var err error
	switch {
	case old == now || (old.IsNone && now.Steps != nil):
		s.update = newUpdate(now)
	case now.Steps != nil && old.Stack != nil && !s.isUnlike && f.match.value != "stack":
		s.update = newUpdate(now)
		err = s.update.begin(old)
	case old.Steps != nil || now.Steps != nil:
		err = s.compareAfter(old, now, f)
	default:
		s.Comparison, err = state.Compare(old.Stack, now.Stack, s.options)
		err = placed(err, old, now)
	}
	return s, err
}

// compareAfter compares the resources that an update leads to with others.
func (s *stacks) compareAfter(old, now *input.Source, f *diffFlags) error {
	if old.Steps != nil && now.Steps != nil && old.Format != now.Format {
		f.note("%s is of the form %s, %s of the form %s: what one of them cannot have is not compared", old.Name, old.Format, now.Name, now.Format)
	}
	var sides [2]iter.Seq2[state.Resource, error]
	var updates [2]*update // those of steps
	for i, from := range []*input.Source{old, now} {
		if from.Steps == nil {
			sides[i] = state.NewReader(from.Reader(), state.Options{Codec: s.options.Codec}).Resources()
			continue
		}
		u := newUpdate(from)
		result, err := u.reader.Result()
		if err := u.stop(err); err != nil {
			return err
		}
		u.result = result
		updates[i], sides[i] = u, u.resources(old.Format == now.Format)
	}
	s.olds, s.news = updates[0], updates[1]
	var err error
	s.Comparison, err = state.CompareResources(sides[0], sides[1], s.options)
	return placed(err, old, now)
}

// noteUnlike reports whether the resources of two stacks cannot be paired since their URNs
// name another stack or project, and notes it.
func (f *diffFlags) noteUnlike(old, now *input.Source) bool {
	from, to := firstURN(old), firstURN(now)
	isPaired := from.Stack() == to.Stack() || f.match.value == "stack"
	if from == (urn.URN{}) || to == (urn.URN{}) || (from.Project() == to.Project() && isPaired) {
		return false
	}

	advice := "they have no URN in common"
	if from.Project() == to.Project() {
		advice = "--match stack pairs them"
	}
	f.note("the resources of %s are of the stack %s of %s, those of %s of the stack %s of %s: %s",
		old.Name, from.Stack(), from.Project(), now.Name, to.Stack(), to.Project(), advice)
	return true
}

// firstURN returns the URN of the first resource, the zero URN if there is none.
func firstURN(s *input.Source) urn.URN {
	text := ""
	if s.Steps == nil {
		for e, err := range state.NewReader(s.Reader(), state.Options{}).Entries() {
			if err == nil {
				text = e.URN
			}
			break
		}
	} else {
		for step, err := range steps.NewReader(s.Reader(), state.Options{}).Steps() {
			if err == nil {
				text = step.URN
			}
			break
		}
	}
	first, _ := urn.Parse(text) // of one that is none nothing is known
	return first
}

// placed adds the line and the column to an error about one of two stacks, whose name it
// begins with.
func placed(err error, sides ...*input.Source) error {
	for _, s := range sides {
		if err != nil && s.Stack != nil && strings.HasPrefix(err.Error(), s.Name+": ") {
			return fmt.Errorf("%s: %w", s.Name, input.AtPlace(s.Stack, errors.Unwrap(err)))
		}
	}
	return err
}

// section is a part of a resource or of a deployment, and whether numbers in it differ in
// digits that doubles cannot hold.
type section struct {
	name string // one of the parts
	*state.PartDiff
	inDigits bool
	hidden   int // changes of internal names
	outcome  state.Outcome
}

// section leaves out of a part what flags leave out, and compares its digits. Where names the
// part in notes.
func (f *diffFlags) section(of, name string, p *state.PartDiff) section {
	if f.only.value != "all" && f.only.value != name {
		p = &state.PartDiff{}
	}
	if name == partInputs || name == partOutputs {
		f.rules.checkKeys(name, p.Diff, p.Old, p.New)
	}
	p.Diff = f.without(name, f.withoutInternal(name, p.Diff, p.Old, p.New, value.Strict))
	s := section{name: name, PartDiff: p, outcome: p.Outcome(), hidden: f.hidden}
	s.inDigits = f.noteDigits(of+name+": ", name, side{p.Old, &p.OldReport}, side{p.New, &p.NewReport})
	if s.inDigits || (f.sealed && s.outcome == state.Resealed) {
		s.outcome = state.Updated
	}
	return s
}

// sections returns the sections of a resource, and its outcome.
func (f *diffFlags) sections(d *state.ResourceDiff) (all []section, outcome state.Outcome) {
	of := cmp.Or(d.New, d.Old, &state.Resource{}).URN + ": "
	all = []section{f.section(of, partInputs, &d.Inputs), f.section(of, partOutputs, &d.Outputs)}
	if d.Outcome == state.Created || d.Outcome == state.Deleted {
		return all, d.Outcome
	}

	all = slices.Insert(all, 0, f.section(of, partState, &d.Metadata))
	outcome = max(all[0].outcome, all[1].outcome, all[2].outcome)
	if d.Renamed {
		outcome = state.Updated
	}
	return all, outcome
}

func (f *diffFlags) deployment(s *stacks) (section, error) {
	p, err := s.Deployment() // of steps there is none
	compared := f.section("", partDeployment, &p)
	if !f.showsAll() && compared.outcome != state.Unchanged {
		f.deploymentOut = true
		compared = f.section("", partDeployment, &state.PartDiff{})
	}
	return compared, err
}

// operation returns what happened to a resource.
func (f *diffFlags) operation(r *steps.Change, sections []section, outcome state.Outcome) ops.Op {
	doesForce := outcome == state.Updated && f.forces(partInputs, sections[1].Diff)
	switch {
	case r.Step != nil:
		return opOf(r.Step, r.Op)
	case outcome == state.Created:
		return ops.Create
	case outcome == state.Deleted:
		return ops.Delete
	case doesForce:
		return ops.Replace
	case outcome != state.Unchanged:
		return ops.Update
	}
	return ops.Same
}

// resources iterates over the resources that may differ, and notes which numbers in
// them were rounded: first those of the old stack, in its order.
func (f *diffFlags) resources(s *stacks) iter.Seq2[*steps.Change, error] {
	return func(yield func(*steps.Change, error) bool) {
		var before, after []resourceNotes
		earlier := f.notes
		f.notes = nil

		for r, err := range s.rows() {
			if err == nil && f.selects(&r.ResourceDiff) {
				if s.oldName != s.newName || r.New == nil {
					before = appendRounded(before, s.oldName, r.Old, r.New)
				}
				after = appendRounded(after, s.newName, r.New, r.Old)
			}

			if !yield(r, err) {
				return
			}
		}
		slices.SortFunc(before, func(a, b resourceNotes) int { return cmp.Compare(a.number, b.number) })
		for _, each := range slices.Concat(before, after) {
			earlier = append(earlier, each.texts...)
		}
		f.notes = append(earlier, f.notes...)
	}
}

// rows iterates over the resources that may differ.
func (s *stacks) rows() iter.Seq2[*steps.Change, error] {
	if s.update != nil {
		return s.update.changes(s.options)
	}
	return func(yield func(*steps.Change, error) bool) {
		for d, err := range s.Resources() {
			if err == nil {
				s.settle(&d)
			}
			if !yield(&steps.Change{ResourceDiff: d}, err) {
				return
			}
		}
	}
}

// resourceNotes say which numbers of a resource were rounded.
type resourceNotes struct {
	number int // of the resource
	texts  []string
}

// appendRounded appends the notes about a resource, if it is not nil. No path in them
// goes below a secret of its own or of the other one.
func appendRounded(to []resourceNotes, file string, r, other *state.Resource) []resourceNotes {
	if r == nil {
		return to
	}
	if other == nil {
		other = &state.Resource{}
	}

	place := fmt.Sprintf("%s: %s: ", file, r.URN)
	return append(to, resourceNotes{r.Number, slices.Concat(
		roundedNotes(place+"inputs", &r.InputsReport, other.Inputs),
		roundedNotes(place+"outputs", &r.OutputsReport, r.Outputs, other.Outputs),
		roundedNotes(place+"replacementTrigger", &r.ReplacementTriggerReport, other.ReplacementTrigger),
	)})
}

// parts returns the sections of an entry that differ, as lines, and the number of secrets
// that are left out since they may only have been encrypted again.
func (f *diffFlags) parts(e *entry, indent int) (parts []changed.Part, sealed int) {
	if e.isWhole {
		return f.wholly(e, indent), 0
	}
	sections := e.sections
	shown := make([]diff.Diff, len(sections))
	for i, s := range sections {
		shown[i] = s.Diff
		if !f.sealed {
			var n int
			shown[i], n = s.WithoutSealed(f.replacingIn(s.name, e.Step))
			sealed += n
		}
	}

	for i, s := range sections {
		o := f.text(s.name, indent)
		o.ReplaceOn = f.replacingIn(s.name, e.Step)
		d, name := shown[i], s.name+":"
		f.hide.in(s.name).matched(d)

		folded := ""
		if s.name == partOutputs && i > 0 {
			var repeated diff.Diff
			d, repeated = f.repeats(sections[i-1].PartDiff, s.PartDiff, shown[i-1], d)
			folded = foldedNote(f.count(repeated), d.Len(), f.count(shown[i-1]))
			name += " " + folded
		}
		if keyed := f.keyedNote(s.name, d, s.Old, s.New); keyed != "" {
			name += "  # " + keyed
		}
		if s.name == partDeployment {
			name = ""
		}
		p := changed.Part{Name: strings.Trim(name, ": "), Lines: slices.Collect(render.Lines(d, o)), Changes: f.count(d)}
		if len(p.Lines) > 0 || folded != "" {
			parts = append(parts, p)
		}
	}
	return parts, sealed
}
