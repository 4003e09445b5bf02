package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/cmd/propalg/internal/whole"
	"github.com/propalg/propalg/codec/state"
)

func runStateMove(inv *invocation) (int, error) {
	m := moving{inv: inv, chosen: choosing{isToMove: true}}
	m.chosen.filter.addTo(inv, "move")
	inv.flags.BoolVar(&m.isDry, "dry-run", false, "check everything, say what would change, and write nothing")
	inv.flags.BoolVar(&m.o.Parents, "include-parents", false, "move the parents too, and what is below them")
	inv.flags.StringVar(&m.o.Stack, "stack", "", "the `name` of the stack of TO, if it has no resources that say so")
	inv.flags.StringVar(&m.o.Project, "project", "", "the `name` of the project of TO, if it has no resources that say so")
	if err := inv.parse(2, -1); err != nil {
		return 0, err
	}
	switch isNamed, isChosen := len(inv.args) > 2, m.chosen.filter.isSet(); {
	case isNamed && isChosen:
		return 0, usageError{"names and flags that choose resources cannot be combined"}
	case !isNamed && !isChosen:
		return 0, usageError{"nothing to move: no URN, and no flag that chooses resources, such as --type"}
	}
	if err := m.check(); err != nil {
		return 0, err
	}

	inv.inputs = inv.leading(len(m.files))
	if err := m.run(); err != nil {
		return 0, err
	}
	return exitSame, m.say()
}

// moving is a move of resources between two files.
type moving struct {
	inv    *invocation
	o      state.MoveOptions
	chosen choosing // if no argument names a resource
	isDry  bool
	files  [2]movedFile // from, to
	plan   *state.Moved
	notes  []string
}

// movedFile is one of the files of a move.
type movedFile struct {
	name string
	in   *input.Source
	out  *whole.File
}

// check refuses what is not two files.
func (m *moving) check() error {
	if err := m.inv.noneEmpty(); err != nil {
		return err
	}
	var infos [2]os.FileInfo
	for i := range m.files {
		name := m.inv.args[i]
		m.files[i].name = name
		if name == "-" {
			return usageError{"both stacks are files that are replaced, and - is standard input"}
		}
		var err error
		if infos[i], err = os.Stat(name); err != nil {
			hint := ""
			if i == 1 { // meant may be FILE OLD NEW
				hint = "; TO has to be there, as 'pulumi stack export' writes it for a new stack too; 'propalg state mv' renames a resource"
			}
			return fmt.Errorf("%s: %w%s", name, input.Reason(err), hint)
		}
		if err := isReplaced(name); err != nil && !m.isDry {
			return err
		}
	}
	if os.SameFile(infos[0], infos[1]) {
		return usageError{fmt.Sprintf("%s and %s are one file", m.files[0].name, m.files[1].name)}
	}
	return nil
}

// run moves the resources. TO is on the disk before FROM is written, so that a resource is in
// both for a moment, and never in neither.
func (m *moving) run() error {
	defer m.close()
	if !m.isDry {
		if err := m.begin(); err != nil {
			return err
		}
	}
	for i := range m.files {
		var err error
		if m.files[i].in, err = m.inv.openStack(m.files[i].name); err != nil {
			return err
		}
	}
	if err := m.decide(); err != nil {
		return err
	}

	from, to := &m.files[0], &m.files[1]
	if err := to.write(m.isDry, m.plan.WriteDestination); err != nil {
		return err
	}
	if err := from.write(m.isDry, m.plan.WriteSource); err != nil {
		return err
	}
	if m.isDry {
		return nil
	}
	m.closeInputs()
	if err := from.out.Ready(); err != nil {
		return fmt.Errorf("%s: %w", from.name, input.Reason(err))
	}
	if err := m.inv.keep(to.out, to.name); err != nil {
		return err
	}
	if err := m.inv.keep(from.out, from.name); err != nil {
		return fmt.Errorf("%w; the resources are in %s already, and in both files now", err, to.name)
	}
	return nil
}

