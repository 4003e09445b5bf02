package main

import (
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// outFlag adds the flag for the file to write, under two names.
func outFlag(flags *flag.FlagSet) *string {
	out := flags.String("o", "", "write the `file`, and leave the one that is read; by default that is replaced; compressed by gzip if its name ends in .gz")
	flags.StringVar(out, "out", "", "the same as -o `file`")

	return out
}

func runStateMv(inv *invocation) (int, error) {
	out := outFlag(inv.flags)
	isStack := inv.flags.Bool("stack", false, "OLD and NEW are names of the stack")
	isProject := inv.flags.Bool("project", false, "OLD and NEW are names of the project")
	properties := inv.flags.Bool("properties", false, "rename URNs in inputs and outputs too, not only in references")

	if err := inv.parse(3, 3); err != nil {
		return 0, err
	}

	e := state.Edits{InProperties: *properties}

	switch from, to := inv.args[1], inv.args[2]; {
	case *isStack && *isProject:
		return 0, usageError{"--stack and --project cannot be combined"}
	case *isStack:
		e.OldStack, e.NewStack = from, to
	case *isProject:
		e.OldProject, e.NewProject = from, to
	default:
		e.Rename = map[string]string{from: to}
	}

	return inv.rewrite(e, *out)
}

func runStateRm(inv *invocation) (int, error) {
	out := outFlag(inv.flags)
	protected := inv.flags.Bool("protected", false, "remove protected resources too")
	pending := inv.flags.Bool("pending", false, "remove the pending operations")
	depth := inv.flags.Int("deeper", 0, "replace what is nested deeper in inputs and outputs than `n` messages of the protocol by null")

	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}

	if len(inv.args) == 1 && !*pending && *depth == 0 {
		return 0, usageError{"nothing to remove: no URN, --pending or --deeper"}
	}

	return inv.rewrite(state.Edits{Delete: inv.args[1:], Protected: *protected, ClearPending: *pending, Depth: *depth}, *out)
}

func runStateSet(inv *invocation) (int, error) {
	out := outFlag(inv.flags)
	bag := newChoice("auto", partInputs, partOutputs, "both")
	inv.flags.Var(bag, "in", "change the `bag`: inputs, outputs or both; auto is inputs or, for --secret without VALUE, each that has the property in clear")
	remove := inv.flags.Bool("remove", false, "remove the property")
	secret := inv.flags.Bool("secret", false, "mark the property, or VALUE, as secret; it is written as plaintext, which 'pulumi stack import' encrypts")

	if err := inv.parse(3, 4); err != nil {
		return 0, err
	}

	if err := inv.onceStdin(); err != nil {
		return 0, err
	}

	at, err := path.ParsePulumi(inv.args[2])
	if err != nil {
		return 0, err
	}

	p := state.PropertyEdit{Resource: inv.args[1], At: at, Remove: *remove, Secret: *secret}

	switch hasValue := len(inv.args) == 4; {
	case *remove && (*secret || hasValue):
		return 0, usageError{"--remove cannot be combined with --secret or VALUE"}
	case !*remove && !*secret && !hasValue:
		return 0, usageError{"expected VALUE, --secret or --remove"}
	case hasValue:
		if err := inv.setValue(&p); err != nil {
			return 0, err
		}
	}

	var e state.Edits

	for _, name := range bagNames() {
		if p.Bag = name; bag.value == name || bag.value == "both" {
			e.Properties = append(e.Properties, p)
		}
	}

	if bag.value == "auto" {
		p.Bag = ""
		e.Properties = append(e.Properties, p)
	}

	return inv.rewrite(e, *out)
}

// setValue reads the value to set.
func (inv *invocation) setValue(p *state.PropertyEdit) error {
	text := inv.args[3]
	if text == "-" {
		var err error
		if text, _, err = input.ReadAll(text, inv.in); err != nil {
			return err
		}
	}

	v, err := codec.DecodeJSON(text, codec.Options{Form: codec.FormState})
	if err != nil {
		return fmt.Errorf(`VALUE, which is JSON, such as '"text"': %w`, err)
	}

	if p.Value = v; p.Secret {
		p.Secret, p.Value = false, value.Secret(v)
	}

	return nil
}

