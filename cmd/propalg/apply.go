package main

import (
	"errors"
	"fmt"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/codec/patch"
)

func runApply(inv *invocation) (int, error) {
	force := inv.flags.Bool("any-base", false, "apply the diff to any bag that it fits, not only to the one that it was made from")
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

	p, err := patch.Unmarshal(text, patch.Options{})
	if err != nil {
		if errors.Is(err, patch.ErrForm) {
			err = fmt.Errorf("not a diff that 'propalg diff -o json' wrote: %w", err)
		}
		return 0, fmt.Errorf("%s: %w", name, err)
	}

	apply := p.Apply
	if *force {
		apply = p.Diff().Apply
	}
	next, err := apply(old.Bag)
	if err != nil {
		return 0, fmt.Errorf("%s: %s: %w", old.Name, name, err)
	}
	inv.noteRounded(old.Name, &old.Report)
	masked, err := inv.writeResult(next)
	if err == nil {
		inv.noteMasked(masked)
	}
	return exitSame, err
}
