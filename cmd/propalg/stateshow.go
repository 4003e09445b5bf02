package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/value"
)

// shownJSON is a resource with its properties, as data.
type shownJSON struct {
	resourceJSON
	Dependencies         []string            `json:"dependencies,omitempty"`
	PropertyDependencies map[string][]string `json:"propertyDependencies,omitempty"`
	InitErrors           int                 `json:"initErrors,omitempty"` // so many; their texts may hold anything
	Options              json.RawMessage     `json:"options,omitempty"`    // what else is set
	Inputs               json.RawMessage     `json:"inputs"`
	Outputs              json.RawMessage     `json:"outputs"`
}

// runStateShow shows one resource.
func runStateShow(inv *invocation) (int, error) {
	form := inv.output("text", "json")
	colour := inv.colour()
	only := newChoice("all", "inputs", "outputs")
	inv.flags.Var(only, "only", "`what` of the resource: all, or a property bag as data, for other commands to read: inputs or outputs")
	reveal := inv.flags.Bool("show-secrets", false, "show secrets in clear")
	if err := inv.parse(2, 2); err != nil {
		return 0, err
	}
	in, err := input.LoadStack(inv.args[0], inv.in)
	if err != nil {
		return 0, err
	}
	r, err := pick(in, inv.args[1])
	if err != nil {
		return 0, fmt.Errorf("%s: %w", in.Name, err)
	}
	switch {
	case only.value == "inputs":
		err = writeBag(inv.out, orEmpty(r.Inputs), *reveal)
	case only.value == "outputs":
		err = writeBag(inv.out, orEmpty(r.Outputs), *reveal)
	case form.value == "json":
		err = inv.showJSON(&r, *reveal)
	default:
		err = inv.showText(&r, inv.ansi(colour), *reveal)
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", in.Name, err)
	}
	if only.value != "outputs" {
		inv.noteRounded(in.Name+": "+r.URN+": inputs", &r.InputsReport)
	}
	if only.value != "inputs" {
		inv.noteRounded(in.Name+": "+r.URN+": outputs", &r.OutputsReport)
	}
	return exitSame, nil
}

// orEmpty returns a property bag, an empty one for null.
func orEmpty(bag value.Value) value.Value {
	if bag.IsNull() {
		return value.Object()
	}

	return bag
}

// pick finds the resource that a text means: the one with this URN, or with this
// ID or name, or else the only one with the text in its URN. Of several with one
// URN that is the live one, but for the ID of one that waits for deletion.
func pick(in *input.File, text string) (state.Resource, error) {
	if r, found, err := in.Stack.Find(text); found || err != nil {
		return r, err
	}
	const exactly, inside = 0, 1
	var found [2][]string
	seen := map[string]bool{}
	var waiting []state.Resource // for deletion, with that ID
	for r, err := range in.Stack.Resources() {
		if err != nil {
			return r, err
		}
		row := resourceRow(&r)
		if r.Delete && text != "" && r.ID == text && row.Name != text && len(waiting) < 2 {
			waiting = append(waiting, r)
		}
		if seen[r.URN] {
			continue
		}
		switch {
		case text != "" && (row.Name == text || row.ID == text && !r.Delete):
			found[exactly], seen[r.URN] = append(found[exactly], r.URN), true
		case strings.Contains(r.URN, text):
			found[inside], seen[r.URN] = append(found[inside], r.URN), true
		}
	}
	if n := len(waiting); n > 0 && len(found[exactly]) == 0 && waiting[0].URN == waiting[n-1].URN {
		return waiting[0], nil
	}
	for _, r := range waiting {
		if !slices.Contains(found[exactly], r.URN) {
			found[exactly] = append(found[exactly], r.URN)
		}
	}
	for _, urns := range found {
		switch {
		case len(urns) == 1:
			r, _, err := in.Stack.Find(urns[0])
			return r, err
		case len(urns) > 1:
			return state.Resource{}, ambiguous(text, urns)
		}
	}
	return state.Resource{}, fmt.Errorf("no resource has %q in its URN; 'propalg state ls' lists them", clipped(text))
}

