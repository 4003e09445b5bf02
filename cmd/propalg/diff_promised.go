package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"slices"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/codec/steps"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// kept compares two sides with what a plan or a preview promised of the second.
type kept struct {
	*invocation
	flags *diffFlags

	resources []keptJSON // those of which a promise was not kept
	same      int        // resources that kept theirs
}

// The JSON of diff --promised; docs/cli.md describes it.
type (
	keptJSON struct {
		URN      string       `json:"urn,omitempty"` // of a resource
		Breaches []breachJSON `json:"breaches"`
		More     int          `json:"more,omitempty"` // breaches that are not listed
	}
	breachJSON struct {
		Kind     string          `json:"kind"`
		Of       string          `json:"of,omitempty"` // a part, or what happened to the resource
		At       string          `json:"at"`
		Secret   bool            `json:"secret,omitempty"`
		Old      json.RawMessage `json:"old,omitempty"`
		Promised json.RawMessage `json:"promised,omitempty"`
		New      json.RawMessage `json:"new,omitempty"`

		text string
	}
	keptReport struct {
		Resources []keptJSON `json:"resources"`
		Kept      int        `json:"kept"`
	}
)

// promised is what is to become of a resource.
type promised struct {
	op       steps.Op
	old      *state.Resource // nil: there is none
	now      *state.Resource // nil: it is deleted
	returned value.Value     // the outputs that are known
}

func (inv *invocation) diffPromised(f *diffFlags) (int, error) {
	allowed := []string{"promised", "ignore", "o", "out", "color"}
	var other string
	inv.flags.Visit(func(set *flag.Flag) {
		if !slices.Contains(allowed, set.Name) {
			other = set.Name
		}
	})
	switch {
	case other != "":
		return 0, usageError{"--" + other + " does nothing to --promised, which compares index by index and lists what was not kept"}
	case inv.form.value != "text" && !inv.isJSON():
		return 0, usageError{"--promised has the forms text and json"}
	case len(inv.args) != 2:
		return 0, usageError{"--promised takes OLD and NEW"}
	case f.promised == "-" && slices.Contains(inv.args, "-"):
		return 0, usageError{"only one of the files can be standard input"}
	}

	old, now, err := inv.openSides(inv.args)
	if err != nil {
		return 0, err
	}
	defer old.Close()
	defer now.Close()
	plan, err := input.Open(f.promised, inv.in)
	if err != nil {
		return 0, err
	}
	defer plan.Close()

	k := kept{invocation: inv, flags: f}
	switch {
	case old.IsBag() && now.IsBag() && plan.IsBag():
		k.add("", k.breaches("", old.Bag, now.Bag, plan.Bag))
	case old.Stack != nil && now.Stack != nil && plan.Steps != nil:
		err = k.stacks(old, now, plan)
	default:
		err = usageError{fmt.Sprintf("--promised takes the preview or plan of two stacks, or the bag that was promised of two bags; %s: %s; %s: %s; %s: %s",
			plan.Name, plan.Shape(), old.Name, old.Shape(), now.Name, now.Shape())}
	}
	if err != nil {
		return 0, err
	}
	inv.noteUnmatched(f)
	return exitIf(len(k.resources) > 0), k.write()
}

// stacks compares the resources of two stacks with what steps promised.
func (k *kept) stacks(old, now, plan *input.Source) error {
	u := newUpdate(plan)
	if err := u.begin(old); err != nil {
		return err
	}
	promises := map[string]*promised{}
	for c, err := range u.changes(state.CompareOptions{Codec: codec.Options{RoundNumbers: true}}) {
		switch {
		case err != nil:
			return err
		case c.Step.Pending:
			continue
		}
		p := &promised{op: c.Op, old: c.Old, now: c.New}
		if c.Step.New != nil {
			p.returned = c.Step.New.Outputs
		}
		promises[cmp.Or(c.New, c.Old).URN] = p
	}
	if u.stopped != nil {
		return u.stopped
	}

	olds, err := liveResources(old)
	if err != nil {
		return err
	}
	news, err := liveResources(now)
	if err != nil {
		return err
	}
	for name, r := range olds {
		if promises[name] == nil { // it is to stay as it is
			promises[name] = &promised{op: steps.OpSame, old: r, now: r}
		}
	}
	names := maps.Clone(news)
	for name := range promises {
		names[name] = nil
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		k.add(name, k.resource(promises[name], news[name]))
	}
	return nil
}

