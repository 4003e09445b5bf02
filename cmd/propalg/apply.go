package main

import (
	"fmt"

	"github.com/propalg/propalg/codec/patch"
)

// runApply applies a patch to a bag, and writes the result as data.
func runApply(inv *invocation) (int, error) {
	reveal := inv.flags.Bool("show-secrets", false, "write secrets in clear, so that the result can be read again")
	force := inv.flags.Bool("any-base", false, "apply the diff to any bag that it fits, not only to the one it was made for")
	if err := inv.parse(2, 2); err != nil {
		return 0, err
	}
	if inv.args[0] == "-" && inv.args[1] == "-" {
		return 0, usageError{"only one of the two can be standard input"}
	}
	old, err := inv.load(inv.args[0])
	if err != nil {
		return 0, err
	}
	if old.stack != nil {
		return 0, fmt.Errorf("%s is %s; apply is for property bags, which 'propalg state show --only inputs' makes of its resources", old.name, old.what())
	}
	name := inv.args[1]
	text, err := inv.readAll(name)
	if name == "-" {
		name = "stdin"
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	p, err := patch.UnmarshalText(text, patch.Options{})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	check := patch.CheckBase
	if *force {
		check = patch.SkipBaseCheck
	}
	next, err := p.Apply(old.bag, check)
	if err != nil {
		return 0, fmt.Errorf("%s: %s: %w", old.name, name, err)
	}
	inv.noteRounded(old.name, &old.report)
	return exitSame, ofResult(writeBag(inv.out, next, *reveal))
}
