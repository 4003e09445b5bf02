package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/cmd/propalg/internal/whole"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/urn"
)

// providersGiven is a repeatable flag of references to providers and what takes their place.
type providersGiven map[string]string

// String returns nothing.
func (providersGiven) String() string { return "" }

// Set adds a pair. The name in the first may have an equals sign.
func (p providersGiven) Set(text string) error {
	i := strings.LastIndex(text, "="+urn.Prefix)
	if i <= 0 {
		return errors.New("expected OLD=NEW, of which NEW is URN::ID of a provider")
	}
	p[text[:i]] = text[i+1:]
	return nil
}

// droppedSuffix is added to the name of a stack for what a repair drops.
const droppedSuffix = ".dropped.json"

func runStateRepair(inv *invocation) (int, error) {
	how, given := inv.editing(), providersGiven{}
	o := state.RepairOptions{Providers: given}
	inv.flags.Lookup("dry-run").Usage = "say what would change, and write nothing; the default if something is lost"
	agreed := inv.flags.Bool("yes", false, "write also if something is lost, which a file beside the state keeps")
	inv.flags.Func("keep", "of duplicates keep this `record`, such as URN#2, and drop the others (repeatable)", appendTo(&o.Keep))
	inv.flags.Var(given, "provider", "`old=new`: let what refers to the missing provider OLD refer to NEW (repeatable); each is URN::ID")
	inv.flags.BoolVar(&o.Rename, "rename", false, "give what loses its parent the URN without it; programs then need an alias")
	if err := inv.parse(1, 1); err != nil {
		return 0, err
	}

	r := &repairing{inv: inv, how: how, agreed: *agreed}
	isWritten, err := inv.edit(how, func(in *input.Source, write func(func(io.Writer) error) error) (bool, error) {
		return r.run(in, o, write)
	})
	if r.beside != "" && (err != nil || !isWritten) {
		_ = os.Remove(r.beside) // all of it is in the state
	}
	if err != nil {
		return 0, err
	}
	return r.end(isWritten)
}

// repairing is a repair of a stack.
type repairing struct {
	inv    *invocation
	how    *editing
	agreed bool
	plan   *state.Repaired
	beside string // the file with what is dropped; empty: there is none
}

// run mends a stack, or says why not.
func (r *repairing) run(in *input.Source, o state.RepairOptions, write func(func(io.Writer) error) error) (isWritten bool, err error) {
	e := state.Edits{Delete: o.Keep}
	notes, err := resolve(in, &e)
	if err != nil {
		return false, err
	}
	for _, each := range notes {
		r.inv.say("%s", each)
	}

	o.Keep = e.Delete
	r.plan, err = state.Repair(in.Reader(), o)
	if err != nil {
		return false, err
	}
	if err := r.list(in); err != nil {
		return false, err
	}
	if len(r.plan.Unmended) > 0 || r.how.isDry || (r.plan.IsLossy() && !r.agreed) {
		return false, nil
	}
	if len(r.plan.Mends) == 0 && r.how.to(r.inv) == r.inv.args[0] {
		return false, nil
	}
	if err := r.keepDropped(); err != nil {
		return false, err
	}
	return true, write(func(to io.Writer) error {
		_, err := r.plan.WriteTo(to)
		return err
	})
}

// list writes what is changed, and what cannot be: a line for all resources without one
// provider.
func (r *repairing) list(in *input.Source) error {
	for _, m := range r.plan.Mends {
		if _, err := fmt.Fprintln(r.inv.out, printable.Text(m.String())); err != nil {
			return err
		}
	}

	lacking := map[string]int{} // resources, by reference to a provider
	for _, f := range r.plan.Unmended {
		if isProviderLost(f) {
			lacking[f.Detail]++
		}
	}
	instead, err := sameProviders(in, lacking)
	if err != nil {
		return err
	}
	for _, f := range r.plan.Unmended {
		text := "! " + strings.TrimPrefix(f.String(), "error: ")
		switch n := lacking[f.Detail]; {
		case f.Code == "urn-twice":
			text += fmt.Sprintf(": --keep '%s#%d', or another position", f.URN, f.Record)
		case isProviderLost(f) && n == 0:
			continue // said
		case isProviderLost(f):
			delete(lacking, f.Detail)
			if n > 1 {
				text += fmt.Sprintf(" (%s)", printable.Counted(n, "resource"))
			}
			text += fmt.Sprintf(": --provider '%s=%s'", f.Detail, cmp.Or(instead[f.Detail], "NEW"))
		}
		if _, err := fmt.Fprintln(r.inv.out, printable.Text(text)); err != nil {
			return err
		}
	}
	return nil
}

func isProviderLost(f state.Finding) bool {
	return f.Code == "provider-missing" || f.Code == "provider-malformed"
}

// sameProviders returns for references to providers which are missing those to the last one
// with the same URN: it was replaced, or its ID is another one since it was imported.
func sameProviders(in *input.Source, missing map[string]int) (instead map[string]string, err error) {
	if len(missing) == 0 {
		return nil, nil
	}
	last := map[string]string{}
	for e, err := range state.NewReader(in.Reader(), state.Options{}).Entries() {
		if err != nil {
			return nil, in.Place(err)
		}
		last[e.URN] = e.URN + "::" + e.ID
	}
	instead = map[string]string{}
	for ref := range missing {
		if i := strings.LastIndex(ref, "::"); i > 0 {
			instead[ref] = last[ref[:i]]
		}
	}
	return instead, nil
}

// keepDropped writes what is lost beside the state, before that is replaced.
func (r *repairing) keepDropped() error {
	isLoss := false
	for _, m := range r.plan.Mends {
		isLoss = isLoss || m.Loses()
	}
	if !isLoss {
		return nil
	}
	name := r.how.to(r.inv) + droppedSuffix
	if _, err := os.Lstat(name); err == nil {
		return fmt.Errorf("%s is there already, and may have what an earlier repair dropped; move it", name)
	}

	to, err := whole.Create(name, 0o600)
	if err != nil {
		return fmt.Errorf("%s: %w", name, input.Reason(err))
	}
	defer to.Drop()
	if err := r.plan.WriteDropped(to); err != nil {
		return err
	}
	if err := r.inv.keep(to, name); err != nil {
		return err
	}
	r.beside = name
	return nil
}

// end says what was done.
func (r *repairing) end(isWritten bool) (int, error) {
	lost := 0
	for _, m := range r.plan.Mends {
		if m.Loses() {
			lost++
		}
	}
	code, name := exitSame, printable.Text(r.how.to(r.inv))
	text := fmt.Sprintf("%s: %s made", name, printable.Counted(len(r.plan.Mends), "change"))
	switch {
	case len(r.plan.Unmended) > 0:
		code, text = exitDifferent, fmt.Sprintf("%s: not written: %s left, in the lines with !", name, printable.Counted(len(r.plan.Unmended), "fault"))
	case len(r.plan.Mends) == 0:
		text = name + ": nothing to repair"
	case r.beside != "":
		text += "; what was dropped is in " + printable.Text(r.beside)
	case !isWritten && r.how.isDry:
		code, text = exitDifferent, fmt.Sprintf("%s: not written: %s to make, %d with a loss", name, printable.Counted(len(r.plan.Mends), "change"), lost)
	case !isWritten:
		code, text = exitDifferent, fmt.Sprintf("%s: not written, since %d of %s would be a loss; --yes permits that", name, lost, printable.Counted(len(r.plan.Mends), "change"))
	}
	_, err := fmt.Fprintln(r.inv.out, text)
	return code, err
}
