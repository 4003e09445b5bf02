package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// applying is how a document is applied.
type applying struct {
	anyBase, merge, rebase bool
	base                   string // the file with the bag that the document is for
	arrays                 arrayFlags
}

func runApply(inv *invocation) (int, error) {
	var a applying
	inv.flags.BoolVar(&a.anyBase, "any-base", false, "apply the diff to any bag that it fits, not only to the one that it was made from")
	inv.flags.BoolVar(&a.merge, "merge", false, "read a JSON Merge Patch (RFC 7396), which looks like any object")
	inv.flags.BoolVar(&a.rebase, "rebase", false, "merge the changes of the diff into a bag that has changed meanwhile, and list conflicts")
	inv.flags.StringVar(&a.base, "base", "", "the `file` with the bag that the diff was made from; implies --rebase")
	a.arrays.addTo(inv, "aligned", "positional", "set")
	inv.fileInPlace(2)
	bags := inv.inputs
	inv.inputs = func() []string { return append(bags(), a.base) }
	if err := inv.parse(2, 2); err != nil {
		return 0, err
	}
	if err := inv.onceStdin(); err != nil {
		return 0, err
	}
	old, err := inv.bag(inv.args[0])
	if err != nil {
		return 0, err
	}

	base := &input.File{Name: "the old bag of the diff"}
	if a.base != "" {
		if base, err = inv.bag(a.base); err != nil {
			return 0, err
		}
	}
	text, name, err := input.ReadAll(inv.args[1], inv.in)
	if err != nil {
		return 0, err
	}

	isRequest := a.merge || isJSONPatch(text)
	hasArrays := false
	inv.flags.Visit(func(f *flag.Flag) { hasArrays = hasArrays || strings.HasPrefix(f.Name, "array") })
	switch {
	case !a.rebase && a.base == "" && hasArrays:
		return 0, usageError{"--arrays and --array are for --rebase"}
	case a.anyBase && isRequest:
		return 0, usageError{"--any-base is for a diff: a JSON Patch or a merge patch names no base"}
	}

	merged, err := a.apply(old.Bag, base.Bag, text)
	if err == nil && merged.Value.Kind() != value.KindObject {
		hint := ""
		if a.merge && isJSONPatch(text) {
			hint = "; it looks like a JSON Patch, which is applied without --merge"
		}
		return 0, fmt.Errorf("%s: %s: the result is no object, as a property bag is%s", old.Name, name, hint)
	}
	switch {
	case errors.Is(err, diff.ErrBase):
		return 0, fmt.Errorf("%s: %s: %w; --base names the bag that the diff was made from", old.Name, name, err)
	case errors.Is(err, diff.ErrFit), errors.Is(err, patch.ErrBase):
		if a.base != "" {
			old = base
		}
		return 0, fmt.Errorf("%s: %s: %w", old.Name, name, err)
	case err != nil: // the text alone is wrong
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	inv.noteRoundedSides([]*input.File{base, old})
	masked, err := inv.writeResult(merged.Value)
	if err == nil {
		inv.noteConflicts(merged.Conflicts, base.Name)
		inv.noteMasked(masked)
	}
	return exitIf(len(merged.Conflicts) > 0), err
}

// apply makes the changes of a document in a bag: those that it says of that bag, or, in a
// rebase, of the base, if that is given.
func (a *applying) apply(v, base value.Value, text string) (diff.Merged, error) {
	o := a.arrays.options("", value.Strict)
	switch {
	case a.base != "":
		d, err := a.read(text, base)
		if err != nil {
			return diff.Merged{}, err
		}
		return d.Rebase(base, v, o)
	case a.rebase && (a.merge || isJSONPatch(text)):
		return diff.Merged{}, usageError{"--rebase of a JSON Patch or a merge patch needs --base: the document says nothing of what it changes"}
	case a.rebase:
		p, err := unmarshalPatch(text)
		if err != nil {
			return diff.Merged{}, err
		}
		if p.Base() == patch.Fingerprint(v) { // nothing has changed
			now, err := p.Apply(v)
			return diff.Merged{Value: now}, err
		}
		return p.Diff().RebaseWithoutBase(v, o)
	}

	d, err := a.read(text, v)
	if err != nil {
		return diff.Merged{}, err
	}
	now, err := d.Apply(v)
	return diff.Merged{Value: now}, err
}

// read reads a document as a diff of a bag: our own form, a JSON Patch or a merge patch.
func (a *applying) read(text string, base value.Value) (diff.Diff, error) {
	switch {
	case a.merge:
		return patch.ReadMergePatch(text, base, patch.Options{})
	case isJSONPatch(text):
		return patch.ReadJSONPatch(text, base, patch.Options{})
	}

	p, err := unmarshalPatch(text)
	if err == nil && !a.anyBase {
		_, err = p.Apply(base) // which looks at the fingerprint
	}
	return p.Diff(), err
}

// isJSONPatch reports whether a text, if it is JSON, is an array, as only a JSON Patch is.
func isJSONPatch(text string) bool {
	return strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "[")
}

func unmarshalPatch(text string) (patch.Patch, error) {
	p, err := patch.Unmarshal(text, patch.Options{})
	if errors.Is(err, patch.ErrForm) {
		err = fmt.Errorf("not a diff that 'propalg diff -o json' wrote: %w", err)
	}
	return p, err
}
