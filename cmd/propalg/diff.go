package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/page"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// diffFlags are the flags of the diff command, and what it notes on the way.
type diffFlags struct {
	comparing
	filter
	labels    labels
	gitPath   string // of the file, if git runs the command
	promised  string // the file of what was
	each      bool   // the arguments are folders of stacks
	replaceOn scoped
	hide      scoped
	only      *choice // part of resources
	match     *choice // how resources are paired
	detailed  bool
	all       bool // compare times and source positions too
	sealed    bool // list resources in which only secrets were encrypted again
	secrets   value.Secrets
	layout    layout
	width     int // of values

	notes      []string // for standard error, unless there is an error
	unreadable []error  // of resources that are left out
}

// note keeps a message for the end. A command that fails writes one line only.
func (f *diffFlags) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// text returns the options for the text of a part.
func (f *diffFlags) text(part string, indent int) render.Options {
	return render.Options{
		Indent: indent, HideDiffs: f.hide.in(part).set, Secrets: f.secrets, Width: f.width, Documents: jsonDocument,
	}
}

// jsonDocument decodes a text that is a JSON object or array, such as a policy, so
// that its changes are shown as structure. A text with numbers that would be rounded
// is not decoded, since two of them could look the same.
func jsonDocument(text string) (format string, document value.Value, ok bool) {
	start := strings.TrimLeft(text, " \t\r\n")
	if start == "" || (start[0] != '{' && start[0] != '[') {
		return "", value.Value{}, false
	}
	v, err := codec.DecodeJSONValue([]byte(text), codec.Options{})
	return "json", v, err == nil
}

func (f *diffFlags) parse(inv *invocation) error {
	f.comparing.addTo(inv)
	f.filter.addTo(inv)
	inv.output("text", "json", "html", "markdown")
	inv.flags.Lookup("o").Usage += "; Markdown is for comments, and has at most 60,000 bytes"
	inv.colour()
	inv.flags.BoolVar(&f.detailed, "detailed", false, "print the provider protocol's Diff response of two bags as JSON")
	inv.flags.BoolVar(&f.all, "all", false, "compare the times and source positions of stacks, references to renamed resources, and internal names of properties such as __defaults, too")
	inv.flags.BoolVar(&f.sealed, "sealed", false, "list resources of stacks in which only secrets were encrypted again")
	inv.flags.BoolVar(&inv.reveal, "show-secrets", false, "show secrets in clear")
	width := inv.flags.Int("width", 0, "fit lines of text into this number of `columns` (default: those of the terminal)")
	inv.flags.Func("replace-on", "`pattern`, in Pulumi's dialect, of inputs whose change replaces the resource (repeatable)", f.replaceOn.Set)
	inv.flags.Func("hide", "`pattern`, in Pulumi's dialect, of properties whose values text, Markdown and HTML hide; they only say that these changed (repeatable)", f.hide.Set)
	f.only = newChoice("all", partInputs, partOutputs, partState)
	inv.flags.Var(f.only, "only", "`part` of the resources of stacks to compare: all, inputs, outputs or state")
	f.match = newChoice("urn", "stack")
	inv.flags.Var(f.match, "match", "`how` to pair the resources of stacks: by urn or, for those of two stacks, without its name: stack")
	inv.flags.Func("label", "`side=name` to show in HTML and Markdown instead of the name of the file: old=… or new=… (repeatable)", f.labels.Set)
	inv.flags.StringVar(&f.promised, "promised", "", "list where NEW is not what this `file` promised of OLD: the preview or plan of two stacks, or a bag of two bags")
	inv.flags.BoolVar(&f.each, "each", false, "compare each stack of a folder OLD with that of the same path in a folder NEW, or show each update of one folder, as one result with a row for each")
	inv.file(func() []string { return f.files(inv.args) })
	if err := inv.parse(1, gitRenamed); err != nil {
		return err
	}
	if f.each && len(inv.args) > 2 {
		return inv.wrongNumber()
	}

	if f.labels != (labels{}) && inv.form.value != "html" && inv.form.value != "markdown" {
		return usageError{"--label is for -o html and -o markdown"}
	}
	if err := f.fromGit(inv); err != nil {
		return err
	}
	if *width > 0 {
		inv.columns = *width
	}
	f.layout = inv.layout()
	f.internal = f.all || inv.isJSON() // whose patches lead to the whole of the new side

	switch inv.form.value {
	case "text":
		f.width = inv.valueWidth()
	case "html":
		f.width = page.Width
	}

	if inv.reveal {
		f.secrets = value.RevealSecrets
	}
	if *width < 0 {
		return usageError{"--width must not be negative"}
	}

	if f.detailed && f.arrays.value == autoArrays {
		f.arrays.value = "positional"
	}
	return f.check(inv)
}

