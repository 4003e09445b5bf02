package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// tally counts the resources of a comparison.
type tally struct{ created, deleted, updated, replaced, same int }

// String is the last line.
func (t tally) String() string {
	replaced := ""
	if t.replaced > 0 {
		replaced = fmt.Sprintf(" (%d of them to be replaced)", t.replaced)
	}
	return fmt.Sprintf("Resources: %d created, %d deleted, %d updated%s, %d the same\n", t.created, t.deleted, t.updated, replaced, t.same)
}

func (inv *invocation) diffStacks(both *indexed, f *diffFlags) (int, error) {
	out := make([]byte, 0, 1<<12)
	var count tally
	same, err := f.pairs(both, func(old, now *state.Resource) error {
		if t, changed := f.tell(old, now, 2); changed {
			count.add(t.mark)
			out = t.appendText(out, f.colour)
		} else {
			count.same++
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	count.same += same
	different := len(out) > 0
	out = append(out, count.String()...)
	if _, err := inv.out.Write(out); err != nil {
		return 0, err
	}
	if different {
		return exitDifferent, nil
	}
	return exitSame, nil
}

func (t *tally) add(m diff.Mark) {
	switch m {
	case diff.MarkAdd:
		t.created++
	case diff.MarkDelete:
		t.deleted++
	case diff.MarkReplace:
		t.replaced++
		t.updated++
	case diff.MarkUpdate, diff.MarkMove, diff.MarkNone:
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
			roundedNotes(file+": "+r.URN+": outputs", &r.OutputsReport, other.Outputs))
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

// facts are what a state says of a resource beside its properties. The texts of
// errors are secret: providers put into them what they were sent.
func facts(r *state.Resource) value.Value {
	text := func(key, s string) value.Member {
		return value.Member{Key: key, Value: value.String(s)}
	}
	flag := func(key string, b bool) value.Member {
		return value.Member{Key: key, Value: value.Bool(b)}
	}
	list := func(key string, ss []string) value.Member {
		vs := make([]value.Value, len(ss))
		for i, s := range ss {
			vs[i] = value.String(s)
		}
		return value.Member{Key: key, Value: value.Array(vs...)}
	}
	failures := make([]value.Value, len(r.InitErrors))
	for i, s := range r.InitErrors {
		failures[i] = value.Secret(value.String(s))
	}
	byProperty := make(map[string]value.Value, len(r.PropertyDependencies))
	for property, urns := range r.PropertyDependencies {
		byProperty[property] = list("", urns).Value
	}
	return value.Object(
		value.Member{Key: "propertyDependencies", Value: value.ObjectFromMap(byProperty)},
		text("type", r.Type), text("id", r.ID), text("parent", r.Parent), text("provider", r.Provider),
		flag("custom", r.Custom), flag("delete", r.Delete), flag("external", r.External), flag("protect", r.Protect),
		list("dependencies", r.Dependencies), value.Member{Key: "initErrors", Value: value.Array(failures...)}, list("aliases", r.Aliases),
	)
}
