package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/value"
)

// patchOf is a diff as data, for the value that it is from.
func (f *diffFlags) patchOf(d diff.Diff, base value.Value) (json.RawMessage, error) {
	secrets := patch.KeepSealed
	if f.secrets == render.RevealSecrets {
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

	Sealed  int `json:"sealed,omitempty"`  // no more is known of them than that their secrets were sealed anew
	LeftOut int `json:"leftOut,omitempty"` // times and source positions that differ
}

type stacksJSON struct {
	Resources  []changedJSON   `json:"resources"`
	Deployment json.RawMessage `json:"deployment,omitempty"` // what is said beyond the resources, if that changed
	Summary    summaryJSON     `json:"summary"`
}

// diffStacksJSON writes what changed in two stacks.
func (inv *invocation) diffStacksJSON(both *indexed, f *diffFlags) (int, error) {
	doc := stacksJSON{Resources: []changedJSON{}}
	around, err := f.compareDeployments(both.old, both.now)
	if err != nil {
		return 0, err
	}
	if around.news == isChanged {
		if doc.Deployment, err = f.patchOf(around.sections[0].diff, around.sections[0].old); err != nil {
			return 0, err
		}
		f.noteHidden("", around.sections)
	}
	same, err := f.pairs(both, func(old, now *state.Resource) error {
		row, found, err := f.resourceChange(old, now, &doc.Summary)
		if err == nil && found == isChanged {
			doc.Resources = append(doc.Resources, row)
		}
		doc.Summary.count(row.Change, found)
		return err
	})
	if err != nil {
		return 0, err
	}
	doc.Summary.Same += same
	if err := writeJSON(inv.out, doc); err != nil {
		return 0, err
	}
	if len(doc.Resources) == 0 && doc.Summary.Sealed == 0 && around.news == isSame {
		return exitSame, nil
	}
	return exitDifferent, nil
}

func (s *summaryJSON) count(change string, found news) {
	switch {
	case found == isSame:
		s.Same++
	case found == isSealed:
		s.Sealed++
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
func (f *diffFlags) resourceChange(old, now *state.Resource, count *summaryJSON) (row changedJSON, found news, err error) {
	row = changedJSON{Change: "update"}
	none := state.Resource{Inputs: value.Object(), Outputs: value.Object()}
	whole := false
	switch {
	case old == nil:
		row, old, whole = changedJSON{URN: now.URN, Change: "create", Waits: now.Delete}, &none, true
	case now == nil:
		row, now, whole = changedJSON{URN: old.URN, Change: "delete", Waits: old.Delete}, &none, true
	default:
		row.URN, row.Waits = now.URN, now.Delete
	}
	c := f.compareResources(old, now)
	said, inputs, outputs := c.sections[0], c.sections[1], c.sections[2]
	if whole {
		c.news, c.sections = isChanged, c.sections[1:]
	} else {
		count.LeftOut += c.leftOut
		f.forces(inputs.exact.Diff)
	}
	if c.news != isChanged {
		return row, c.news, nil
	}
	f.noteHidden(row.URN+": ", c.sections)
	if !whole && !said.diff.Empty() {
		if row.State, err = f.patchOf(said.diff, said.old); err != nil {
			return row, c.news, err
		}
	}
	if row.Inputs, err = f.patchOf(inputs.diff, inputs.old); err == nil {
		row.Outputs, err = f.patchOf(outputs.diff, outputs.old)
	}
	return row, c.news, err
}

// noteHidden notes the changes that patches cannot have.
func (f *diffFlags) noteHidden(of string, sections []section) {
	for _, s := range sections {
		name := s.name + ": "
		if s.name == "" {
			name = "deployment: "
		}
		for _, h := range s.exact.hidden {
			f.note("%s%s%v %s", of, name, h.at, h.note())
		}
	}
}

// bag is a bag of properties; none is as good as an empty one.
func bag(v value.Value) value.Value {
	if v.IsNull() {
		return value.Object()
	}
	return v
}
