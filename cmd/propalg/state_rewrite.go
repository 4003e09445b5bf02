package main

import (
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
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

	return inv.rewrite(e, how, nil)
}

func runStateRm(inv *invocation) (int, error) {
	how := inv.editing()
	protected := inv.flags.Bool("protected", false, "remove protected resources too")
	pending := inv.flags.Bool("pending", false, "remove the pending operations")
	depth := inv.flags.Int("deeper", 0, "replace what is nested deeper in inputs and outputs than `n` messages of the protocol by null")

	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}
	if len(inv.args) == 1 && !*pending && *depth == 0 {
		return 0, usageError{"nothing to remove: no URN, --pending or --deeper"}
	}
	return inv.rewrite(state.Edits{Delete: inv.args[1:], Protected: *protected, ClearPending: *pending, Depth: *depth}, how, nil)
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
			places, err = state.Rewrite(io.NewSectionReader(in.Stack, 0, in.Size), to, e)
			if err != nil {
				return refusal(in, &e, err)
			}
			return nil
		})
	})
	if err != nil {
		return 0, err
	}

	would := ""
	if how.isDry {
		would = "would be "
	}
	if _, err := fmt.Fprintf(inv.out, "%s: %s %schanged\n", printable.Text(how.to(inv)), printable.Counted(places, cmp.Or(how.counted, "place")), would); err != nil {
		return 0, err
	}
	for _, each := range notes {
		inv.say("%s", each)
	}
	return exitSame, nil
}

// editing says where an edited stack goes.
type editing struct {
	out     *string
	isDry   bool
	counted string // what has changed; "": places
}

// editing adds the flags of commands that edit a stack.
func (inv *invocation) editing() *editing {
	how := &editing{out: outFlag(inv.flags)}
	inv.flags.BoolVar(&how.isDry, "dry-run", false, "check everything, say what would change, and write nothing")
	return how
}

// to returns the name of the file to write.
func (how *editing) to(inv *invocation) string { return cmp.Or(*how.out, inv.args[0]) }

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
	if info, err := os.Stat(out); err == nil && !how.isDry && (!info.Mode().IsRegular() || whole.IsOpen(out)) {
		return false, fmt.Errorf("%s: not a regular file", out)
	}

	inv.inputs = inv.leading(1)
	if how.isDry {
		return inv.change(io.Discard, out, change)
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

// change calls a change of a stack, which is written compressed if the file that is edited
// is, or the name of another one says so. It closes the file that it reads, which could not
// be replaced on Windows otherwise.
func (inv *invocation) change(to io.Writer, out string, change func(in *input.Source, write func(func(io.Writer) error) error) (bool, error)) (bool, error) {
	in, err := input.Open(inv.args[0], inv.in)
	if err != nil {
		return false, err
	}
	defer in.Close()

	if in.Stack == nil {
		return false, fmt.Errorf("%s: neither stack export nor checkpoint", in.Name)
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
	isWritten, err := change(in, func(write func(io.Writer) error) error {
		if err := write(to); err != nil {
			return err
		}
		return end()
	})
	if err != nil {
		return false, fmt.Errorf("%s: %w", in.Name, err)
	}
	return isWritten, nil
}

// refusal returns an error of Rewrite with what to do about it.
func refusal(in *input.Source, e *state.Edits, err error) error {
	at := (*state.Error)(nil)
	if len(e.Delete) == 0 || !errors.As(err, &at) || !errors.Is(err, state.ErrEdit) || at.Field == "" {
		return err
	}
	if at.Field == "protect" {
		return fmt.Errorf("%w; --protected removes it all the same", err)
	}
	if text := dependents(in, e.Delete); text != "" {
		return errors.New(text)
	}

	return err
}

// dependents says which resources refer to the first that cannot be deleted because of
// that; it is empty if none does.
func dependents(in *input.Source, names []string) string {
	deleted := numbersOf(in, names...)
	gone, stays := map[string]string{}, map[string]bool{} // references to what is deleted, and its name
	for r, err := range resourcesOf(in) {
		if err != nil {
			return ""
		}
		if name := deleted[r.Number]; name != "" {
			gone[r.URN], gone[r.URN+"::"+r.ID] = name, name
		} else {
			stays[r.URN] = true
		}
	}

	referring := map[string][]string{} // by the name of what is deleted
	for r, err := range resourcesOf(in) {
		if err != nil {
			return ""
		}
		if deleted[r.Number] != "" {
			continue
		}
		for name, fields := range references(&r, func(ref string) string {
			if stays[ref] {
				return ""
			}
			return gone[ref]
		}) {
			referring[name] = append(referring[name], printable.Text(r.URN)+" ("+strings.Join(fields, ", ")+")")
		}
	}

	const most = 10
	for _, name := range names {
		list := referring[name]
		if len(list) == 0 {
			continue
		}
		more := ""
		if n := len(list) - most; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		verb := "refer"
		if len(list) == 1 {
			verb = "refers"
		}
		return fmt.Sprintf("cannot remove %s: %s %s to it: %s%s; remove those too",
			printable.Text(name), printable.Counted(len(list), "resource"), verb, strings.Join(list[:min(len(list), most)], ", "), more)
	}

	return ""
}

// references returns the members with which a resource refers to deleted ones, by their
// names. deleted returns the name of what a reference is to.
func references(r *state.Resource, deleted func(string) string) map[string][]string {
	found := map[string][]string{}
	add := func(field string, refs ...string) {
		for _, ref := range refs {
			if name := deleted(ref); name != "" && !slices.Contains(found[name], field) {
				found[name] = append(found[name], field)
			}
		}
	}
	add("parent", r.Parent)
	add("provider", r.Provider)
	add("dependencies", r.Dependencies...)

	for _, refs := range r.PropertyDependencies {
		add("propertyDependencies", refs...)
	}
	add("deletedWith", r.DeletedWith)
	add("replaceWith", r.ReplaceWith...)
	return found
}
