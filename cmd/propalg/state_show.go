package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/value"
)

type shownJSON struct {
	resourceJSON
	Dependencies         []string            `json:"dependencies,omitempty"`
	PropertyDependencies map[string][]string `json:"propertyDependencies,omitempty"`
	InitErrors           int                 `json:"initErrors,omitempty"` // their number; the texts may hold secrets
	Options              json.RawMessage     `json:"options,omitempty"`    // the other metadata that are set
	Inputs               json.RawMessage     `json:"inputs"`
	Outputs              json.RawMessage     `json:"outputs"`
}

func runStateShow(inv *invocation) (int, error) {
	inv.output("text", "json")
	inv.colour()
	only := newChoice("all", partInputs, partOutputs)
	inv.flags.Lookup("o").Usage += "; JSON if there is --only and no -o"
	inv.flags.Var(only, "only", "`part` of the resource to show: all, or a property bag as data, for other commands to read: inputs or outputs")
	inv.flags.BoolVar(&inv.reveal, "show-secrets", false, "show secrets in clear")

	inv.file(inv.leading(1))
	if err := inv.parse(2, 2); err != nil {
		return 0, err
	}
	if err := inv.noneEmpty(); err != nil {
		return 0, err
	}
	in, err := input.OpenStack(inv.args[0], inv.in)
	if err != nil {
		return 0, err
	}
	defer in.Close()

	r, note, err := pick(in, inv.args[1])
	if err != nil {
		return 0, fmt.Errorf("%s: %w", in.Name, err)
	}
	if note != "" {
		inv.say("%s", note)
	}

	r.Outputs = r.SecretOutputs()
	isText := !inv.isJSON() && inv.isSet("o")
	switch {
	case only.value == partInputs && !isText:
		err = inv.writeBag(r.Inputs)
	case only.value == partOutputs && !isText:
		err = inv.writeBag(r.Outputs)
	case inv.isJSON():
		err = inv.showJSON(&r)
	default:
		err = inv.showText(&r, only.value)
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", in.Name, err)
	}
	if only.value != partOutputs {
		inv.noteRounded(in.Name+": "+r.URN+": inputs", &r.InputsReport)
	}
	if only.value != partInputs {
		inv.noteRounded(in.Name+": "+r.URN+": outputs", &r.OutputsReport, r.Outputs)
	}
	return exitSame, nil
}

func (inv *invocation) showJSON(r *state.Resource) error {
	row := shownJSON{
		resourceJSON: resourceRow(r), Dependencies: r.Dependencies,
		PropertyDependencies: r.PropertyDependencies, InitErrors: len(r.InitErrors),
	}
	for name, urns := range r.PropertyDependencies {
		if urns == nil {
			r.PropertyDependencies[name] = []string{}
		}
	}

	for _, part := range []struct {
		name string
		v    value.Value
		to   *json.RawMessage
	}{{"options", optionsOf(r), &row.Options}, {"inputs", r.Inputs, &row.Inputs}, {"outputs", r.Outputs, &row.Outputs}} {
		if part.name == "options" && part.v.Len() == 0 {
			continue
		}
		text, err := dataOf(part.v, inv.reveal)
		if err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		*part.to = text
	}

	return printable.WriteJSON(inv.out, row)
}

// optionsOf returns the metadata of a resource that are set, without those that have
// places of their own in the output.
func optionsOf(r *state.Resource) value.Value {
	unset := (&state.Resource{}).Metadata()
	elsewhere := []string{
		"type", "id", "parent", "provider", "custom", "delete", "external", "protect", "dependencies", "propertyDependencies", "initErrors",
		"taint", "pendingReplacement", "retainOnDelete",
	}

	var members []value.Member
	for key, v := range r.Metadata().Members() {
		other, ok := unset.Lookup(key)
		if !slices.Contains(elsewhere, key) && (!ok || !v.Equal(other)) {
			members = append(members, value.Member{Key: key, Value: v})
		}
	}
	return value.Object(members...)
}

// showText writes a resource, or one of its bags.
func (inv *invocation) showText(r *state.Resource, only string) error {
	var text []byte
	if only == "all" {
		text = appendAbout(text, r, inv.reveal)
	}

	o := render.Options{Indent: 1, ANSI: inv.ansi(), Width: cmp.Or(max(0, inv.columns-24), wholeWidth), MaxLines: wholeLines}
	if inv.reveal {
		o.Secrets = value.RevealSecrets
	}
	if only != partOutputs {
		text = appendBag(text, partInputs, r.Inputs, o)
	}
	if only != partInputs {
		text = appendBag(text, partOutputs, r.Outputs, o)
	}
	_, err := inv.out.Write(text)
	return err
}

// appendAbout appends what there is to say of a resource apart from its bags.
func appendAbout(text []byte, r *state.Resource, reveal bool) []byte {
	row := resourceRow(r)
	text = append(text, row.text()+"\n"...)
	for _, each := range []struct{ name, text string }{{"urn", r.URN}, {"parent", r.Parent}, {"provider", r.Provider}} {
		if each.text != "" {
			text = fmt.Appendf(text, "    %s: %s\n", each.name, printable.Text(each.text))
		}
	}

	for _, urn := range r.Dependencies {
		if urn = printable.Text(urn); urn == "" {
			urn = `""` // which engines refuse
		}
		text = fmt.Appendf(text, "    depends on: %s\n", urn)
	}

	for key, v := range optionsOf(r).Members() {
		if reveal {
			v = v.DropSecret()
		}
		text = fmt.Appendf(text, "    %s: %s\n", printable.Text(key), v)
	}
	if n := len(r.InitErrors); n > 0 {
		text = fmt.Appendf(text, "    %s while it was made\n", printable.Counted(n, "error"))
	}
	return text
}

// How much of a resource is shown if the width of the terminal is not known.
const (
	wholeWidth = 2_000
	wholeLines = 1_000_000
)

// appendBag appends a bag as the lines of a diff, without what marks differences.
func appendBag(text []byte, name string, bag value.Value, o render.Options) []byte {
	switch {
	case bag.IsNull():
		return text
	case bag.Len() == 0:
		return fmt.Appendf(text, "    %s: {}\n", name)
	}

	text = fmt.Appendf(text, "    %s:\n", name)
	for line := range render.Lines(diff.Between(value.Object(), bag, diff.Options{}), o) {
		line.Mark = render.MarkNone
		for i, s := range line.Spans {
			if s.Style == render.StyleNew {
				line.Spans[i].Style = render.StyleSame
			}
		}
		text = append(line.AppendText(text, o.ANSI), '\n')
	}
	return text
}
