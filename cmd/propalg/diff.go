package main

import (
	"fmt"
	"slices"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// diffFlags are what the diff command was told.
type diffFlags struct {
	comparing
	replaceOn *path.Set
	hits      []bool // which patterns of replaceOn matched something
	detailed  bool
	secrets   diff.Secrets
	colour    diff.Colour
	width     int      // of values
	notes     []string // for standard error, when nothing went wrong
}

// note keeps a message for when all went well: of what went wrong there is one line.
func (f *diffFlags) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// text are the options for a part of the output.
func (f *diffFlags) text(indent int) diff.TextOptions {
	return diff.TextOptions{Indent: indent, Secrets: f.secrets, Colour: f.colour, Width: f.width, Documents: jsonDocument}
}

func runDiff(inv *invocation) (int, error) {
	var replaceOn patterns
	var f diffFlags
	f.flags(inv)
	form := inv.output("text", "json")
	colour := inv.colour()
	detailed := inv.flags.Bool("detailed", false, "print the provider protocol's Diff response of two bags as JSON")
	reveal := inv.flags.Bool("show-secrets", false, "show secrets in clear")
	inv.flags.Var(&replaceOn, "replace-on", "`pattern`, in Pulumi's dialect, of inputs whose change replaces the resource (repeatable)")
	if err := inv.parse(2, 2); err != nil {
		return 0, err
	}
	f.replaceOn, f.detailed = replaceOn.set(), *detailed
	f.hits = make([]bool, f.replaceOn.Len())
	if colour.value == "always" || colour.value == "auto" && inv.terminal {
		f.colour = diff.ANSI
	}
	f.width = inv.valueWidth()
	if *reveal {
		f.secrets = diff.RevealSecrets
	}
	if inv.args[0] == "-" && inv.args[1] == "-" {
		return 0, usageError{"only one of the two can be standard input"}
	}
	before, err := inv.load(inv.args[0])
	if err != nil {
		return 0, err
	}
	after, err := inv.load(inv.args[1])
	if err != nil {
		return 0, err
	}
	if (before.stack == nil) != (after.stack == nil) {
		return 0, fmt.Errorf("%s is %s, %s is %s", before.name, before.what(), after.name, after.what())
	}
	var code int
	switch {
	case before.stack != nil && f.detailed:
		return 0, usageError{"--detailed is for property bags; these are stacks"}
	case f.detailed && !f.isPlain():
		return 0, usageError{"--detailed compares arrays index by index"}
	case before.stack != nil && form.value == "json":
		code, err = inv.diffStacksJSON(before, after, &f)
	case before.stack != nil:
		code, err = inv.diffStacks(before, after, &f)
	case f.detailed:
		code, err = inv.diffDetailed(before, after, &f)
	case form.value == "json":
		code, err = inv.diffBagsJSON(before, after, &f)
	default:
		code, err = inv.diffBags(before, after, &f)
	}
	if err != nil {
		return 0, err // of which there is one line
	}
	f.notes = slices.Concat(roundedNotes(before.name, &before.report, after.bag), roundedNotes(after.name, &after.report, before.bag), f.notes)
	for _, each := range f.notes {
		inv.say("%s", each)
	}
	inv.noteUnmatched(&f)
	return code, nil
}

// forces reports whether a change forces a replacement, and notes which patterns
// matched.
func (f *diffFlags) forces(d diff.Diff) bool {
	if len(f.hits) == 0 {
		return false
	}
	found := false
	for c := range d.Changes() {
		for _, i := range c.Which(f.replaceOn) {
			f.hits[i], found = true, true
		}
	}
	return found
}

func (inv *invocation) diffBags(before, after *input, f *diffFlags) (int, error) {
	d := f.between(before.bag, after.bag, value.Strict)
	exact := f.exact(d, before.bag, after.bag, &before.report, &after.report)
	f.forces(exact.Diff)
	o := f.text(0)
	o.ReplaceOn = f.replaceOn
	text := exact.appendText(diff.AppendText(nil, d, o), o)
	if _, err := inv.out.Write(text); err != nil {
		return 0, err
	}
	if d.Empty() && len(exact.hidden) == 0 {
		return exitSame, nil
	}
	return exitDifferent, nil
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

// diffDetailed writes the protocol's response, as an engine would have it:
// positional arrays, a null as good as missing.
func (inv *invocation) diffDetailed(before, after *input, f *diffFlags) (int, error) {
	d := f.between(before.bag, after.bag, value.Engine)
	d = f.exact(d, before.bag, after.bag, &before.report, &after.report).Diff
	f.forces(d)
	r := d.Response(diff.ResponseOptions{ReplaceOn: f.replaceOn})
	row := responseJSON{
		Changes: r.Changes.String(), Diffs: append([]string{}, r.Diffs...), Replaces: append([]string{}, r.Replaces...),
		DetailedDiff: map[string]entryJSON{}, HasDetailedDiff: r.HasDetailed,
	}
	for _, e := range r.Detailed {
		row.DetailedDiff[e.Key] = entryJSON{e.Kind.String(), e.InputDiff}
	}
	if err := writeJSON(inv.out, row); err != nil {
		return 0, err
	}
	if row.Changes == diff.None.String() {
		return exitSame, nil
	}
	return exitDifferent, nil
}
