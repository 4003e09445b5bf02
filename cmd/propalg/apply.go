package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

func runApply(inv *invocation) (int, error) {
	force := inv.flags.Bool("any-base", false, "apply the diff to any bag that it fits, not only to the one that it was made from")
	merge := inv.flags.Bool("merge", false, "read a JSON Merge Patch (RFC 7396), which looks like any object")
	inv.fileInPlace(2)
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

	text, name, err := input.ReadAll(inv.args[1], inv.in)
	if err != nil {
		return 0, err
	}

	next, err := apply(old.Bag, text, *merge, *force)
	if err != nil {
		if !errors.Is(err, diff.ErrFit) && !errors.Is(err, patch.ErrBase) {
			return 0, fmt.Errorf("%s: %w", name, err) // the text alone is wrong
		}
		return 0, fmt.Errorf("%s: %s: %w", old.Name, name, err)
	}
	inv.noteRounded(old.Name, &old.Report)
	masked, err := inv.writeResult(next)
	if err == nil {
		inv.noteMasked(masked)
	}
	return exitSame, err
}

// apply makes the changes that a document says: of our own form, of a JSON Patch, which is
// the one that is an array, or of a merge patch.
func apply(old value.Value, text string, isMerge, anyBase bool) (value.Value, error) {
	read := patch.ReadMergePatch[string]
	if !isMerge && strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "[") {
		read, isMerge = patch.ReadJSONPatch[string], true
	}
	if isMerge {
		d, err := read(text, old, patch.Options{})
		if err != nil {
			return old, err
		}
		return d.Apply(old)
	}

	p, err := patch.Unmarshal(text, patch.Options{})
	switch {
	case errors.Is(err, patch.ErrForm):
		return old, fmt.Errorf("not a diff that 'propalg diff -o json' wrote: %w", err)
	case err != nil:
		return old, err
	case anyBase:
		return p.Diff().Apply(old)
	}
	return p.Apply(old)
}
