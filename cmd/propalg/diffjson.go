package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// patchOf is a diff as data, for the value that it is from.
func (f *diffFlags) patchOf(d diff.Diff, base value.Value) (json.RawMessage, error) {
	secrets := patch.KeepSealed
	if f.secrets == diff.RevealSecrets {
		secrets = patch.RevealSecrets
	}
	text, err := patch.Marshal(d, patch.Options{Secrets: secrets, Base: patch.Fingerprint(base)})
	if errors.Is(err, codec.ErrNumber) {
		err = fmt.Errorf("%w: a number that rounds to an infinity stands in no JSON; -o text shows it", err)
	}
	return text, err
}

// diffBagsJSON writes the diff of two bags as a patch, which apply reads.
func (inv *invocation) diffBagsJSON(before, after *source, f *diffFlags) (int, error) {
	d := f.between(before.bag, after.bag, value.Strict)
	exact := f.exact(d, before.bag, after.bag, &before.report, &after.report)
	f.forces(exact.Diff)
	text, err := f.patchOf(d, before.bag)
	if err != nil {
		return 0, err
	}
	if err := writeData(inv.out, text); err != nil {
		return 0, err
	}
	for _, h := range exact.hidden {
		f.note("%v %s", h.at, h.note())
	}
	if d.Empty() && len(exact.hidden) == 0 {
		return exitSame, nil
	}
	return exitDifferent, nil
}

// changedJSON is a resource that was created, deleted or updated. Its parts are
// patches: of one that was created, from nothing.
type changedJSON struct {
	URN     string          `json:"urn"`
	Change  string          `json:"change"`
	Waits   bool            `json:"delete,omitempty"` // it waits for deletion
	State   json.RawMessage `json:"state,omitempty"`  // what a state says beside the properties, if that changed
	Inputs  json.RawMessage `json:"inputs"`
	Outputs json.RawMessage `json:"outputs"`
}

type summaryJSON struct {
	Create int `json:"create"`
	Delete int `json:"delete"`
	Update int `json:"update"`
	Same   int `json:"same"`
}

type stacksJSON struct {
	Resources []changedJSON `json:"resources"`
	Summary   summaryJSON   `json:"summary"`
}

// diffStacksJSON writes what changed in the resources of two stacks.
func (inv *invocation) diffStacksJSON(both *indexed, f *diffFlags) (int, error) {
	doc := stacksJSON{Resources: []changedJSON{}}
	same, err := f.pairs(both, func(old, now *state.Resource) error {
		row, changed, err := f.resourceChange(old, now)
		if err == nil && changed {
			doc.Resources = append(doc.Resources, row)
		}
		doc.Summary.count(row.Change, changed)
		return err
	})
	if err != nil {
		return 0, err
	}
	doc.Summary.Same += same
	if err := writeJSON(inv.out, doc); err != nil {
		return 0, err
	}
	if len(doc.Resources) == 0 {
		return exitSame, nil
	}
	return exitDifferent, nil
}

func (s *summaryJSON) count(change string, changed bool) {
	switch {
	case !changed:
		s.Same++
	case change == "create":
		s.Create++
	case change == "delete":
		s.Delete++
	default:
		s.Update++
	}
}

// resourceChange is what changed in one resource; one side is nil of what was
// created or deleted.
func (f *diffFlags) resourceChange(old, now *state.Resource) (row changedJSON, changed bool, err error) {
	row = changedJSON{Change: "update"}
	none := state.Resource{Inputs: value.Object(), Outputs: value.Object()}
	switch {
	case old == nil:
		row, old, changed = changedJSON{URN: now.URN, Change: "create", Waits: now.Delete}, &none, true
	case now == nil:
		row, now, changed = changedJSON{URN: old.URN, Change: "delete", Waits: old.Delete}, &none, true
	default:
		row.URN, row.Waits = now.URN, now.Delete
		said := diff.Between(facts(old), facts(now), diff.Options{})
		if changed = !said.Empty(); changed {
			if row.State, err = f.patchOf(said, facts(old)); err != nil {
				return row, changed, err
			}
		}
	}
	inputs := f.between(bag(old.Inputs), bag(now.Inputs), value.Strict)
	outputs := f.between(bag(old.Outputs), bag(now.Outputs), value.Strict)
	exact := [2]exactly{
		f.exact(inputs, bag(old.Inputs), bag(now.Inputs), &old.InputsReport, &now.InputsReport),
		f.exact(outputs, bag(old.Outputs), bag(now.Outputs), &old.OutputsReport, &now.OutputsReport),
	}
	if row.Change == "update" {
		f.forces(exact[0].Diff)
	}
	for i, name := range [2]string{"inputs", "outputs"} {
		for _, h := range exact[i].hidden {
			f.note("%s: %s: %v %s", row.URN, name, h.at, h.note())
			changed = true
		}
	}
	if changed = changed || !inputs.Empty() || !outputs.Empty(); !changed {
		return row, false, nil
	}
	if row.Inputs, err = f.patchOf(inputs, bag(old.Inputs)); err == nil {
		row.Outputs, err = f.patchOf(outputs, bag(old.Outputs))
	}
	return row, changed, err
}

// bag is a bag of properties; none is as good as an empty one.
func bag(v value.Value) value.Value {
	if v.IsNull() {
		return value.Object()
	}
	return v
}
