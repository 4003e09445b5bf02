package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/changed"
	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
)

// pairOf is a stack of --each: its path in the folders, and its files. One of these is empty if
// only the other folder has it.
type pairOf struct{ name, old, now string }

// files returns the names of the files that the command reads.
func (f *diffFlags) files(args []string) (all []string) {
	if !f.each {
		return args
	}
	for _, dir := range args {
		names, _, _ := filesIn(dir, true) // who reads them says more
		for _, name := range names {
			all = append(all, filepath.Join(dir, name))
		}
	}
	return all
}

// pairs returns the stacks of one or two folders, sorted: first those that the last folder has.
func (inv *invocation) pairs() (all []pairOf, err error) {
	if err := inv.noneEmpty(); err != nil {
		return nil, err
	}
	files := make([]map[string]string, len(inv.args))
	for i, dir := range inv.args {
		names, passed, err := filesIn(dir, true)
		if err == nil && len(names) == 0 && i == len(inv.args)-1 { // a folder of old stacks may be empty
			err = errNoFiles
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		inv.sayPassed(passed)
		files[i] = map[string]string{}
		for _, name := range names {
			file := filepath.ToSlash(name)
			if plain := strings.TrimSuffix(file, ".gz"); files[i][plain] == "" {
				file = plain
			}
			files[i][file] = filepath.Join(dir, name)
		}
	}

	olds := map[string]string{} // there are none if there is one folder
	if len(files) > 1 {
		olds = files[0]
	}
	news := files[len(files)-1]
	for name, file := range news {
		all = append(all, pairOf{name, olds[name], file})
	}
	for name, file := range olds {
		if news[name] == "" {
			all = append(all, pairOf{name, file, ""})
		}
	}
	slices.SortFunc(all, func(a, b pairOf) int {
		if (a.now == "") != (b.now == "") {
			return strings.Compare(b.now, a.now)
		}
		return strings.Compare(a.name, b.name)
	})
	return all, nil
}

// eachReport is what was found of many stacks.
type eachReport struct {
	inv  *invocation
	f    *diffFlags
	form eachForm

	counts     ops.Counts // resources of all stacks
	stacks     []*changed.Stack
	same       int // stacks in which nothing changed
	bad        int // stacks that could not be compared
	filtered   int // what differs and is not shown
	hasUpdates bool
	code       int
}

// eachForm writes the report in one of the forms.
type eachForm interface {
	// compare returns what the report has of a stack, after what it has in common with others.
	compare(s *stacks, one *stackDiff) (*tally, error)
	// add adds a stack, of which compare may have failed.
	add(one *stackDiff) error
	// end writes what there is to say of all.
	end(r *eachReport) error
}

// stackDiff is what was found of one stack.
type stackDiff struct {
	changed.Stack
	file string // its path in the folders
	code int
	err  error // why it, or one of its resources, could not be compared
}

// diffEach compares the stacks of folders, one after the other. One that cannot be read is said,
// and the others are compared.
func (inv *invocation) diffEach(f *diffFlags) (int, error) {
	all, err := inv.pairs()
	if err != nil {
		return 0, err
	}

	r := &eachReport{inv: inv, f: f, counts: ops.Counts{}, form: inv.eachForm(f)}
	without := 0
	for _, p := range all {
		if p.now == "" && r.hasUpdates {
			without++
			continue
		}
		if err := r.add(p); err != nil {
			return 0, err
		}
	}
	if without > 0 {
		inv.say("%s: %s without an update in %s", inv.args[0], printable.Counted(without, "stack"), inv.args[1])
	}
	inv.noteUnmatched(f)
	slices.SortFunc(r.stacks, (*changed.Stack).Compare)
	return r.code, r.form.end(r)
}

// add compares a stack and reports it.
func (r *eachReport) add(p pairOf) error {
	one := &stackDiff{Stack: changed.Stack{Name: printable.Text(p.name)}, file: p.name}
	r.f.notes, r.f.unreadable, r.f.resourcesOut, r.f.deploymentOut = nil, nil, 0, false
	count, err := r.diff(p, one)
	switch {
	case err != nil:
		one.code, one.err, one.Note = exitBad, err, clip(errorLine(err), 200)
		r.bad++
		r.inv.say("%w", err)
	default:
		r.count(p, one, count)
	}
	if one.IsBad = one.code > exitDifferent; one.code != exitSame {
		r.stacks = append(r.stacks, &one.Stack)
	} else {
		r.same++
	}
	r.code = worse(r.code, one.code)
	return r.form.add(one)
}

// worse returns the worse of two exit codes: that something could not be read, then that an
// update failed.
func worse(a, b int) int {
	if a == exitBad || b == exitBad {
		return exitBad
	}
	return max(a, b)
}

// diff compares the files of a stack.
func (r *eachReport) diff(p pairOf, one *stackDiff) (*tally, error) {
	names := []string{cmp.Or(p.old, os.DevNull), cmp.Or(p.now, os.DevNull)}
	if len(r.inv.args) == 1 {
		names = names[1:]
	}
	before, after, err := r.inv.openSides(names)
	switch {
	case errors.As(err, &usageError{}):
		return nil, fmt.Errorf("%s: expected a preview, a plan or an event log; stacks are compared with those of another folder", p.now)
	case err != nil:
		return nil, err
	}
	defer before.Close()
	defer after.Close()

	r.hasUpdates = r.hasUpdates || after.Steps != nil
	for _, s := range []*input.Source{after, before} {
		if s.IsBag() && !s.IsNone {
			return nil, fmt.Errorf("%s: neither a stack nor an update", s.Name)
		}
	}
	s, err := r.inv.compareStacks(before, after, r.f)
	if err != nil {
		return nil, err
	}
	count, err := r.form.compare(s, one)
	if err != nil {
		return nil, err
	}
	one.code = r.inv.sayNotes(r.f, before, after, count.exit())
	return count, nil
}

// count counts what was found of a stack.
func (r *eachReport) count(p pairOf, one *stackDiff, count *tally) {
	one.Counts = count.counts
	for op, n := range count.counts {
		r.counts[op] += n
	}
	r.filtered += count.out

	var notes []string
	note := func(is bool, text string) {
		if is {
			notes = append(notes, text)
		}
	}
	if count.failure != nil {
		notes = append(notes, count.failure.Title)
	}
	if n := len(r.f.unreadable); n > 0 {
		one.err = r.f.unreadable[0]
		notes = append(notes, printable.Counted(n, "resource")+" not compared")
	}
	note(p.old == "" && len(r.inv.args) > 1 && !r.hasUpdates, "a new stack")
	note(p.now == "", "no longer there")
	note(count.deployment == state.Updated && p.old != "" && p.now != "", "the deployment differs")
	note(count.sealed > 0 || count.deployment == state.Resealed, "secrets may differ")
	one.Note = strings.Join(append(count.uncounted(), notes...), ", ")
}

// lead sums up the stacks.
func (r *eachReport) lead() string {
	n := len(r.stacks) - r.bad
	text := fmt.Sprintf("%s of %s changed", printable.Thousands(n), printable.Counted(n+r.same+r.bad, "stack"))
	for _, each := range []struct {
		n    int
		what string
	}{{r.failed() - r.bad, "failed"}, {r.bad, "not compared"}} {
		if each.n > 0 {
			text += fmt.Sprintf(", %s %s", printable.Thousands(each.n), each.what)
		}
	}
	return text
}

// failed returns the number of stacks whose update failed, or that could not be compared.
func (r *eachReport) failed() (n int) {
	for _, s := range r.stacks {
		if s.IsBad {
			n++
		}
	}
	return n
}

// resources counts the resources of all stacks.
func (r *eachReport) resources(separator string) string {
	all := changed.Stack{Counts: r.counts}
	text := strings.TrimPrefix(all.Changed(separator)+separator, separator) + printable.Thousands(r.counts[ops.Same]) + " the same"
	if r.filtered > 0 {
		text += separator + printable.Thousands(r.filtered) + " filtered (--resource, --op, --only)"
	}
	return text
}