func bagNames() []string { return []string{partInputs, partOutputs} }

// settleBags chooses the bags of an edit that names none. It returns a note for a bag that
// has in clear what the edit makes secret in the other.
func settleBags(in *input.Source, e *state.Edits) (notes []string) {
	if len(e.Properties) == 0 {
		return nil
	}

	p := e.Properties[0]

	var open map[string]bool
	if p.Secret || p.Value.IsSecret() {
		open = inClear(in, &p)
	}

	if p.Bag == "" {
		e.Properties = nil

		for _, name := range bagNames() {
			if p.Bag = name; p.Secret && open[name] {
				e.Properties = append(e.Properties, p)
			}
		}

		if len(e.Properties) == 0 {
			p.Bag = partInputs
			e.Properties = append(e.Properties, p)
		}
	}

	for _, each := range e.Properties {
		delete(open, each.Bag)
	}

	for _, name := range bagNames() {
		if open[name] {
			notes = append(notes, fmt.Sprintf("the %s still have %s in clear (--in both)", name, p.At))
		}
	}

	return notes
}

// inClear returns the bags of a resource that have a property which is not secret.
func inClear(in *input.Source, p *state.PropertyEdit) map[string]bool {
	open := map[string]bool{}

	for r, err := range resourcesOf(in) {
		if err != nil || (p.Resource != r.URN && p.Resource != r.URN+"::"+r.ID) {
			continue // of errors Rewrite says more
		}

		for i, bag := range []value.Value{r.Inputs, r.Outputs} {
			v, isThere := bag.At(p.At)
			if isThere && !v.IsSecret() {
				open[bagNames()[i]] = true
			}
		}
	}

	return open
}

// rewrite edits the stack that the first argument names.
func (inv *invocation) rewrite(e state.Edits, out string) (int, error) {
	if err := inv.noneEmpty(); err != nil {
		return 0, err
	}

	switch {
	case out == "" && (inv.isSet("o") || inv.isSet("out")):
		return 0, noName()
	case out == "":
		out = inv.args[0]
	}

	if out == "-" {
		return 0, usageError{"stacks are not written to standard output, since they hold secrets; name a file with -o"}
	}

	if info, err := os.Stat(out); err == nil && !info.Mode().IsRegular() {
		return 0, fmt.Errorf("%s: not a regular file", out)
	}

	inv.inputs = inv.leading(1)

	to, err := inv.create(out, true)
	if err != nil {
		return 0, err
	}
	defer to.Drop()

	places, notes, err := inv.rewriteTo(to, out, e)
	if err != nil {
		return 0, err
	}

	if err := to.Keep(); err != nil {
		return 0, fmt.Errorf("%s: %w", out, input.Reason(err))
	}

	if _, err := fmt.Fprintf(inv.out, "%s: %s changed\n", printable.Text(out), counted(places, "place")); err != nil {
		return 0, err
	}

	for _, each := range notes {
		inv.say("%s", each)
	}

	return exitSame, nil
}

// rewriteTo writes the edited stack, compressed if the file that is edited is, or the name
// of another one says so. It closes the file that it reads, which could not be replaced on
// Windows otherwise.
func (inv *invocation) rewriteTo(to io.Writer, out string, e state.Edits) (places int, notes []string, err error) {
	in, err := input.Open(inv.args[0], inv.in)
	if err != nil {
		return 0, nil, err
	}
	defer in.Close()

	if in.Stack == nil {
		return 0, nil, fmt.Errorf("%s: neither stack export nor checkpoint", in.Name)
	}

	if notes, err = resolve(in, &e); err != nil {
		return 0, nil, fmt.Errorf("%s: %w", in.Name, err)
	}

	notes = append(notes, settleBags(in, &e)...)

	isPacked := strings.HasSuffix(out, ".gz")
	if inv.isInput(out) {
		isPacked = in.IsPacked
	}

	end := func() error { return nil }

	if isPacked {
		packed := gzip.NewWriter(to)
		to, end = packed, packed.Close
	}

	places, err = state.Rewrite(io.NewSectionReader(in.Stack, 0, in.Size), to, e)
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", in.Name, refusal(in, &e, err))
	}

	return places, notes, end()
}
