package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

func runStateProtect(inv *invocation) (int, error) { return inv.protect("protect", true) }

func runStateUnprotect(inv *invocation) (int, error) { return inv.protect("unprotect", false) }

// protect protects the resources that arguments or flags name, or does so no longer.
func (inv *invocation) protect(verb string, on bool) (int, error) {
	how := inv.editing()
	how.counted = "resource"
	var c choosing
	c.filter.addTo(inv, verb)
	inv.flags.BoolVar(&c.isAll, "all", false, verb+" all resources")
	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}

	isNamed, isChosen := len(inv.args) > 1, c.filter.isSet()
	switch {
	case !isNamed && !c.isAll && !isChosen:
		return 0, usageError{"no resource is named; --all is for all, and --type for those of a type"}
	case (isNamed && (c.isAll || isChosen)) || (c.isAll && isChosen):
		return 0, usageError{"names, --all and flags that choose resources cannot be combined"}
	}
	edits := func(names []string) (all []state.MemberEdit) {
		for _, name := range names {
			all = append(all, state.MemberEdit{Resource: name, Name: "protect", Value: value.Bool(on)})
		}
		return all
	}
	if isNamed {
		return inv.rewrite(state.Edits{Members: edits(inv.args[1:])}, how, nil)
	}
	return inv.rewrite(state.Edits{}, how, func(in *input.Source, e *state.Edits) ([]string, error) {
		names, notes, err := c.names(in)
		e.Members = edits(names)
		return notes, err
	})
}

// choosing is which resources flags choose for an edit.
type choosing struct {
	filter   resourceFilter
	isAll    bool
	isToMove bool // providers are not chosen: they go with what needs them
}

// names returns the resources, by their positions.
func (c *choosing) names(in *input.Source) (names, notes []string, err error) {
	count := map[string]int{}
	for r, err := range resourcesOf(in) {
		if err != nil {
			return nil, nil, in.Place(err)
		}
		count[r.URN]++
		if _, isProvider := packageOf(r.Type); isProvider && c.isToMove {
			c.filter.matches(&r, "") // for its version
			continue
		}
		if c.isAll || c.filter.matches(&r, resourceRow(&r).Name) {
			names = append(names, r.URN+"#"+strconv.Itoa(count[r.URN]))
		}
	}

	if n := c.filter.unknown; n > 0 {
		notes = []string{fmt.Sprintf("%s left out, since the file does not say the version of the provider before them", printable.Counted(n, "resource"))}
	}
	if len(names) == 0 && !c.isAll {
		return nil, nil, errors.New("no resource is what the flags say")
	}
	return names, notes, nil
}
