package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/changed"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/codec/steps"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// entry is a resource that changed, or the deployment.
type entry struct {
	steps.Change
	of       *state.Resource // the new one, or the one that was deleted; nil: the deployment
	op       ops.Op          // as --op names it
	note     string          // what else there is to say
	isWhole  bool            // there is a resource on one side only
	sections []section
}

// tally counts the resources of a comparison.
type tally struct {
	counts     ops.Counts
	other      int // resources with operations that are not known
	replaced   int // deletions that earlier updates left
	sealed     int // resources in which only secrets were encrypted again
	secrets    int // of resources with other changes, that may only have been encrypted again
	leftOut    int // times and source positions that differ
	internal   int // changes of internal names
	references int // to renamed resources
	shown      int // resources that are shown
	deployment state.Outcome
	isAcross   bool // IDs are left out too
	out        int  // resources that differ and are not shown, and the deployment
	filtered   string
	engine     map[steps.Op]int // the engine's own counts, if there are any
	differs    []string         // those that the steps do not have
	upgrades   map[upgrade]int  // resources that only got another version of their provider, and others
	failure    *failure
}

func (t *tally) updated() int { return t.counts[ops.Update] + t.counts[ops.Replace] }

// add counts a resource. Of steps it counts what the engine counts, and what goes wrong or
// has no count there.
func (t *tally) add(r *steps.Change, outcome state.Outcome, op ops.Op, isQuiet bool) {
	isCounted := true
	if r.Step != nil && op.Rank() >= ops.Delete.Rank() && (isQuiet || (op != ops.Read && op != ops.Refresh)) {
		_, isCounted = r.Step.Counted()
	}
	switch {
	case r.Step == nil && outcome == state.Resealed:
		t.sealed++
	case op == ops.Delete && r.Step != nil && r.Step.Op == steps.OpDeleteReplaced:
		t.replaced++
	case !isCounted:
	case !op.Known():
		t.other++
	default:
		t.counts[op]++
	}
}

// uncertain names what may differ, if anything.
func (t *tally) uncertain() string {
	var what []string
	if t.sealed > 0 {
		what = append(what, printable.Counted(t.sealed, "resource")+", in which only secrets were encrypted again")
	}
	if t.deployment == state.Resealed {
		what = append(what, "pending operations, in which only secrets were encrypted again")
	}
	if t.secrets > 0 {
		what = append(what, printable.Counted(t.secrets, "secret")+" in resources with other changes")
	}
	return strings.Join(what, "; ")
}

// leftOutText names what differs and was not compared, if anything.
func (t *tally) leftOutText() string {
	var what []string
	of := " in times and source positions"
	if t.isAcross {
		of = " in times, source positions, and what names things of the other stack"
	}
	if t.leftOut > 0 {
		what = append(what, printable.Counted(t.leftOut, "difference")+of)
	}
	if t.internal > 0 {
		what = append(what, printable.Counted(t.internal, "change")+" of internal names")
	}
	if t.references > 0 {
		what = append(what, printable.Counted(t.references, "reference")+" to renamed resources")
	}
	return strings.Join(what, ", ")
}

func (t *tally) exit() int {
	if t.failure != nil {
		return exitFailed
	}
	return exitIf(t.shown+t.sealed > 0 || t.deployment != state.Unchanged)
}

// eachEntry calls show for the deployment, if it changed, and then for each resource that
// did.
func (f *diffFlags) eachEntry(s *stacks, show func(*entry) error) (*tally, error) {
	deployment, err := f.deployment(s)
	if err != nil {
		return nil, err
	}

	count := &tally{counts: ops.Counts{ops.Same: s.NumEqual()}, deployment: deployment.outcome, isAcross: f.match.value == "stack"}
	if deployment.outcome == state.Updated {
		if err := show(&entry{op: ops.Update, sections: []section{deployment}}); err != nil {
			return nil, err
		}
	}
	for r, err := range f.resources(s) {
		if err != nil {
			return nil, err
		}
		if e := f.entry(r, count); e != nil {
			count.shown++
			if err := show(e); err != nil {
				return nil, err
			}
		}
	}

	f.findNamed(s)
	if s.update != nil {
		f.sumUp(s.update, s.oldName, count)
	}
	count.failure = s.failure()
	count.out, count.filtered = f.out()
	return count, nil
}