// begin begins to write both files, in an order that is the same for all processes: otherwise
// two of them could wait for each other.
func (m *moving) begin() (err error) {
	order := [2]*movedFile{&m.files[0], &m.files[1]}
	if realName(order[1].name) < realName(order[0].name) {
		order[0], order[1] = order[1], order[0]
	}
	for _, f := range order {
		if f.out, err = m.inv.create(f.name, true); err != nil {
			f.out = nil
			return err
		}
	}
	return nil
}

func realName(name string) string {
	if found, err := filepath.EvalSymlinks(name); err == nil {
		name = found
	}
	if found, err := filepath.Abs(name); err == nil {
		name = found
	}
	return name
}

// decide finds what to move. Each of several reasons against it is a line.
func (m *moving) decide() error {
	from, to := m.files[0].in, m.files[1].in
	e := state.Edits{Delete: m.inv.args[len(m.files):]}
	var err error
	if m.chosen.filter.isSet() {
		e.Delete, m.notes, err = m.chosen.names(from)
	} else {
		m.notes, err = resolve(from, &e)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", from.Name, err)
	}
	m.o.Resources = e.Delete
	source, destination := from.Reader(), to.Reader()
	m.plan, err = state.Move(source, destination, m.o)
	if err == nil {
		return nil
	}
	if !errors.Is(err, state.ErrEdit) {
		if _, failed := state.Numbers(source); failed != nil {
			return fmt.Errorf("%s: %w", from.Name, err)
		}
		return fmt.Errorf("%s: %w", to.Name, err)
	}
	all := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		all = several.Unwrap()
	}
	head, last := from.Name+" to "+to.Name, len(all)-1
	for _, each := range all[:last] {
		m.inv.say("%s: %w", head, each)
	}
	return fmt.Errorf("%s: %w", head, all[last])
}

// write writes a file as it becomes, or only checks that this can be done.
func (f *movedFile) write(isDry bool, write func(io.Writer) error) error {
	var to io.Writer = f.out
	if isDry {
		to = io.Discard
	}
	if err := packed(to, f.in.IsPacked, write); err != nil {
		return fmt.Errorf("%s: %w", f.name, input.Reason(err))
	}
	return nil
}

func (m *moving) closeInputs() {
	for _, f := range m.files {
		if f.in != nil {
			f.in.Close()
		}
	}
}

func (m *moving) close() {
	m.closeInputs()
	for _, f := range m.files {
		if f.out != nil {
			f.out.Drop()
		}
	}
}

// say lists what was done.
func (m *moving) say() error {
	moved, copied := 0, 0
	for _, r := range m.plan.Relocations {
		switch {
		case r.URN == "" || r.IsMet:
		case r.Stays:
			copied++
		default:
			moved++
		}
		if _, err := fmt.Fprintln(m.inv.out, printable.Text(r.String())); err != nil {
			return err
		}
	}
	from, to := printable.Text(m.files[0].name), printable.Text(m.files[1].name)
	for i, list := range [2][]state.Mend{m.plan.Broken, m.plan.BrokenThere} {
		for _, b := range list {
			if _, err := fmt.Fprintf(m.inv.out, "%s, in %s\n", printable.Text(b.String()), [2]string{from, to}[i]); err != nil {
				return err
			}
		}
	}

	would := ""
	if m.isDry {
		would = "would be "
	}
	if _, err := fmt.Fprintf(m.inv.out, "%s to %s: %s %smoved, %s copied, %s taken out\n", from, to, printable.Counted(moved, "resource"), would,
		printable.Counted(copied, "provider"), printable.Counted(len(m.plan.Broken)+len(m.plan.BrokenThere), "reference")); err != nil {
		return err
	}
	for _, each := range m.notes {
		m.inv.say("%s", each)
	}
	return nil
}
