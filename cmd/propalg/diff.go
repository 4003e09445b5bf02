package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// diffFlags are what the diff command was told.
type diffFlags struct {
	comparing
	replaceOn *path.Set
	hide      *path.Set
	hits      []bool // which patterns of replaceOn matched something
	form      string // of the output
	detailed  bool
	all       bool // compare times and source positions too
	sealed    bool // list what may have changed only since secrets were sealed anew
	secrets   render.Secrets
	colour    render.Colour
	width     int      // of values
	notes     []string // for standard error, when nothing went wrong
}

// note keeps a message for when all went well: of what went wrong there is one line.
func (f *diffFlags) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// text are the options for a part of the output.
func (f *diffFlags) text(indent int) render.Options {
	return render.Options{
		Indent: indent, HideDiffs: f.hide, Secrets: f.secrets, Colour: f.colour, Width: f.width, Documents: jsonDocument,
	}
}

// parse defines the flags of the command and parses its arguments.
func (f *diffFlags) parse(inv *invocation) error {
	var replaceOn, hide patterns
	f.flags(inv)
	form := inv.output("text", "json", "html")
	colour := inv.colour()
	inv.flags.BoolVar(&f.detailed, "detailed", false, "print the provider protocol's Diff response of two bags as JSON")
	inv.flags.BoolVar(&f.all, "all", false, "compare what stacks say of times and source positions too")
	inv.flags.BoolVar(&f.sealed, "sealed", false, "list resources of stacks too of which no more is known than that their secrets were sealed anew")
	reveal := inv.flags.Bool("show-secrets", false, "show secrets in clear")
	width := inv.flags.Int("width", 0, "`columns` that lines of text are to fit into (default: those of the terminal, if COLUMNS says so)")
	inv.flags.Var(&replaceOn, "replace-on", "`pattern`, in Pulumi's dialect, of inputs whose change replaces the resource (repeatable)")
	inv.flags.Var(&hide, "hide", "`pattern`, in Pulumi's dialect, of properties of which text and HTML say that they changed, but not how (repeatable)")
	if err := inv.parse(2, 2); err != nil {
		return err
	}
	f.replaceOn, f.hide, f.form = replaceOn.set(), hide.set(), form.value
	f.hits = make([]bool, f.replaceOn.Len())
	if f.form == "text" && (colour.value == "always" || colour.value == "auto" && inv.terminal) {
		f.colour = render.ANSI
	}
	if *width > 0 {
		inv.columns = *width
	}
	if f.width = inv.valueWidth(); f.form == "html" {
		f.width = pageWidth
	}
	if *reveal {
		f.secrets = render.RevealSecrets
	}
	switch {
	case *width < 0:
		return usageError{"--width wants a number of columns"}
	case f.form == "json" && f.hide.Len() > 0:
		return usageError{"--hide is for what people read; --ignore leaves properties out of JSON"}
	case f.detailed && f.form == "html":
		return usageError{"--detailed is JSON"}
	case f.detailed && !f.isPlain():
		return usageError{"--detailed compares arrays index by index"}
	case inv.args[0] == "-" && inv.args[1] == "-":
		return usageError{"only one of the two can be standard input"}
	}
	return nil
}

func runDiff(inv *invocation) (int, error) {
	var f diffFlags
	if err := f.parse(inv); err != nil {
		return 0, err
	}
	before, err := inv.openSource(inv.args[0])
	if err != nil {
		return 0, err
	}
	defer before.close()
	after, err := inv.openSource(inv.args[1])
	if err != nil {
		return 0, err
	}
	defer after.close()
	var code int
	switch {
	case (before.stack == nil) != (after.stack == nil):
		err = unlike(before, after)
	case before.stack != nil:
		code, err = inv.diffTwoStacks(before.stack, after.stack, &f)
	default:
		code, err = inv.diffTwoBags(before, after, &f)
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

// unlike is the error for a bag and a stack.
func unlike(before, after *source) error {
	var texts [2]string
	for i, s := range [2]*source{before, after} {
		texts[i] = s.name + " is a property bag"
		if s.stack == nil {
			continue
		}
		if err := s.stack.index(namesOnly); err != nil {
			return err
		}
		texts[i] = s.name + " is a " + s.stack.shape.String()
	}
	return errors.New(texts[0] + ", " + texts[1])
}

func (inv *invocation) diffTwoStacks(old, now *stack, f *diffFlags) (int, error) {
	if f.detailed {
		return 0, usageError{"--detailed is for property bags; these are stacks"}
	}
	both, err := inv.indexBoth(old, now)
	if err != nil {
		return 0, err
	}
	switch f.form {
	case "json":
		return inv.diffStacksJSON(both, f)
	case "html":
		return inv.diffStacksPage(both, f)
	}
	return inv.diffStacks(both, f)
}

func (inv *invocation) diffTwoBags(before, after *source, f *diffFlags) (int, error) {
	switch {
	case f.detailed:
		return inv.diffDetailed(before, after, f)
	case f.form == "json":
		return inv.diffBagsJSON(before, after, f)
	case f.form == "html":
		return inv.diffBagsPage(before, after, f)
	}
	return inv.diffBags(before, after, f)
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
	// A pattern also matches inside what was added to a list, which replaces nothing.
	return found && provider.Respond(d, provider.Options{ReplaceOn: f.replaceOn}).Replace()
}

func (inv *invocation) diffBags(before, after *source, f *diffFlags) (int, error) {
	p := f.tellBags(before, after)
	var text []byte
	for _, l := range p.lines {
		text = append(l.AppendText(text, f.colour), '\n')
	}
	if _, err := inv.out.Write(text); err != nil {
		return 0, err
	}
	if len(text) == 0 {
		return exitSame, nil
	}
	return exitDifferent, nil
}

// tellBags finds what there is to tell of two bags.
func (f *diffFlags) tellBags(before, after *source) part {
	d := f.between(before.bag, after.bag, value.Strict)
	exact := f.exact(d, before.bag, after.bag, &before.report, &after.report)
	f.forces(exact.Diff)
	o := f.text(0)
	o.ReplaceOn = f.replaceOn
	return part{lines: append(slices.Collect(render.Lines(d, o)), exact.lines(o)...), changes: d.Len() + len(exact.hidden)}
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
func (inv *invocation) diffDetailed(before, after *source, f *diffFlags) (int, error) {
	d := f.between(before.bag, after.bag, value.Engine)
	d = f.exact(d, before.bag, after.bag, &before.report, &after.report).Diff
	f.forces(d)
	r := provider.Respond(d, provider.Options{ReplaceOn: f.replaceOn})
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
	if row.Changes == provider.None.String() {
		return exitSame, nil
	}
	return exitDifferent, nil
}
