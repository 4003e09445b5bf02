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
	"github.com/propalg/propalg/cmd/propalg/internal/whole"
	"github.com/propalg/propalg/codec/state"
)

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
	from, to := inv.args[1], inv.args[2]
	switch {
	case *isStack && *isProject:
		return 0, usageError{"--stack and --project cannot be combined"}
	case *isStack:
		e.OldStack, e.NewStack = from, to
	case *isProject:
		e.OldProject, e.NewProject = from, to
	default:
		e.Rename = map[string]string{from: to}
	}

	return inv.rewrite(e, *out, nil)
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
	return inv.rewrite(state.Edits{Delete: inv.args[1:], Protected: *protected, ClearPending: *pending, Depth: *depth}, *out, nil)
}

// rewrite edits the stack that the first argument names. settle, unless it is nil, makes the
// edits those of the file that is there, and returns notes.
func (inv *invocation) rewrite(e state.Edits, out string, settle func(*input.Source, *state.Edits) ([]string, error)) (int, error) {
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
	if info, err := os.Stat(out); err == nil && (!info.Mode().IsRegular() || whole.IsOpen(out)) {
		return 0, fmt.Errorf("%s: not a regular file", out)
	}

	inv.inputs = inv.leading(1)
	to, err := inv.create(out, true)
	if err != nil {
		return 0, err
	}
	defer to.Drop()

	places, notes, err := inv.rewriteTo(to, out, e, settle)
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
func (inv *invocation) rewriteTo(to io.Writer, out string, e state.Edits, settle func(*input.Source, *state.Edits) ([]string, error)) (places int, notes []string, err error) {
	in, err := input.Open(inv.args[0], inv.in)
	if err != nil {
		return 0, nil, err
	}
	defer in.Close()

	if in.Stack == nil {
		return 0, nil, fmt.Errorf("%s: neither stack export nor checkpoint", in.Name)
	}
	notes, err = resolve(in, &e)
	if err == nil && settle != nil {
		var more []string
		more, err = settle(in, &e)
		notes = append(notes, more...)
	}
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", in.Name, err)
	}

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