func (f *diffFlags) check(inv *invocation) error {
	switch {
	case inv.isJSON() && len(f.hide.list) > 0:
		return usageError{"--hide is for text, Markdown and HTML; --ignore leaves properties out of JSON"}
	case f.detailed && inv.form.value != "text" && !inv.isJSON():
		return usageError{"--detailed is JSON"}
	case f.detailed && f.each:
		return usageError{"--detailed is for property bags; --each is for stacks"}
	case f.each && slices.Contains(inv.args, "-"):
		return usageError{"--each reads folders, and no standard input"}
	case f.detailed && !f.isPlain():
		return usageError{"--detailed compares arrays index by index"}
	}

	return inv.onceStdin()
}

func runDiff(inv *invocation) (int, error) {
	var f diffFlags
	if err := f.parse(inv); err != nil {
		return 0, err
	}
	switch {
	case f.promised != "":
		return inv.diffPromised(&f)
	case f.each:
		return inv.diffEach(&f)
	}
	code, err := inv.diffFiles(&f)
	if f.gitPath != "" {
		return inv.forGit(&f, err)
	}

	return code, err
}

func (inv *invocation) diffFiles(f *diffFlags) (int, error) {
	before, after, err := inv.openSides(inv.args)
	if err != nil {
		return 0, err
	}
	defer before.Close()
	defer after.Close()

	if f.gitPath != "" && inv.form.value == "text" {
		fmt.Fprintf(inv.out, "propalg diff %s\n", printable.Text(f.gitPath))
	}
	code, err := inv.diffSources(before, after, f)
	if err != nil {
		return 0, err
	}

	code = inv.sayNotes(f, before, after, code)
	inv.noteUnmatched(f)
	return code, nil
}

// sayNotes says what there is to say of a diff, and returns the exit code for that.
func (inv *invocation) sayNotes(f *diffFlags, before, after *input.Source, code int) int {
	f.notes = slices.Concat(roundedNotes(before.Name, &before.Report, after.Bag), roundedNotes(after.Name, &after.Report, before.Bag), f.notes)
	for _, each := range f.notes {
		inv.say("%s", each)
	}
	for _, each := range f.unreadable {
		inv.say("%w", each)
		code = exitBad
	}
	return code
}

// openSides opens the two sides of a diff. A preview, a plan or an event log on its own
// has both.
func (inv *invocation) openSides(names []string) (before, after *input.Source, err error) {
	before, err = input.Open(names[0], inv.in)
	switch {
	case err != nil:
		return nil, nil, err
	case len(names) == 1 && before.Steps == nil:
		before.Close()
		return nil, nil, usageError{"expected OLD NEW; only a preview, a plan or an event log has both sides"}
	case len(names) == 1:
		return before, before, nil
	}

	after, err = input.Open(names[1], inv.in)
	if err != nil {
		before.Close()
		return nil, nil, err
	}

	before.Nothing(after)
	after.Nothing(before)
	return before, after, nil
}

