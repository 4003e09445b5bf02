package main

import (
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/cmd/propalg/internal/whole"
	"github.com/propalg/propalg/codec/state"
)

func runStateMv(inv *invocation) (int, error) {
	how := inv.editing()
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

	code, err := inv.rewrite(e, how, nil)
	if info, failed := os.Stat(from); err != nil && failed == nil && info.Mode().IsRegular() {
		err = fmt.Errorf("%w; %s is a file, and 'propalg state move' moves resources between files", err, from)
	}
	return code, err
}

// rewrite edits the stack that the first argument names. settle, unless it is nil, makes the
// edits those of the file that is there, and returns notes.
func (inv *invocation) rewrite(e state.Edits, how *editing, settle func(*input.Source, *state.Edits) ([]string, error)) (int, error) {
	places, notes := 0, []string(nil)
	_, err := inv.edit(how, func(in *input.Source, write func(func(io.Writer) error) error) (bool, error) {
		var err error
		notes, err = resolve(in, &e)
		if err == nil && settle != nil {
			var more []string
			more, err = settle(in, &e)
			notes = append(notes, more...)
		}
		if err != nil {
			return false, err
		}
		return true, write(func(to io.Writer) (err error) {
			places, err = state.Rewrite(in.Reader(), to, e)
			return inv.refusal(in, &e, err)
		})
	})
	if err != nil {
		return 0, err
	}

	for _, each := range how.list {
		if _, err := fmt.Fprintln(inv.out, printable.Text(each)); err != nil {
			return 0, err
		}
	}
	what, verb := cmp.Or(how.what, printable.Counted(places, cmp.Or(how.counted, "place"))), cmp.Or(how.verb, "changed")
	if how.isDry {
		verb = "would be " + verb
	}
	if _, err := fmt.Fprintf(inv.out, "%s: %s %s\n", printable.Text(how.to(inv)), what, verb); err != nil {
		return 0, err
	}
	for _, each := range notes {
		inv.say("%s", each)
	}
	return exitSame, nil
}

// editing says where an edited stack goes.
type editing struct {
	out     string
	isDry   bool
	counted string   // what has changed; "": places
	what    string   // how much it is; "": edits are counted
	verb    string   // what was done; "": changed
	list    []string // lines on what is changed
}

// editing adds the flags of commands that edit a stack.
func (inv *invocation) editing() *editing {
	how := &editing{}
	inv.flags.Var((*outName)(&how.out), "out", "write the `file`, and leave the one that is read; by default that is replaced; compressed by gzip if its name ends in .gz")
	inv.flags.BoolVar(&how.isDry, "dry-run", false, "check everything, say what would change, and write nothing")
	return how
}

// to returns the name of the file to write.
func (how *editing) to(inv *invocation) string { return cmp.Or(how.out, inv.args[0]) }

// replaceable returns an error for a file that a stack is not written onto, since it is there
// and no stack.
func replaceable(out, from string) error {
	if info, err := os.Stat(out); err != nil || out == from || info.Size() == 0 {
		return nil //nolint:nilerr // there is none
	}
	in, err := input.OpenStack(out, nil)
	if err != nil {
		return fmt.Errorf("%w; --out does not replace what is no stack", err)
	}
	in.Close()
	return nil
}

// edit writes another version of the stack that the first argument names. change is given
// that, and a function with which it may write; only if it returns true the file is replaced.
func (inv *invocation) edit(how *editing, change func(in *input.Source, write func(func(io.Writer) error) error) (bool, error)) (isWritten bool, err error) {
	if err := inv.noneEmpty(); err != nil {
		return false, err
	}
	out := how.to(inv)
	if out == "-" && !how.isDry {
		return false, usageError{"stacks are not written to standard output, since they hold secrets; name a file with --out"}
	}
	inv.inputs = inv.leading(1)
	if how.isDry {
		return inv.change(io.Discard, out, change)
	}
	if err := isReplaced(out); err != nil {
		return false, err
	}
	if err := replaceable(out, inv.args[0]); err != nil {
		return false, err
	}
	to, err := inv.create(out, true)
	if err != nil {
		return false, err
	}
	defer to.Drop()

	isWritten, err = inv.change(to, out, change)
	if err != nil || !isWritten {
		return false, err
	}
	if err := inv.keep(to, out); err != nil {
		return false, err
	}
	return true, nil
}

// isReplaced returns an error for a file that is there and cannot be replaced.
func isReplaced(name string) error {
	if info, err := os.Stat(name); err == nil && (!info.Mode().IsRegular() || whole.IsOpen(name)) {
		return fmt.Errorf("%s: not a regular file", name)
	}
	return nil
}

// change calls a change of a stack, which is written compressed if the file that is edited
// is, or the name of another one says so. It closes the file that it reads, which could not
// be replaced on Windows otherwise.
func (inv *invocation) change(to io.Writer, out string, change func(in *input.Source, write func(func(io.Writer) error) error) (bool, error)) (bool, error) {
	in, err := inv.openStack(inv.args[0])
	if err != nil {
		return false, err
	}
	defer in.Close()

	isPacked := strings.HasSuffix(out, ".gz")
	if inv.isInput(out) {
		isPacked = in.IsPacked
	}
	isWritten, err := change(in, func(write func(io.Writer) error) error { return packed(to, isPacked, write) })
	if err != nil {
		return false, fmt.Errorf("%s: %w", in.Name, err)
	}
	return isWritten, nil
}

// openStack opens a stack to edit.
func (inv *invocation) openStack(name string) (*input.Source, error) {
	in, err := input.Open(name, inv.in)
	if err == nil && in.Stack == nil {
		in.Close()
		err = fmt.Errorf("%s: neither stack export nor checkpoint", in.Name)
	}
	return in, err
}

// packed writes a file, compressed by gzip or not.
func packed(to io.Writer, isPacked bool, write func(io.Writer) error) error {
	if !isPacked {
		return write(to)
	}
	zip := gzip.NewWriter(to)
	if err := write(zip); err != nil {
		return err
	}
	return zip.Close()
}
