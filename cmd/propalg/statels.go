package main

import (
	"errors"
	"fmt"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

type resourceJSON struct {
	URN      string `json:"urn"`
	Type     string `json:"type"`
	Name     string `json:"name"`
	ID       string `json:"id,omitempty"`
	Custom   bool   `json:"custom"`
	Delete   bool   `json:"delete,omitempty"`
	External bool   `json:"external,omitempty"`
	Protect  bool   `json:"protect,omitempty"`
	Parent   string `json:"parent,omitempty"`
	Provider string `json:"provider,omitempty"`
}

func runStateLs(inv *invocation) (int, error) {
	form := inv.output("text", "json")
	if err := inv.parse(1, 1); err != nil {
		return 0, err
	}
	in, err := inv.load(inv.args[0])
	if err != nil {
		return 0, err
	}
	if in.stack == nil {
		return 0, fmt.Errorf("%s: %w", in.name, errors.New("no stack export or checkpoint"))
	}
	for r, err := range in.stack.Resources() {
		if err != nil {
			return 0, fmt.Errorf("%s: %w", in.name, err)
		}
		row := resourceRow(&r)
		if form.value == "json" {
			err = writeJSON(inv.out, row)
		} else {
			_, err = fmt.Fprintln(inv.out, resourceLine(&row))
		}
		if err != nil {
			return 0, err
		}
	}
	return exitSame, nil
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
	return line
}
