package state

// NOTE: Move decides everything before anything is written:
//
//	read      names and references of the source's records, as Repair reads them (this file)
//	choose    the records that go, with parents and what is below (move_choose.go)
//	home      whose the destination is: its stack, project and own resource (move_destination.go)
//	rename    the URNs that records get there (move_choose.go)
//	meet      what the destination has of these (move_destination.go)
//	break     references between what goes and what stays (move_references.go)
//	render    each record that goes, for what can only be refused then (move_write.go)
//
// What the source becomes is what a repair that drops the records would make of it; the
// destination gets their texts with splices, one at a time, when it is written.

import (
	"cmp"
	"errors"
	"io"
	"strconv"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/urn"
)

// MoveOptions say what [Move] moves.
type MoveOptions struct {
	// Resources are the names of records, as [Edits] have them, but that a URN stands for all
	// records that have it. The name of the stack's own resource stands for all below it.
	Resources []string

	// Parents moves the parents of these too, up to the stack's own resource, and so what is
	// below those.
	Parents bool

	// Stack and Project are those of the destination. They are needed if nothing in it says
	// so, as in the export of a stack without resources.
	Stack, Project string
}

// Moved is what [Move] does.
type Moved struct {
	Relocations []Relocation // in the order of the destination

	// Broken are the references of records that stay which are taken out of the source, and
	// BrokenThere those of records that go and of copies, as they are in the source.
	Broken, BrokenThere []Mend

	source      *Repaired
	destination *destination
	all         []*traveller // in the order of the destination
}

// Relocation is what the destination of [Move] gets, or has, for a record of the source.
type Relocation struct {
	URN    string // of the record in the source; "" for the stack's own resource, if it is made
	Record int    // which of the records with this URN it is, from 1
	To     string // the URN in the destination
	Stays  bool   // it is a provider that the source needs, too
	IsMet  bool   // it is a provider that the destination has, and which takes its place
}

// String returns one line, such as "> urn:pulumi:dev::…::a => urn:pulumi:prod::…::a".
func (r Relocation) String() string {
	mark, from := "> ", scan.Line(numbered(r.URN, r.Record))+" => "
	switch {
	case r.URN == "":
		mark, from = "+ ", ""
	case r.IsMet:
		mark = "= "
	case r.Stays:
		mark = "+ "
	}
	return mark + from + scan.Line(r.To)
}

// Move finds how to take records out of a state file and into another one, as "pulumi state
// move" does:
//
//   - What is below a record goes with it. A record whose parent stays gets the stack's own
//     resource of the destination as its parent, which is made if it is not there
//   - Providers that records need are copied, without what these refer to. One that the
//     destination has, with the same ID or the same inputs, is used instead. One that is below
//     a record that goes is moved, too
//   - URNs get the stack and the project of the destination, and types without those of parents
//     that stay. URNs in aliases and in properties stay, but for resource references to what
//     goes
//   - References between what goes and what stays are taken out (dependencies,
//     propertyDependencies, deletedWith, replaceWith), and listed
//
// What cannot be moved so that either file is no worse than before is an error that wraps
// [ErrEdit]; it joins all that there are, up to some hundred. That is so if the destination has
// the URN, or such a provider with other inputs; if a pending operation, or a view that stays,
// refers to what goes; if a provider is missing; and for secrets that are encrypted, if the
// files have not the same secrets provider. Other errors are those of [Reader.Entries].
//
// Move holds in memory the names, offsets and references of the source, and at most one record.
// First write the destination, and then the source: then no record is ever in neither.
func Move(source, destination io.ReaderAt, o MoveOptions) (*Moved, error) {
	if source == nil || destination == nil {
		return nil, &Error{Offset: -1, err: &outside{ErrRead, errNoReader}}
	}
	m := newMover(source, destination, o)
	for _, step := range []func() error{m.read, m.choose, m.home, m.rename, m.meet, m.breakUp, m.render} {
		if err := step(); err != nil {
			return nil, err
		}
		if len(m.refusals) > 0 {
			return nil, errors.Join(m.refusals...)
		}
	}
	return &m.result, m.from.cutOut()
}

type mover struct {
	options  MoveOptions
	from     mender
	document *File
	all      []*traveller // by number
	to       *destination
	result   Moved
	refusals []error
	unsaid   int

	stays, goes map[string]int           // number of the first record with a URN that does
	renamed     map[string]string        // new URNs of what goes and of what is copied, by the old ones
	taken       map[string]*traveller    // by new URN
	providers   map[reference]*traveller // which a reference is to
	now         map[string]string        // references to providers in the destination, by the old ones
}

// traveller is what happens to a record of the source.
type traveller struct {
	*mended
	isNamed bool // and so what is below goes
	goes    bool
	copied  bool   // it is a provider that stays, too
	now     string // the new URN
	met     *met   // the provider of the destination that takes its place
}

func newMover(source, destination io.ReaderAt, o MoveOptions) *mover {
	m := &mover{
		options: o, from: mender{names: map[string]string{}},
		stays: map[string]int{}, goes: map[string]int{}, renamed: map[string]string{},
		taken: map[string]*traveller{}, providers: map[reference]*traveller{}, now: map[string]string{},
	}
	m.from.result.file = source
	m.to = newDestination(destination)
	m.result.source, m.result.destination = &m.from.result, m.to
	return m
}

// refuse notes why the records cannot be moved.
func (m *mover) refuse(r *traveller, field, format string, names ...string) {
	const most = 200
	if len(m.refusals) == most {
		m.unsaid++
		m.refusals[most-1] = refused("%s more reasons", strconv.Itoa(m.unsaid+1))
		return
	}
	e := refused(format, names...)
	if e.Field = field; r != nil {
		e.URN = numbered(r.urn, r.record)
	}
	m.refusals = append(m.refusals, e)
}

// read reads the source.
func (m *mover) read() (err error) {
	m.from.result.sum, err = pass(m.from.result.file, func(in io.Reader) (err error) {
		m.document, err = m.from.read(in, func(link) bool { return true })
		return err
	})
	if err != nil {
		return err
	}
	if err := fit("source", m.document); err != nil {
		return err
	}
	m.all = make([]*traveller, len(m.from.records))
	for i, r := range m.from.records {
		m.all[i] = &traveller{mended: r}
	}
	return nil
}

// fit returns an error for a file between which and others records cannot be moved as they are.
func fit(what string, document *File) error {
	if document.before(3) {
		return refused("the %s has version %s; 3 or 4 is needed", what, strconv.Itoa(max(document.version, 1)))
	}
	x := rewriter{edits: &Edits{}}
	var why *refusal
	if errors.As(x.checkFeatures(document.UnknownFeatures()), &why) {
		return refused("features of the %s: %s", what, why.reason)
	}
	return nil
}

// isRoot reports whether a record is the stack's own resource.
func (r *mended) isRoot() bool { return r.typ == urn.RootStackType && r.linkTo("parent") == "" }

// linkTo returns what a record has in a member that is one reference.
func (r *mended) linkTo(member string) string {
	for _, b := range r.bonds {
		if b.member == member {
			return b.to
		}
	}
	return ""
}

// reference returns how others refer to a provider with a URN.
func (r *mended) reference(urn string) string { return urn + "::" + cmp.Or(r.id, unknownID) }
