package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff/render"
)

// tally counts the resources of a comparison.
type tally struct {
	created, deleted, updated, replaced, same int

	sealed     int  // nothing else is known of them than that secrets were sealed anew
	deployment news // of what surrounds the resources
	leftOut    int  // times and source positions that differ
}

// news is what a comparison found.
type news uint8

const (
	isSame   news = iota
	isSealed      // secrets were sealed anew, so that nobody knows whether they are the same
	isChanged
)

// String is the last lines.
func (t tally) String() string {
	replaced := ""
	if t.replaced > 0 {
		replaced = fmt.Sprintf(" (%d of them to be replaced)", t.replaced)
	}
	text := fmt.Sprintf("Resources: %d created, %d deleted, %d updated%s, %d the same\n", t.created, t.deleted, t.updated, replaced, t.same)
	if said := t.maySay(); said != "" {
		text += "May differ: " + said + " (--sealed)\n"
	}
	if said := t.leftOutSay(); said != "" {
		text += "Left out: " + said + " (--all)\n"
	}
	return text
}

// maySay names what may differ, if anything.
func (t tally) maySay() string {
	switch pending := t.deployment == isSealed; {
	case t.sealed > 0 && pending:
		return numbered(t.sealed, "resource") + " and pending operations, of which no more is known than that their secrets were sealed anew"
	case pending:
		return "pending operations, of which no more is known than that their secrets were sealed anew"
	case t.sealed == 1:
		return "1 resource, of which no more is known than that its secrets were sealed anew"
	case t.sealed > 1:
		return numbered(t.sealed, "resource") + ", of which no more is known than that their secrets were sealed anew"
	}
	return ""
}

// leftOutSay names what was not compared and differs, if anything.
func (t tally) leftOutSay() string {
	switch {
	case t.leftOut == 1:
		return "1 time or source position that differs"
	case t.leftOut > 1:
		return fmt.Sprintf("%d times and source positions that differ", t.leftOut)
	}
	return ""
}

// exit is the exit code.
func (t tally) exit() int {
	if t.created+t.deleted+t.updated+t.sealed == 0 && t.deployment == isSame {
		return exitSame
	}
	return exitDifferent
}

func (inv *invocation) diffStacks(both *indexed, f *diffFlags) (int, error) {
	out := make([]byte, 0, 1<<12)
	count, err := f.compareStacks(both, 2, func(t *told) { out = t.appendText(out, f.colour) })
	if err != nil {
		return 0, err
	}
	if _, err := inv.out.Write(append(out, count.String()...)); err != nil {
		return 0, err
	}
	return count.exit(), nil
}

// compareStacks calls show for what is to be told of two stacks: of the
// deployments first.
func (f *diffFlags) compareStacks(both *indexed, indent int, show func(*told)) (count tally, err error) {
	deployment, err := f.compareDeployments(both.old, both.now)
	if err != nil {
		return count, err
	}
	if count.deployment = deployment.news; count.deployment == isChanged {
		show(&told{title: "deployment", mark: render.MarkUpdate, parts: deployment.parts(f, indent)})
	}
	same, err := f.pairs(both, func(old, now *state.Resource) error {
		t, found := f.tell(old, now, indent)
		count.leftOut += t.leftOut
		switch found {
		case isChanged:
			count.add(t.mark)
			show(&t)
		case isSealed:
			count.sealed++
		case isSame:
			count.same++
		}
		return nil
	})
	count.same += same
	return count, err
}

func (t *tally) add(m render.Mark) {
	switch m {
	case render.MarkAdd:
		t.created++
	case render.MarkDelete:
		t.deleted++
	case render.MarkReplace:
		t.replaced++
		t.updated++
	case render.MarkUpdate, render.MarkMove, render.MarkNone:
		t.updated++
	}
}

// pairs goes through the resources that may differ, and notes what was rounded in
// those of either stack: first of the old one, in its order.
func (f *diffFlags) pairs(both *indexed, visit func(old, now *state.Resource) error) (same int, err error) {
	type note struct {
		number int
		texts  []string
	}
	var before, after []note
	add := func(to []note, file string, r, other *state.Resource) []note {
		if r == nil {
			return to
		}
		if other == nil {
			other = &state.Resource{}
		}
		texts := slices.Concat(roundedNotes(file+": "+r.URN+": inputs", &r.InputsReport, other.Inputs),
			roundedNotes(file+": "+r.URN+": outputs", &r.OutputsReport, other.Outputs),
			roundedNotes(file+": "+r.URN+": replacementTrigger", &r.ReplacementTriggerReport, other.ReplacementTrigger))
		if len(texts) == 0 {
			return to
		}
		return append(to, note{r.Number, texts})
	}
	own := f.notes
	f.notes = nil
	same, err = both.pairs(func(old, now *state.Resource) error {
		before, after = add(before, both.old.name, old, now), add(after, both.now.name, now, old)
		return visit(old, now)
	})
	slices.SortFunc(before, func(a, b note) int { return cmp.Compare(a.number, b.number) })
	for _, each := range slices.Concat(before, after) {
		own = append(own, each.texts...)
	}
	f.notes = append(own, f.notes...)
	return same, err
}