// liveResources returns the resources of a stack that are not pending deletion.
func liveResources(s *input.Source) (map[string]*state.Resource, error) {
	found := map[string]*state.Resource{}
	all, _ := s.Resources(nil)
	for r, err := range all {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, s.Place(err))
		}
		if !r.Delete {
			found[r.URN] = &r
		}
	}
	return found, nil
}

// resource compares a resource with what was promised of it; nil: nothing was, or it is not there.
func (k *kept) resource(p *promised, now *state.Resource) []breachJSON {
	whole := func(kind diff.BreachKind, of, text string) []breachJSON {
		return []breachJSON{{Kind: kind.String(), Of: of, text: kind.String() + ": " + text}}
	}
	switch {
	case p == nil:
		return whole(diff.BreachExtra, "create", "created, which was not promised")
	case p.now == nil && now == nil:
		return nil
	case p.now == nil:
		return whole(diff.BreachMissing, "delete", "not deleted, which was promised")
	case now == nil && p.old == nil:
		return whole(diff.BreachMissing, "create", "not created, which was promised")
	case now == nil:
		return whole(diff.BreachExtra, "delete", "deleted, which was not promised")
	}

	var found []breachJSON
	if p.old != nil && now.Custom && p.old.ID != now.ID && (p.op == steps.OpSame || p.op == steps.OpUpdate) {
		found = whole(diff.BreachExtra, "replace", "replaced, which was not promised")
	}
	old := cmp.Or(p.old, &state.Resource{Inputs: value.Object(), Outputs: value.Object()})
	found = append(found, k.breaches(partInputs, old.Inputs, now.Inputs, p.now.Inputs)...)
	return append(found, k.breaches(partOutputs, old.Outputs, now.Outputs, p.returned)...)
}

// breaches compares the properties of a part; "" is a bag. Outputs that a preview does not name
// may be anything.
func (k *kept) breaches(part string, old, now, promised value.Value) (found []breachJSON) {
	for _, side := range []*value.Value{&old, &now, &promised} {
		if side.IsNull() && part != "" { // the part is left out where it has nothing
			*side = value.Object()
		}
	}
	of := k.flags.ignore.in(part)
	relation := value.NullAsMissing | value.IgnoreDependencies
	for _, b := range diff.Within(old, now, promised, diff.Options{Relation: relation}) {
		_, isPromised := b.Promised()
		if of.covers(b.Path()) || (part == partOutputs && !isPromised && b.Path().Len() == 1) {
			continue
		}
		row := breachJSON{Kind: b.Kind().String(), Of: part, At: b.Shown().String(), Secret: b.Secret(), text: b.String()}
		if part != "" {
			row.text = part + ": " + row.text
		}
		if !row.Secret && k.isJSON() {
			row.Old, row.Promised, row.New = sideJSON(b.Old()), sideJSON(b.Promised()), sideJSON(b.New())
		}
		found = append(found, row)
	}
	return found
}

// sideJSON returns the JSON of a value without secrets; nil: there is none.
func sideJSON(v value.Value, isThere bool) json.RawMessage {
	if !isThere {
		return nil
	}
	text, err := codec.AppendJSONValue(nil, v, codec.Options{Form: codec.FormSealed})
	if err != nil { // what JSON cannot hold
		return nil
	}
	return text
}

func (k *kept) add(name string, found []breachJSON) {
	if len(found) == 0 {
		k.same++
		return
	}
	left := path.MaxListed
	listed := 0
	for ; listed < len(found) && left > 0; listed++ {
		left -= len(found[listed].text)
	}
	k.resources = append(k.resources, keptJSON{URN: name, Breaches: found[:listed], More: len(found) - listed})
}

func (k *kept) write() error {
	if k.isJSON() {
		return printable.WriteJSON(k.out, keptReport{Resources: append([]keptJSON{}, k.resources...), Kept: k.same})
	}
	for _, r := range k.resources {
		indent := ""
		if r.URN != "" {
			u, _ := urn.Parse(r.URN) // of one that is none only the text is shown
			fmt.Fprintf(k.out, "%s %q\n    [urn=%s]\n", printable.Text(u.Type()), plainName(r.URN), printable.Text(r.URN))
			indent = "    "
		}
		for _, b := range r.Breaches {
			fmt.Fprintf(k.out, "%s%s\n", indent, printable.Line(b.text))
		}
		if r.More > 0 {
			fmt.Fprintf(k.out, "%sand %s\n", indent, printable.Counted(r.More, "more place"))
		}
	}
	_, err := fmt.Fprintf(k.out, "Promises: %s not kept, %s kept\n", printable.Thousands(len(k.resources)), printable.Thousands(k.same))
	return err
}
