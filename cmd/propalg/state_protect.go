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
	p := protecting{filter: resourceFilter{versions: map[string]string{}}, to: value.Bool(on)}
	p.filter.addTo(inv, verb)
	inv.flags.BoolVar(&p.isAll, "all", false, verb+" all resources")
	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}

	isNamed, isChosen := len(inv.args) > 1, p.filter.isSet()
	switch {
	case !isNamed && !p.isAll && !isChosen:
		return 0, usageError{"no resource is named; --all is for all, and --type for those of a type"}
	case (isNamed && (p.isAll || isChosen)) || (p.isAll && isChosen):
		return 0, usageError{"names, --all and flags that choose resources cannot be combined"}
	case !isNamed:
		return inv.rewrite(state.Edits{}, how, p.choose)
	}
	var e state.Edits
	for _, name := range inv.args[1:] {
		e.Members = append(e.Members, p.edit(name))
	}
	return inv.rewrite(e, how, nil)
}

// protecting chooses the resources to protect.
type protecting struct {
	filter resourceFilter
	isAll  bool
	to     value.Value
}

func (p *protecting) edit(resource string) state.MemberEdit {
	return state.MemberEdit{Resource: resource, Name: "protect", Value: p.to}
}

// choose adds an edit for each resource that is what the flags say, named by its position.
func (p *protecting) choose(in *input.Source, e *state.Edits) (notes []string, err error) {
	count := map[string]int{}
	for r, err := range resourcesOf(in) {
		if err != nil {
			return nil, in.Place(err)
		}
		count[r.URN]++
		if p.isAll || p.filter.matches(&r, resourceRow(&r).Name) {
			e.Members = append(e.Members, p.edit(r.URN+"#"+strconv.Itoa(count[r.URN])))
		}
	}

	if n := p.filter.unknown; n > 0 {
		notes = []string{fmt.Sprintf("%s left out, since the file does not say the version of the provider before them", printable.Counted(n, "resource"))}
	}
	if len(e.Members) == 0 && !p.isAll {
		return nil, errors.New("no resource is what the flags say")
	}
	return notes, nil
}
