package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/changed"
	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// drifter compares the inputs of resources with their outputs.
type drifter struct {
	*invocation
	files  stackFiles
	filter resourceFilter
	diff   diffFlags // of which some are flags of this command

	differ, same     int // resources
	missing, unknown int // values that are not compared
	code             int
}

func runStateDrift(inv *invocation) (int, error) {
	inv.output("text", "json")
	inv.colour()
	d := drifter{invocation: inv}
	d.diff.comparing.addTo(inv)
	inv.flags.Lookup("array").Usage = strings.TrimSuffix(inv.flags.Lookup("array").Usage, "; of stacks also below inputs or outputs")
	inv.flags.Lookup("ignore").Usage = "`pattern`, in Pulumi's dialect (rules[*].port, tags[\"a.b\"]), of inputs that are not compared (repeatable)"
	d.filter.addTo(inv, "compare")
	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}
	d.diff.layout, d.diff.width = inv.layout(), inv.valueWidth()

	var err error
	if d.files, err = inv.stackFiles(); err != nil {
		return 0, err
	}
	d.code = max(d.files.each(inv, d.drift), d.code)
	inv.noteUnmatched(&d.diff)
	if !inv.isJSON() && (d.code == exitSame || d.differ+d.same > 0) {
		if _, err := fmt.Fprintln(inv.out, d.totals()); err != nil {
			return 0, err
		}
	}
	return max(d.code, exitIf(d.differ > 0)), nil
}

// totals says how many resources differ, and what was not compared.
func (d *drifter) totals() string {
	text := fmt.Sprintf("Resources: %s differ from their inputs, %s the same", printable.Thousands(d.differ), printable.Thousands(d.same))
	var not []string
	if d.missing > 0 {
		not = append(not, printable.Counted(d.missing, "input")+" that outputs do not have")
	}
	if d.unknown > 0 {
		not = append(not, printable.Counted(d.unknown, "value")+" that cannot be compared, such as encrypted secrets")
	}
	if len(not) > 0 {
		text += "; not compared: " + strings.Join(not, ", ")
	}
	return text
}

// drift compares the resources of one stack. One that cannot be read is named, and the others are
// compared too.
func (d *drifter) drift(in *input.Source) error {
	d.filter.versions, d.filter.unknown = map[string]string{}, 0
	all, _ := in.Resources(nil)
	for r, err := range all {
		if err != nil {
			d.code = exitBad
			d.say("%s: %w", in.Name, in.Place(err))
			continue
		}
		row := resourceRow(&r)
		if !d.filter.matches(&r, row.Name) || !r.Custom || r.Delete {
			continue
		}

		found := r.Drift(d.diff.options(partInputs, value.Strict))
		d.missing += found.Missing
		d.unknown += found.Unknown
		found.Diff = d.diff.without(partInputs, found.Diff)
		if found.Diff.Empty() {
			d.same++
			continue
		}
		d.differ++
		if err := d.report(in, &row, found.Diff); err != nil {
			return err
		}
	}
	d.filter.sayUnknown(d.invocation, in, "compared")
	return nil
}

// The JSON of state drift; docs/cli.md describes it.
type (
	driftJSON struct {
		File    string            `json:"file,omitempty"`
		URN     string            `json:"urn"`
		Type    string            `json:"type"`
		Name    string            `json:"name"`
		ID      string            `json:"id,omitempty"`
		Changes []driftChangeJSON `json:"changes"`
	}
	driftChangeJSON struct {
		At     string          `json:"at"`
		Secret bool            `json:"secret,omitempty"`
		Input  json.RawMessage `json:"input,omitempty"`  // left out: there is none
		Output json.RawMessage `json:"output,omitempty"` // left out: there is none
	}
)

func (d *drifter) report(in *input.Source, r *resourceJSON, found diff.Diff) error {
	if !d.isJSON() {
		part := changed.Part{Lines: slices.Collect(render.Lines(found, d.diff.text(partInputs, 1)))}
		head := &changed.Resource{Op: ops.Update, Type: printable.Text(r.Type), Name: plainName(r.URN), URN: printable.Text(r.URN)}
		text := appendParts(appendHeader(nil, head, d.diff.layout), []changed.Part{part}, d.diff.layout)
		_, err := fmt.Fprintln(d.out, d.files.named(in, strings.TrimSuffix(string(text), "\n")))
		return err
	}

	row := driftJSON{File: d.files.file(in), URN: r.URN, Type: r.Type, Name: r.Name, ID: r.ID}
	left := path.MaxListed
	for c := range found.Changes() {
		at := c.Shown()
		if left -= len(at.String()); left < 0 {
			return fmt.Errorf("%s: more places than JSON is written for; -o text shows them", r.URN)
		}
		one := driftChangeJSON{At: at.String(), Secret: c.Secret()}
		if one.Secret {
			if n := len(row.Changes); n == 0 || row.Changes[n-1].At != one.At {
				row.Changes = append(row.Changes, one)
			}
			continue
		}
		for _, side := range []struct {
			of func() (value.Value, bool)
			to *json.RawMessage
		}{{c.Old, &one.Input}, {c.New, &one.Output}} {
			v, isThere := side.of()
			if !isThere {
				continue
			}
			text, err := masked(v)
			if err != nil {
				return fmt.Errorf("%s: %w", r.URN, err)
			}
			*side.to = text
		}
		row.Changes = append(row.Changes, one)
	}
	return printable.WriteJSON(d.out, row)
}
