package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
)

func runStateRm(inv *invocation) (int, error) {
	how := inv.editing()
	var c choosing
	c.filter.addTo(inv, "remove")
	isWide := inv.flags.Bool("dependents", false, "remove also what depends on them, and what depends on that; it is listed")
	protected := inv.flags.Bool("protected", false, "remove protected resources too")
	pending := inv.flags.Bool("pending", false, "remove the pending operations")
	depth := inv.flags.Int("deeper", 0, "replace what is nested deeper in inputs and outputs than `n` messages of the protocol by null")

	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}
	isNamed, isChosen := len(inv.args) > 1, c.filter.isSet()
	switch {
	case isNamed && isChosen:
		return 0, usageError{"names and flags that choose resources cannot be combined"}
	case !isNamed && !isChosen && !*pending && *depth == 0:
		return 0, usageError{"nothing to remove: no URN, no flag that chooses resources, such as --type, --pending or --deeper"}
	}
	e := state.Edits{Delete: inv.args[1:], Protected: *protected, ClearPending: *pending, Depth: *depth}
	return inv.rewrite(e, how, func(in *input.Source, e *state.Edits) (notes []string, err error) {
		if isChosen {
			e.Delete, notes, err = c.names(in)
			for _, name := range e.Delete {
				how.list = append(how.list, "- "+strings.TrimSuffix(name, "#1"))
			}
		}
		if err == nil && *isWide {
			var also []state.Dependent
			also, err = state.Dependents(in.Reader(), e.Delete...)
			for _, each := range also {
				e.Delete = append(e.Delete, each.Resource)
				how.list = append(how.list, fmt.Sprintf("- %s (%s)", each.Resource, strings.Join(each.Fields, ", ")))
			}
		}
		if err == nil && *depth == 0 {
			how.verb = "removed"
			how.what, err = removed(in, e)
		}
		return notes, err
	})
}

// removed says how much is removed.
func removed(in *input.Source, e *state.Edits) (string, error) {
	var all []string
	if n := len(numbersOf(in, e.Delete...)); n > 0 {
		all = append(all, printable.Counted(n, "resource"))
	}
	if !e.ClearPending {
		return strings.Join(all, ""), nil
	}

	n := 0
	for _, err := range pendingOf(in) {
		if err != nil {
			return "", in.Place(err)
		}
		n++
	}
	return strings.Join(append(all, printable.Counted(n, "pending operation")), " and "), nil
}

// refusal returns an error of Rewrite, if there is one, with what to do about it. It lists
// what depends on resources that can therefore not be removed.
func (inv *invocation) refusal(in *input.Source, e *state.Edits, err error) error {
	at := (*state.Error)(nil)
	if len(e.Delete) == 0 || !errors.As(err, &at) || !errors.Is(err, state.ErrEdit) || at.Field == "" {
		return err
	}
	if at.Field == "protect" {
		return fmt.Errorf("%w; --protected removes it all the same", err)
	}
	what := printable.Text(e.Delete[0])
	if more := len(e.Delete) - 1; more > 0 {
		what += fmt.Sprintf(" and %d more", more)
	}
	all, failed := state.Dependents(in.Reader(), e.Delete...)
	switch {
	case failed != nil:
		return err
	case len(all) == 0:
		return fmt.Errorf("cannot remove %s: a pending operation refers to it; --pending removes those", what)
	}

	for _, each := range all {
		inv.say("%s depends on it (%s)", printable.Text(each.Resource), strings.Join(each.Fields, ", "))
	}
	verb := "depend"
	if len(all) == 1 {
		verb = "depends"
	}
	return fmt.Errorf("cannot remove %s: %s %s on it; --dependents removes those too", what, printable.Counted(len(all), "resource"), verb)
}
