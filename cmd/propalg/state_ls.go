package main

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
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
	Taint    bool       `json:"taint,omitempty"`
	Pending  bool       `json:"pendingReplacement,omitempty"`
	Retain   bool       `json:"retainOnDelete,omitempty"`
	Parent   string     `json:"parent,omitempty"`
	Provider string     `json:"provider,omitempty"`
	Holds    []heldJSON `json:"holds,omitempty"` // with --holds
	More     int        `json:"more,omitempty"`  // places that are not listed
}

// heldJSON is a place where a resource has the value that --holds names.
type heldJSON struct {
	Bag string `json:"bag"` // "inputs" or "outputs"
	At  string `json:"at"`
}

func runStateLs(inv *invocation) (int, error) {
	inv.output("text", "json")
	held := inv.flags.String("holds", "", "list only resources with a property that contains this `text` or is that number, and where; secrets are not searched")
	if err := inv.parse(1, 1); err != nil {
		return 0, err
	}
	in, err := input.LoadStack(inv.args[0], inv.in)
	if err != nil {
		return 0, err
	}

	listed, search := 0, searcher{text: *held, left: path.MaxListed}
	code := exitSame
	for r, err := range in.Stack.Resources() {
		if err != nil {
			code = exitBad
			inv.say("%s: %w", in.Name, in.Place(err))
			continue
		}

		row := resourceRow(&r)
		if *held != "" && !search.resource(&r, &row) {
			continue
		}
		listed++
		if err := inv.show(&row, row.text); err != nil {
			return 0, err
		}
	}
	if *held != "" && listed == 0 && code == exitSame {
		inv.say("%s: no resource holds the text outside secrets", in.Name) // which may be a secret
		return exitDifferent, nil
	}

	return code, nil
}

type searcher struct {
	text string
	left int // bytes of paths that may still be listed
}

// resource adds the places in a resource to its row, and reports whether there are
// any.
func (s *searcher) resource(r *state.Resource, row *resourceJSON) bool {
	s.bag("inputs", r.Inputs, row)
	s.bag("outputs", r.SecretOutputs(), row)
	return len(row.Holds)+row.More > 0
}

// bag adds the places in a bag where a string contains the text, or a number is it.
// It skips secrets, since a place would reveal what one contains.
func (s *searcher) bag(name string, v value.Value, row *resourceJSON) {
	for at := range v.Walk() {
		part := at.Value()
		if part.IsSecret() {
			at.SkipBelow()
			continue
		}

		text, isText := part.AsString()
		isHit := isText && strings.Contains(text, s.text)
		if part.Kind() == value.KindNumber {
			isHit = part.DropDependencies().String() == s.text
		}

		switch {
		case !isHit:
		case s.left <= 0:
			row.More++
		default:
			place := at.Shown().String()
			s.left -= len(place)
			row.Holds = append(row.Holds, heldJSON{name, place})
		}
	}
}

func resourceRow(r *state.Resource) resourceJSON {
	row := resourceJSON{
		URN: r.URN, Type: r.Type, ID: r.ID, Custom: r.Custom, Delete: r.Delete,
		External: r.External, Protect: r.Protect, Taint: r.Taint, Pending: r.PendingReplacement, Retain: r.RetainOnDelete,
		Parent: r.Parent, Provider: r.Provider,
	}
	if u, err := urn.Parse(r.URN); err == nil {
		row.Name = u.Name()
	}

	return row
}

// text returns type, name, ID and what is unusual on one line, and the places that were
// found on lines of their own.
func (r *resourceJSON) text() string {
	line := strings.TrimPrefix(printable.Text(r.Type)+" "+value.String(r.Name).String(), " ")
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
		{r.Delete, "pending deletion"},
		{r.Pending, "pending replacement"},
		{r.Taint, "to be replaced"},
		{r.Retain, "retained on deletion"},
	} {
		if f.on {
			line += "  (" + f.name + ")"
		}
	}

	lines := []string{line}
	for _, h := range r.Holds {
		lines = append(lines, h.Bag+": "+printable.Text(h.At))
	}
	if r.More > 0 {
		lines = append(lines, fmt.Sprintf("and at %d more places", r.More))
	}
	return strings.Join(lines, "\n    ")
}
