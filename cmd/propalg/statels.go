package main

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

type resourceJSON struct {
	URN      string     `json:"urn"`
	Type     string     `json:"type"`
	Name     string     `json:"name"`
	ID       string     `json:"id,omitempty"`
	Custom   bool       `json:"custom"`
	Delete   bool       `json:"delete,omitempty"`
	External bool       `json:"external,omitempty"`
	Protect  bool       `json:"protect,omitempty"`
	Parent   string     `json:"parent,omitempty"`
	Provider string     `json:"provider,omitempty"`
	Holds    []heldJSON `json:"holds,omitempty"` // with --holds
}

// heldJSON is a place where a resource holds what was looked for.
type heldJSON struct {
	Bag string `json:"bag"` // "inputs" or "outputs"
	At  string `json:"at"`
}

func runStateLs(inv *invocation) (int, error) {
	form := inv.output("text", "json")
	held := inv.flags.String("holds", "", "list only resources with this `text` in a property, or with that number, and say where; secrets are not looked at")
	if err := inv.parse(1, 1); err != nil {
		return 0, err
	}
	in, err := inv.stackOf(inv.args[0])
	if err != nil {
		return 0, err
	}
	listed := 0
	for r, err := range in.stack.Resources() {
		if err != nil {
			return 0, fmt.Errorf("%s: %w", in.name, err)
		}
		row := resourceRow(&r)
		if *held != "" {
			row.Holds = append(placesHolding(*held, "inputs", r.Inputs), placesHolding(*held, "outputs", r.Outputs)...)
			if len(row.Holds) == 0 {
				continue
			}
		}
		listed++
		if form.value == "json" {
			err = writeJSON(inv.out, row)
		} else {
			_, err = fmt.Fprintln(inv.out, resourceLine(&row))
		}
		if err != nil {
			return 0, err
		}
	}
	if *held != "" && listed == 0 {
		inv.say("%s: no resource holds %q outside secrets", in.name, clipped(*held))
		return exitDifferent, nil
	}
	return exitSame, nil
}

// placesHolding are the places of a bag where a text is in a text, or is a number.
// What is secret is passed over: that it is there would be told too.
func placesHolding(text, bag string, v value.Value) (all []heldJSON) {
	for at := range v.Walk() {
		part := at.Value()
		if part.IsSecret() {
			at.SkipBelow()
			continue
		}
		s, ok := part.AsString()
		if ok && strings.Contains(s, text) || part.Kind() == value.KindNumber && part.DropDependencies().String() == text {
			all = append(all, heldJSON{bag, at.Shown().String()})
		}
	}
	return all
}

func resourceRow(r *state.Resource) resourceJSON {
	row := resourceJSON{
		URN: r.URN, Type: r.Type, ID: r.ID, Custom: r.Custom, Delete: r.Delete,
		External: r.External, Protect: r.Protect, Parent: r.Parent, Provider: r.Provider,
	}
	if u, err := urn.Parse(r.URN); err == nil {
		row.Name = u.Name()
	}
	return row
}

// resourceLine is type, name, ID and whatever is unusual, on one line.
func resourceLine(r *resourceJSON) string {
	line := joined(plain(r.Type), value.String(r.Name).String())
	if r.ID != "" {
		line += "  id " + value.String(r.ID).String()
	}
	for _, f := range []struct {
		on   bool
		name string
	}{
		{!r.Custom, "component"},
		{r.Protect, "protected"},
		{r.External, "external"},
		{r.Delete, "waits for deletion"},
	} {
		if f.on {
			line += "  (" + f.name + ")"
		}
	}
	for _, h := range r.Holds {
		line += "\n    " + h.Bag + ": " + plain(h.At)
	}
	return line
}
