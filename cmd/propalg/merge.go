package main

import (
	"encoding/json"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func runMerge(inv *invocation) (int, error) {
	var arrays arrayFlags
	inv.reportForm()
	arrays.addTo(inv, "positional", "aligned", "set")
	inv.fileInPlace(3)
	if err := inv.parse(3, 3); err != nil {
		return 0, err
	}
	sides, err := inv.bags()
	if err != nil {
		return 0, err
	}

	merged := diff.Merge(sides[0].Bag, sides[1].Bag, sides[2].Bag, arrays.options("", value.Strict))
	masked, err := inv.writeResult(merged.Value)
	if err != nil {
		return 0, err
	}

	if inv.isJSON() {
		err = inv.mergeReport(merged, sides, masked)
	} else {
		inv.noteRoundedSides(sides)
		inv.noteConflicts(merged.Conflicts, sides[0].Name)
		inv.noteMasked(masked)
	}
	return exitIf(len(merged.Conflicts) > 0), err
}

// noteConflicts lists conflicts, at which the result has what base has.
func (inv *invocation) noteConflicts(conflicts []diff.Conflict, base string) {
	left := path.MaxListed
	for i, c := range conflicts {
		if left <= 0 {
			inv.say("and %s", printable.Counted(len(conflicts)-i, "more conflict"))
			break
		}

		text := c.String()
		left -= len(text)
		inv.say("conflict: %s", text)
	}
	if n := len(conflicts); n > 0 {
		inv.say("%s; the result has there what %s has", printable.Counted(n, "conflict"), base)
	}
}

// conflictJSON is a conflict. Where any side is or contains a secret, the values are
// left out, unless secrets are shown.
type conflictJSON struct {
	At     string          `json:"at"`
	Kind   string          `json:"kind"`
	Secret bool            `json:"secret,omitempty"`
	Base   json.RawMessage `json:"base,omitempty"` // left out: the side has no value there
	Left   json.RawMessage `json:"left,omitempty"`
	Right  json.RawMessage `json:"right,omitempty"`
}

type mergeJSON struct {
	Conflicts []conflictJSON `json:"conflicts"`
	More      int            `json:"more,omitempty"` // conflicts that are not listed
	Rounded   []roundedJSON  `json:"rounded,omitempty"`
	Masked    int            `json:"masked,omitempty"` // secrets in the result
}

func (inv *invocation) mergeReport(merged diff.Merged, sides []*input.File, masked int) error {
	doc := mergeJSON{Conflicts: []conflictJSON{}, Rounded: roundedRows(sides), Masked: masked}
	left := path.MaxListed
	for i, c := range merged.Conflicts {
		if left <= 0 {
			doc.More = len(merged.Conflicts) - i
			break
		}

		row, err := conflictRow(c, inv.reveal)
		if err != nil {
			return err
		}
		left -= len(row.At)
		doc.Conflicts = append(doc.Conflicts, row)
	}
	return inv.report(doc)
}

func conflictRow(c diff.Conflict, reveal bool) (row conflictJSON, err error) {
	row = conflictJSON{At: c.Shown().String(), Kind: c.Kind().String(), Secret: c.Secret()}
	if reveal {
		row.At = c.Path().String()
	}
	if row.Secret && !reveal {
		return row, nil
	}

	for _, side := range []struct {
		of func() (value.Value, bool)
		to *json.RawMessage
	}{{c.Base, &row.Base}, {c.Left, &row.Left}, {c.Right, &row.Right}} {
		v, ok := side.of()
		if !ok {
			continue
		}
		if *side.to, err = codec.AppendJSONValue(nil, v, codec.Options{Form: codec.FormSealed}); err != nil {
			return row, err
		}
	}

	return row, nil
}