// ambiguous lists some of the resources that a text could mean.
func ambiguous(text string, urns []string) error {
	const most = 3
	list := strings.Join(urns[:min(len(urns), most)], ", ")
	if len(urns) > most {
		list += ", …"
	}
	return fmt.Errorf("%d resources have %q in name, ID or URN, say more of it: %s", len(urns), clipped(text), list)
}

// clipped is a text that fits into a message.
func clipped(text string) string {
	const most = 100
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func (inv *invocation) showJSON(r *state.Resource, reveal bool) error {
	row := shownJSON{
		resourceJSON: resourceRow(r), Dependencies: r.Dependencies,
		PropertyDependencies: r.PropertyDependencies, InitErrors: len(r.InitErrors),
	}
	for name, urns := range r.PropertyDependencies {
		if urns == nil {
			r.PropertyDependencies[name] = []string{}
		}
	}
	var err error
	if options := optionsOf(r); options.Len() > 0 {
		if row.Options, err = dataOf(options, reveal); err != nil {
			return fmt.Errorf("options: %w", err)
		}
	}
	if row.Inputs, err = dataOf(r.Inputs, reveal); err != nil {
		return fmt.Errorf("inputs: %w", err)
	}
	if row.Outputs, err = dataOf(r.Outputs, reveal); err != nil {
		return fmt.Errorf("outputs: %w", err)
	}
	return printable.WriteJSON(inv.out, row)
}

// optionsOf are the facts of a resource that are set, but for those that stand
// elsewhere in what is shown.
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

// dataOf is a value as data: secrets masked, unless they are to be revealed, and
// sealed ones as ciphertext.
func dataOf(v value.Value, reveal bool) ([]byte, error) {
	if reveal {
		return codec.EncodeJSON(v, codec.Options{Form: codec.FormSealed})
	}
	return masked(v)
}

func (inv *invocation) showText(r *state.Resource, colour render.Colour, reveal bool) error {
	row := resourceRow(r)
	text := append([]byte(resourceLine(&row)), '\n')
	for _, each := range []struct{ name, text string }{{"urn", r.URN}, {"parent", r.Parent}, {"provider", r.Provider}} {
		if each.text != "" {
			text = fmt.Appendf(text, "    %s: %s\n", each.name, printable.Text(each.text))
		}
	}
	for _, urn := range r.Dependencies {
		text = fmt.Appendf(text, "    depends on: %s\n", printable.Text(urn))
	}
	for key, v := range optionsOf(r).Members() {
		if reveal {
			v = v.DropSecret()
		}
		text = fmt.Appendf(text, "    %s: %s\n", printable.Text(key), v)
	}
	if n := len(r.InitErrors); n > 0 {
		text = fmt.Appendf(text, "    %s while it was made\n", counted(n, "error"))
	}
	o := render.Options{Indent: 1, Colour: colour, Width: cmp.Or(2*inv.valueWidth(), wholeWidth), MaxLines: wholeLines}
	if reveal {
		o.Secrets = render.RevealSecrets
	}
	for _, bag := range []struct {
		name  string
		value value.Value
	}{{"inputs", r.Inputs}, {"outputs", r.Outputs}} {
		switch {
		case bag.value.IsNull():
			continue
		case bag.value.Len() == 0:
			text = fmt.Appendf(text, "    %s: {}\n", bag.name)
			continue
		}
		text = fmt.Appendf(text, "    %s:\n", bag.name)
		for line := range render.Lines(diff.Between(value.Object(), bag.value, diff.Options{}), o) {
			line.Mark = render.MarkNone // nothing is compared
			for i, s := range line.Spans {
				if s.Style == render.StyleNew {
					line.Spans[i].Style = render.StyleSame
				}
			}
			text = append(line.AppendText(text, colour), '\n')
		}
	}
	_, err := inv.out.Write(text)
	return err
}

// How much of a resource is shown where no terminal is that says how wide it is.
const (
	wholeWidth = 2_000
	wholeLines = 1_000_000
)