// entry returns a resource that changed, else nil, and counts it.
func (f *diffFlags) entry(r *steps.Change, count *tally) *entry {
	sections, outcome := f.sections(&r.ResourceDiff)
	op := f.operation(r, sections, outcome)
	isQuiet := outcome == state.Unchanged || (outcome == state.Resealed && (r.Step == nil || (op == ops.Refresh && len(r.Step.Details) == 0)))
	if r.Step != nil && op != ops.Same && op != ops.Refresh && (op != ops.Read || r.Old == nil) {
		isQuiet = false
	}
	if (!isQuiet || outcome != state.Unchanged) && !f.passes(&r.ResourceDiff, op) {
		return nil
	}
	if f.only.value != "all" && outcome == state.Unchanged && op == ops.Update && r.Old != nil && r.New != nil {
		f.resourcesOut++ // what the engine updates is in another part
		return nil
	}
	if f.selects(&r.ResourceDiff) {
		count.leftOut += r.LeftOut
		count.references += r.References
		for i := range sections {
			count.internal += sections[i].hidden
		}
	}

	count.add(r, outcome, op, isQuiet)
	if isQuiet {
		return nil
	}
	e := &entry{Change: *r, of: cmp.Or(r.New, r.Old), op: op, sections: sections, isWhole: r.Old == nil || r.New == nil}
	if e.of == nil { // a step says what it failed to do, and not with what
		u, _ := urn.Parse(r.Step.URN)
		e.of = &state.Resource{URN: r.Step.URN, Type: u.Type()}
	}
	e.note = e.notes(f.ignore.in(partInputs).set)
	return e
}

// wholly returns the inputs of a resource that was created or deleted, or its outputs
// if it has no inputs.
func (f *diffFlags) wholly(e *entry, indent int) []changed.Part {
	bag, name := e.of.Inputs, partInputs
	if (bag.Len() == 0 && f.only.value == "all") || f.only.value == partOutputs {
		bag, name = e.of.Outputs, partOutputs
	}
	if bag.Len() == 0 || f.only.value == partState {
		return nil
	}

	old, now := value.Object(), bag
	if e.New == nil {
		old, now = now, old
	}
	d := f.without(name, f.withoutInternal(name, diff.Between(old, now, diff.Options{}), old, now, value.Strict))
	f.hide.in(name).matched(d)
	if d.Empty() {
		return nil
	}
	return []changed.Part{{Name: name, Lines: slices.Collect(render.Lines(d, f.text(name, indent))), Changes: d.Len()}}
}

// notes says what else there is to say about a resource, if anything. Reasons that are
// ignored are not said.
func (e *entry) notes(ignored *path.Set) string {
	var notes []string
	add := func(is bool, text string) {
		if is {
			notes = append(notes, text)
		}
	}
	if e.Step != nil {
		e.stepNotes(ignored, add)
	}
	add(e.of.Delete && (e.Step == nil || e.op != ops.Replace), "pending deletion")
	isAliased := e.Step != nil || (e.Renamed && slices.Contains(e.New.Aliases, e.Old.URN))
	add(e.Renamed && isAliased, "renamed by an alias")
	add(e.Renamed && !isAliased, "renamed? same type and ID")
	hasOther := !e.isWhole && e.Old.ID != "" && e.New.ID != "" && e.Metadata.Diff.Changed(path.Of(path.Key("id")))
	add(e.Step == nil && !e.Renamed && hasOther && e.op != ops.Replace, "other ID: replaced?")
	add(slices.ContainsFunc(e.sections, func(s section) bool { return s.inDigits }), "numbers "+differInDigits)
	return strings.Join(notes, ", ")
}

// stepNotes adds what the step says.
func (e *entry) stepNotes(ignored *path.Set, add func(is bool, text string)) {
	op := printable.Text(string(e.Step.Op))
	add(e.op == ops.Failed, op+" failed")
	add(e.op == ops.Unfinished, op+" did not end")
	add(e.Step.Op == steps.OpRefresh && e.op != ops.Refresh, "found by a refresh")

	reasons := e.reasons(ignored)
	add(len(reasons) > 0, "because of "+strings.Join(reasons, ", "))

	isGone := e.New == nil && e.Old != nil
	add(isGone && e.op == ops.Refresh, "it no longer exists")
	add(isGone && e.op == ops.Delete && e.Old.Protect && e.Step.Status == steps.Planned, "protected: the update will fail")
	add(isGone && e.op == ops.Delete && e.Old.RetainOnDelete, "retained: only the record")
}

// reasons returns what the engine or the provider names as changed, or for a replacement as
// the reason, and the resource does not show as changed.
func (e *entry) reasons(ignored *path.Set) (names []string) {
	if e.isWhole {
		return nil
	}
	all := e.Step.Replaces
	if e.op == ops.Update {
		all = e.Step.Changed
	} else if e.op != ops.Replace {
		return nil
	}

	const most = 5
	for _, name := range all {
		p, err := path.ParsePulumi(name)
		if err == nil && (ignored.Covers(p) || e.Inputs.Diff.Changed(p) || e.Outputs.Diff.Changed(p) || e.Metadata.Diff.Changed(p)) {
			continue
		}
		if len(names) == most {
			return append(names[:most-1], "and more")
		}
		names = append(names, printable.Text(name))
	}
	return names
}

// shown returns what a report says of an entry, with its parts.
func (e *entry) shown(parts []changed.Part) *changed.Resource {
	r := &changed.Resource{Op: e.op, Name: "deployment", Parts: parts}
	if e.of != nil {
		r.Type, r.Name, r.URN = printable.Text(e.of.Type), plainName(e.of.URN), printable.Text(e.of.URN)
		r.Parent, r.Waits, r.Note, r.Whole = e.of.Parent, e.of.Delete, e.note, e.isWhole
	}
	return r
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
