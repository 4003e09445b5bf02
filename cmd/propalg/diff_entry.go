package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// entry is a resource that changed, or the deployment.
type entry struct {
	of       *state.Resource // the new one, or the one that was deleted; nil: the deployment
	was      string          // the URN that it had, if it was renamed
	op       string          // as --op names it
	step     *input.Step
	sections []section
	parts    []part // the sections as lines, where these are shown
}

// mark returns the mark for what happened.
func (e *entry) mark() render.Mark {
	switch e.op {
	case opCreate:
		return render.MarkAdd
	case opDelete:
		return render.MarkDelete
	case opReplace:
		return render.MarkReplace
	}

	return render.MarkUpdate
}

func (e *entry) changes() int {
	n := 0
	for _, p := range e.parts {
		n += p.changes
	}
	return n
}

// tally counts the resources of a comparison.
type tally struct {
	summaryJSON

	secrets    int // of resources with other changes, that may only have been encrypted again
	deployment state.Outcome
	isAcross   bool   // IDs are left out too
	filtered   string // what differs and is not shown
	failure    *failure
}

// uncertain names what may differ, if anything.
func (t *tally) uncertain() string {
	var what []string
	if t.Sealed > 0 {
		what = append(what, counted(t.Sealed, "resource"))
	}
	if t.deployment == state.Resealed {
		what = append(what, "pending operations")
	}

	var texts []string
	if len(what) > 0 {
		texts = append(texts, strings.Join(what, " and ")+", in which only secrets were encrypted again")
	}
	if t.secrets > 0 {
		texts = append(texts, counted(t.secrets, "secret")+" in resources with other changes")
	}
	return strings.Join(texts, "; ")
}

// leftOutText names what differs and was not compared, if anything.
func (t *tally) leftOutText() string {
	var what []string
	switch {
	case t.LeftOut == 1 && t.isAcross:
		what = append(what, "1 time, source position or ID that differs")
	case t.LeftOut > 1 && t.isAcross:
		what = append(what, fmt.Sprintf("%d times, source positions and IDs that differ", t.LeftOut))
	case t.LeftOut == 1:
		what = append(what, "1 time or source position that differs")
	case t.LeftOut > 1:
		what = append(what, fmt.Sprintf("%d times and source positions that differ", t.LeftOut))
	}

	if t.References > 0 {
		what = append(what, counted(t.References, "reference")+" to renamed resources")
	}
	return strings.Join(what, ", ")
}

func (t *tally) exit() int {
	if t.failure != nil {
		return exitFailed
	}
	return exitIf(t.Create+t.Delete+t.Update+t.Sealed > 0 || t.deployment != state.Unchanged)
}

// eachShown is eachEntry for text and pages: entries have parts, whose lines are indented
// by a number of levels.
func (f *diffFlags) eachShown(s *stacks, indent int, show func(*entry)) (*tally, error) {
	secrets := 0
	count, err := f.eachEntry(s, func(e *entry) error {
		var sealed int
		e.parts, sealed = f.parts(e, indent)
		secrets += sealed
		show(e)
		return nil
	})
	if err != nil {
		return nil, err
	}

	count.secrets = secrets
	return count, nil
}

// eachEntry calls show for the deployment, if it changed, and then for each resource that
// did.
func (f *diffFlags) eachEntry(s *stacks, show func(*entry) error) (*tally, error) {
	deployment, err := f.deployment(s)
	if err != nil {
		return nil, err
	}

	count := &tally{summaryJSON: summaryJSON{Same: s.NumEqual()}, deployment: deployment.outcome, isAcross: f.match.value == "stack", failure: s.failure()}
	if deployment.outcome == state.Updated {
		if err := show(&entry{op: opUpdate, step: &input.Step{}, sections: []section{deployment}}); err != nil {
			return nil, err
		}
	}
	for d, err := range f.resources(s) {
		if err != nil {
			return nil, err
		}
		if e := f.entry(s, d, count); e != nil {
			if err := show(e); err != nil {
				return nil, err
			}
		}
	}

	count.Filtered, count.filtered = f.out()
	return count, nil
}

// entry returns a resource that changed, else nil, and counts it.
func (f *diffFlags) entry(s *stacks, d *state.ResourceDiff, count *tally) *entry {
	sections, outcome := f.sections(s, d)
	op := f.operation(s, d, sections, outcome)
	if outcome != state.Unchanged && !f.passes(d, op) {
		return nil
	}

	if f.selects(d) {
		count.LeftOut += d.LeftOut
		count.References += d.References
	}

	count.add(outcome, op)
	if outcome == state.Unchanged || outcome == state.Resealed {
		return nil
	}
	e := &entry{of: cmp.Or(d.New, d.Old), op: op, step: s.step(d), sections: sections}
	if d.Renamed {
		e.was = d.Old.URN
	}
	return e
}

// wholly returns the inputs of a resource that was created or deleted, or its outputs
// if it has no inputs.
func (f *diffFlags) wholly(e *entry, indent int) []part {
	bag, name := e.of.Inputs, partInputs
	if (bag.Len() == 0 && f.only.value == "all") || f.only.value == partOutputs {
		bag, name = e.of.Outputs, partOutputs
	}
	if bag.Len() == 0 || f.only.value == partState {
		return nil
	}

	old, now := value.Object(), bag
	if e.op == opDelete {
		old, now = now, old
	}
	d := f.without(name, diff.Between(old, now, diff.Options{}))
	f.hide.in(name).matched(d)
	if d.Empty() {
		return nil
	}
	return []part{{name: name, lines: slices.Collect(render.Lines(d, f.text(name, indent))), changes: d.Len()}}
}

// note says what else there is to say about a resource, if anything.
func (e *entry) note() string {
	switch {
	case e.of.Delete:
		return "pending deletion"
	case e.was != "":
		return "renamed? same type and ID"
	}

	return ""
}

// nameOf returns the name in a URN, quoted; of a text that is not a URN, all of it.
func nameOf(text string) string { return value.String(nameIn(text)).String() }

// plainName returns the name in a URN, quoted only if it is not printable.
func plainName(text string) string { return printable.Text(nameIn(text)) }

func nameIn(text string) string {
	if u, err := urn.Parse(text); err == nil {
		return u.Name()
	}
	return text
}
