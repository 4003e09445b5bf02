package main

import (
	"encoding/json"
	"fmt"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// runMerge makes the changes of two bags in the one that both come from.
func runMerge(inv *invocation) (int, error) {
	var rules arrayRules
	form := inv.output("text", "json")
	inv.flags.Lookup("o").Usage = "`form` of the report on standard error: text or json"
	arrays := newChoice("positional", "aligned", "set")
	inv.flags.Var(arrays, "arrays", "`how` the elements of arrays are matched: positional, aligned or set")
	inv.flags.Var(&rules, "array", "`pattern=how` the elements of some arrays are matched: aligned, set, positional, or by a key as in rules=keyed:name (repeatable)")
	reveal := inv.flags.Bool("show-secrets", false, "write secrets in clear, so that the result can be read again")
	if err := inv.parse(3, 3); err != nil {
		return 0, err
	}
	sides, err := inv.bags()
	if err != nil {
		return 0, err
	}
	o := diff.Options{ArrayRules: rules.list}
	o.Arrays, _ = matchOf(arrays.value) // one of the choices
	merged := diff.Merge(sides[0].Bag, sides[1].Bag, sides[2].Bag, o)
	if err := writeBag(inv.out, merged.Value, *reveal); err != nil {
		return 0, ofResult(err)
	}
	if form.value == "json" {
		err = inv.mergeReport(merged, sides, *reveal)
	} else {
		inv.noteMerge(merged, sides)
	}
	if err == nil && len(merged.Conflicts) > 0 {
		return exitDifferent, nil
	}
	return exitSame, err
}

// bags reads the arguments, all of them property bags.
func (inv *invocation) bags() ([]*input.File, error) {
	if err := inv.onceStdin(); err != nil {
		return nil, err
	}

	var all []*input.File

	for _, name := range inv.args {
		f, err := inv.bag(name)
		if err != nil {
			return nil, err
		}

		all = append(all, f)
	}

	return all, nil
}

// bag reads a file that has to be a property bag.
func (inv *invocation) bag(name string) (*input.File, error) {
	f, err := input.Load(name, inv.in)
	if err == nil && f.Stack != nil {
		err = fmt.Errorf("%s is %s; %s is for property bags, which 'propalg state show --only inputs' makes of its resources", f.Name, f.What(), inv.name)
	}

	return f, err
}

// others are the values of all sides but one.
func others(sides []*input.File, but int) (all []value.Value) {
	for i, side := range sides {
		if i != but {
			all = append(all, side.Bag)
		}
	}
	return all
}

func (inv *invocation) noteMerge(merged diff.Merged, sides []*input.File) {
	for i, side := range sides {
		for _, each := range roundedNotes(side.Name, &side.Report, others(sides, i)...) {
			inv.say("%s", each)
		}
	}
	left := path.MaxListed
	for i, c := range merged.Conflicts {
		if left <= 0 {
			inv.say("and %s", counted(len(merged.Conflicts)-i, "more conflict"))
			break
		}
		text := c.String()
		left -= len(text)
		inv.say("conflict: %s", text)
	}
	if n := len(merged.Conflicts); n > 0 {
		inv.say("%s; the result has there what %s has", counted(n, "conflict"), sides[0].Name)
	}
}

// conflictJSON is a conflict; of a place that holds a secret on any side no value
// is told, unless secrets are shown.
type conflictJSON struct {
	At     string          `json:"at"`
	Kind   string          `json:"kind"`
	Secret bool            `json:"secret,omitempty"`
	Base   json.RawMessage `json:"base,omitempty"` // none: nothing is there
	Left   json.RawMessage `json:"left,omitempty"`
	Right  json.RawMessage `json:"right,omitempty"`
}

type mergeJSON struct {
	Conflicts []conflictJSON `json:"conflicts"`
	More      int            `json:"more,omitempty"` // conflicts that are not listed
	Rounded   []roundedJSON  `json:"rounded,omitempty"`
}

// mergeReport is all that there is to say, as one document.
func (inv *invocation) mergeReport(merged diff.Merged, sides []*input.File, reveal bool) error {
	doc := mergeJSON{Conflicts: []conflictJSON{}}
	for i, side := range sides {
		doc.Rounded = append(doc.Rounded, roundedRows(side, others(sides, i)...)...)
	}
	left := path.MaxListed
	for i, c := range merged.Conflicts {
		if left <= 0 {
			doc.More = len(merged.Conflicts) - i
			break
		}
		row := conflictJSON{At: c.Shown().String(), Kind: c.Kind().String(), Secret: c.Secret()}
		if reveal {
			row.At = c.Path().String()
		}
		left -= len(row.At)
		for _, side := range []struct {
			of func() (value.Value, bool)
			to *json.RawMessage
		}{{c.Base, &row.Base}, {c.Left, &row.Left}, {c.Right, &row.Right}} {
			v, ok := side.of()
			if !ok || row.Secret && !reveal {
				continue
			}
			text, err := codec.EncodeJSON(v, codec.Options{Form: codec.FormSealed})
			if err != nil {
				return err
			}
			*side.to = text
		}
		doc.Conflicts = append(doc.Conflicts, row)
	}
	return inv.report(doc)
}

// roundedRows are the numbers of a file that a double could not hold. No path goes
// below what is secret in the values that its own is compared with.
func roundedRows(side *input.File, others ...value.Value) (rows []roundedJSON) {
	for _, each := range side.Report.Rounded {
		rows = append(rows, roundedJSON{File: side.Name, At: cutAt(each.At, others).String()})
	}
	if side.Report.More > 0 {
		rows = append(rows, roundedJSON{File: side.Name, More: side.Report.More})
	}
	return rows
}
