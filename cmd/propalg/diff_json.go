package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/steps"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// patchOf returns a diff as data, for the value that it is from.
func (f *diffFlags) patchOf(d diff.Diff, base value.Value) (json.RawMessage, error) {
	secrets := f.secrets
	if secrets == value.MaskSecrets {
		secrets = value.KeepSealed
	}

	text, err := patch.Marshal(d, patch.Options{Secrets: secrets, Base: patch.Fingerprint(base)})
	if errors.Is(err, codec.ErrNumber) {
		err = fmt.Errorf("%w: JSON has no number that rounds to an infinity; -o text shows it", err)
	}
	return text, err
}

func (inv *invocation) diffBagsJSON(before, after *input.Source, f *diffFlags) (int, error) {
	d, inDigits := f.compareBags(before, after, value.Strict)
	text, err := f.patchOf(d, before.Bag)
	if err != nil {
		return 0, err
	}
	if err := printable.WriteData(inv.out, text); err != nil {
		return 0, err
	}

	return exitIf(!d.Empty() || inDigits), nil
}

// changedJSON is a resource that was created, deleted or updated. Its parts are
// patches: of one that was created, from nothing.
type changedJSON struct {
	URN     string          `json:"urn"`
	Change  ops.Op          `json:"change"`
	Was     string          `json:"was,omitempty"`     // the URN that it had, if it was renamed
	Delete  bool            `json:"delete,omitempty"`  // it is pending deletion
	Replace bool            `json:"replace,omitempty"` // the update replaces it
	Reasons []string        `json:"reasons,omitempty"` // what the engine or the provider names as changed, or as the reason to replace it
	Note    string          `json:"note,omitempty"`    // what else there is to say
	State   json.RawMessage `json:"state,omitempty"`   // its metadata, if they changed
	Inputs  json.RawMessage `json:"inputs"`
	Outputs json.RawMessage `json:"outputs"`
}

type summaryJSON struct {
	Create int `json:"create"`
	Delete int `json:"delete"`
	Update int `json:"update"`
	Same   int `json:"same"`

	Replace    int `json:"replace,omitempty"` // updates that replace the resource
	Import     int `json:"import,omitempty"`
	Read       int `json:"read,omitempty"`
	Refresh    int `json:"refresh,omitempty"` // resources that are not as the state says, in an update
	Discard    int `json:"discard,omitempty"`
	Failed     int `json:"failed,omitempty"`
	Unfinished int `json:"unfinished,omitempty"`
	Other      int `json:"other,omitempty"`          // resources with operations that are not known
	Replaced   int `json:"deleteReplaced,omitempty"` // deletions that earlier updates left
	Sealed     int `json:"sealed,omitempty"`         // resources in which only secrets were encrypted again
	LeftOut    int `json:"leftOut,omitempty"`        // times and source positions that differ
	References int `json:"references,omitempty"`     // to renamed resources
	Filtered   int `json:"filtered,omitempty"`       // resources that differ and are not shown, and the deployment

	Engine map[steps.Op]int `json:"engine,omitempty"` // the engine's own counts
}

func (t *tally) summary() summaryJSON {
	n := t.counts
	return summaryJSON{
		Create: n[ops.Create], Delete: n[ops.Delete], Update: t.updated(), Same: n[ops.Same], Replace: n[ops.Replace],
		Import: n[ops.Import], Read: n[ops.Read], Refresh: n[ops.Refresh], Discard: n[ops.Discard],
		Failed: n[ops.Failed], Unfinished: n[ops.Unfinished], Other: t.other, Replaced: t.replaced,
		Sealed: t.sealed, LeftOut: t.leftOut, References: t.references, Filtered: t.out, Engine: t.engine,
	}
}

type stacksJSON struct {
	Resources  []changedJSON   `json:"resources"`
	Deployment json.RawMessage `json:"deployment,omitempty"` // its metadata, if they changed
	Summary    summaryJSON     `json:"summary"`
	Failure    *failure        `json:"failure,omitempty"`
}

func (inv *invocation) diffStacksJSON(s *stacks, f *diffFlags) (int, error) {
	doc, count, err := f.jsonOf(s)
	if err != nil {
		return 0, err
	}
	return count.exit(), printable.WriteJSON(inv.out, doc)
}

func (f *diffFlags) jsonOf(s *stacks) (*stacksJSON, *tally, error) {
	doc := &stacksJSON{Resources: []changedJSON{}}
	count, err := f.eachEntry(s, func(e *entry) (err error) {
		if e.of == nil {
			doc.Deployment, err = f.patchOf(e.sections[0].Diff, e.sections[0].Old)
			return err
		}

		row, err := f.changed(e)
		doc.Resources = append(doc.Resources, row)
		return err
	})
	if err != nil {
		return nil, nil, err
	}

	doc.Summary, doc.Failure = count.summary(), count.failure
	return doc, count, nil
}

func (f *diffFlags) changed(e *entry) (changedJSON, error) {
	row := changedJSON{URN: e.of.URN, Change: e.op, Delete: e.of.Delete, Note: e.note}
	if e.op == ops.Replace {
		row.Change, row.Replace = ops.Update, true
	}
	if e.Step != nil {
		row.Reasons = e.Step.Changed
		if row.Replace {
			row.Reasons = e.Step.Replaces
		}
	}
	if e.Renamed {
		row.Was = e.Old.URN
	}

	for _, s := range e.sections {
		text, err := f.patchOf(s.Diff, s.Old)
		if err != nil {
			return row, err
		}
		switch {
		case s.name == partInputs:
			row.Inputs = text
		case s.name == partOutputs:
			row.Outputs = text
		case !s.Diff.Empty():
			row.State = text
		}
	}

	return row, nil
}

type entryJSON struct {
	Kind      string `json:"kind"`
	InputDiff bool   `json:"inputDiff"`
}

type responseJSON struct {
	Changes         string               `json:"changes"`
	Diffs           []string             `json:"diffs"`
	Replaces        []string             `json:"replaces"`
	DetailedDiff    map[string]entryJSON `json:"detailedDiff"` // encoding/json sorts the keys
	HasDetailedDiff bool                 `json:"hasDetailedDiff"`
}

// diffDetailed writes the protocol's response as an engine expects it: arrays are
// compared by index, and null counts as missing.
func (inv *invocation) diffDetailed(before, after *input.Source, f *diffFlags) (int, error) {
	d, _ := f.compareBags(before, after, value.Engine)
	r := provider.Differ{ReplaceOn: f.replacing("")}.Respond(d)
	row := responseJSON{
		Changes: r.Changes.String(), Diffs: append([]string{}, r.Diffs...), Replaces: append([]string{}, r.Replaces...),
		DetailedDiff: map[string]entryJSON{}, HasDetailedDiff: r.HasDetailed,
	}
	for _, e := range r.Detailed {
		row.DetailedDiff[e.Key] = entryJSON{e.Kind.String(), e.InputDiff}
	}
	if err := printable.WriteJSON(inv.out, row); err != nil {
		return 0, err
	}
	return exitIf(r.Changes != rpc.DiffNone), nil
}