func (inv *invocation) diffSources(before, after *input.Source, f *diffFlags) (int, error) {
	switch {
	case before.IsBag() != after.IsBag():
		return 0, fmt.Errorf("%s: %s; %s: %s; only two of a kind are compared", before.Name, before.Shape(), after.Name, after.Shape())
	case !before.IsBag():
		return inv.diffStacks(before, after, f)
	}

	return inv.diffBags(before, after, f)
}

func (inv *invocation) diffStacks(old, now *input.Source, f *diffFlags) (int, error) {
	if f.detailed {
		return 0, usageError{"--detailed is for property bags; these are stacks"}
	}
	s, err := inv.compareStacks(old, now, f)
	if err != nil {
		return 0, err
	}

	switch inv.form.value {
	case "json":
		return inv.diffStacksJSON(s, f)
	case "html":
		return inv.diffStacksHTML(s, f)
	case "markdown":
		return inv.diffStacksMarkdown(s, f)
	}
	return inv.diffStacksText(s, f)
}

func (inv *invocation) diffBags(before, after *input.Source, f *diffFlags) (int, error) {
	for _, name := range []string{"resource", "op", "match", "only"} {
		if inv.isSet(name) && f.gitPath == "" { // git has one command for all its files
			return 0, usageError{"--" + name + " is for stacks; these are property bags"}
		}
	}

	switch {
	case f.detailed:
		return inv.diffDetailed(before, after, f)
	case inv.isJSON() && len(f.replaceOn.list) > 0:
		return 0, usageError{"the JSON of two bags does not say what --replace-on matches; that of --detailed does"}
	case inv.isJSON():
		return inv.diffBagsJSON(before, after, f)
	case inv.form.value == "html":
		return inv.diffBagsHTML(before, after, f)
	case inv.form.value == "markdown":
		return inv.diffBagsMarkdown(before, after, f)
	}
	return inv.diffBagsText(before, after, f)
}

// replacing returns the patterns whose changes replace a resource: nil for all parts but
// inputs, and property bags.
func (f *diffFlags) replacing(part string) *path.Set {
	if part == partOutputs || part == partState {
		return nil
	}
	return f.replaceOn.in(part).set
}

// compareBags returns the diff of two bags, and whether numbers in them differ in digits that
// doubles cannot hold.
func (f *diffFlags) compareBags(before, after *input.Source, r value.Relation) (d diff.Diff, inDigits bool) {
	d = f.between("", before.Bag, after.Bag, r)
	if f.hidden > 0 {
		f.note("%s of internal names left out (--all)", printable.Counted(f.hidden, "change"))
	}
	f.forces("", d)
	return d, f.noteDigits("", "", side{before.Bag, &before.Report}, side{after.Bag, &after.Report})
}

// forces reports whether a change of a part forces a replacement, and notes which
// patterns matched.
func (f *diffFlags) forces(part string, d diff.Diff) bool {
	of := f.replaceOn.in(part)
	// A pattern also matches below an element that was added, which replaces nothing.
	return of.matched(d) && (provider.Differ{ReplaceOn: of.set}).Respond(d).Replace()
}

// noteUnmatched reports the patterns that matched nothing, which often are misspelt.
func (inv *invocation) noteUnmatched(f *diffFlags) {
	for i, isFound := range f.named {
		if !isFound {
			inv.say("the pattern %s of --resource matches no resource", printable.Text(f.shown[i]))
		}
	}
	for _, each := range []struct {
		flag string
		of   *scoped
	}{{"ignore", &f.ignore}, {"hide", &f.hide}, {"replace-on", &f.replaceOn}, {"array", &f.rules.all}} {
		for _, p := range each.of.unmatched() {
			inv.say("the pattern %s of --%s matches no change", p, each.flag)
		}
	}
	for i, r := range f.rules.list {
		if why := f.rules.useless[i]; why != "" {
			inv.say("--array %s=%s: %s, so that those are aligned", r.Pattern, r.Match, why)
		}
	}
}
