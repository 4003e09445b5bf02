package state

// NOTE: Repair does not know what engines refuse: Check does, and what Repair has no answer
// to is what Check says of it. Then:
//
//	survey   reads the names and references of all records (this file)
//	choose   drops the records that Keep and Providers decide about (this file)
//	resolve  finds the record that each reference is to, and drops what dangles (repair_links.go)
//	acyclic  drops references of cycles (repair_order.go)
//	sort     puts records after what they refer to (repair_order.go)
//	splices  reads the changed records again, and notes what to cut out (repair_write.go)
//
// The result is made of ranges of the file and of splices in them.

import (
	"cmp"
	"crypto/sha256"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
)

// RepairOptions are what the user decided for [Repair].
type RepairOptions struct {
	// Keep names records, as [Edits] do. Of those with the same URN that are not pending
	// deletion either the others are dropped.
	Keep []string

	// Providers has references (URN, two colons and ID) to providers of the file, by those
	// to missing ones that they replace.
	Providers map[string]string

	// Rename gives records that lose their parent, and all below, the URNs that they have
	// without it. Programs that are unchanged then create the resources again.
	Rename bool
}

// Mending is what [Repair] does to a record. The set is closed.
type Mending uint8

const (
	// MendingMoved is for a record that gets a place further up, before the record To.
	MendingMoved Mending = iota + 1
	// MendingRepointed is for a reference that was one to From, and is to To.
	MendingRepointed
	// MendingRemoved is for a reference to From that is taken out.
	MendingRemoved
	// MendingDropped is for a record that is taken out.
	MendingDropped
	// MendingRenamed is for a record that gets the URN To.
	MendingRenamed
)

// String returns "moved", "repointed", "removed", "dropped" or "renamed".
func (m Mending) String() string {
	return scan.Name(m, "invalid mending", []string{
		MendingMoved: "moved", MendingRepointed: "repointed", MendingRemoved: "removed", MendingDropped: "dropped", MendingRenamed: "renamed",
	})
}

// Mend is a change that [Repair] makes. It holds no property values.
type Mend struct {
	Mending
	URN      string     // of the record, in the file as it was
	Record   int        // which of the records with this URN it is, from 1, in the order of that file
	Offset   int64      // of the record in that file, in bytes
	At       path.Shown // the place in the record, such as dependencies[1]
	From, To string     // a URN or a reference to a provider
	Chosen   bool       // the options say so
}

// Loses reports whether something is not in the repaired file that was in the other one.
func (m Mend) Loses() bool {
	switch m.Mending {
	case MendingRemoved, MendingDropped:
		return true
	case MendingRepointed:
		return !m.Chosen
	case MendingMoved, MendingRenamed:
	}
	return false
}

// String returns one line, such as "- urn:pulumi:…::a: dependencies[1]: urn:pulumi:…::b".
func (m Mend) String() string {
	text := scan.Line(numbered(m.URN, m.Record)) + ": "
	if m.Mending == MendingRemoved || m.Mending == MendingRepointed {
		text += scan.Line(m.At.String()) + ": " + scan.Line(cmp.Or(m.From, `""`))
	}
	switch m.Mending {
	case MendingMoved:
		return "~ " + text + "before " + scan.Line(m.To)
	case MendingRepointed:
		return "~ " + text + " => " + scan.Line(m.To)
	case MendingRemoved:
		return "- " + text
	case MendingDropped:
		return "- " + scan.Line(m.URN+"#"+strconv.Itoa(m.Record)) + ": the record"
	case MendingRenamed:
		return "~ " + text + "renamed to " + scan.Line(m.To)
	}
	return text
}

// Repaired is how [Repair] mends a file. The zero Repaired changes nothing.
type Repaired struct {
	Mends    []Mend    // in the order of the file
	Unmended []Finding // what it has no answer to; if there is any, nothing can be written

	file    io.ReaderAt
	sum     uint32
	pieces  []piece // nil: all of the file
	splices []splice
	dropped []*mended
}

// Repair finds how to make a state file one that engines load, as far as that can be known,
// and so that as little as possible is lost. It changes nothing in a file in which [Check]
// finds no error and no empty reference. Otherwise it
//
//   - sorts: a record that others refer to is moved before the first of them
//   - takes out references to missing records, empty ones, and the weakest of a cycle
//     (dependencies, propertyDependencies, deletedWith, replaceWith)
//   - gives records with a missing parent that of the stack's own resource, if it is there.
//     URNs are kept, so that programs still find the resources
//   - takes out records as [RepairOptions.Keep] says, and of records without ID whose texts
//     are equal all but the first
//   - lets records with a missing provider refer to another one, as
//     [RepairOptions.Providers] says
//
// It marks nothing for deletion, and takes out no other record. Options that do not concern
// the file are an error that wraps [ErrEdit]; other errors are those of [Check]. It holds in
// memory the names, offsets and references of all records, and at most one record.
func Repair(file io.ReaderAt, o RepairOptions) (*Repaired, error) {
	m := mender{options: o, byURN: map[string][]*mended{}, providers: map[reference][]*mended{}, names: map[string]string{}}
	isSound := true
	for f, err := range Check(file, CheckOptions{}) {
		switch {
		case err != nil:
			return nil, err
		case f.Severity == SeverityError:
			isSound = false
			m.findings = append(m.findings, f)
		case f.Code == "dependency-empty":
			isSound = false
		}
	}

	m.result.file = file
	if i := slices.IndexFunc(m.findings, func(f Finding) bool { return f.Code == "unreadable" }); i >= 0 {
		m.result.Unmended = m.findings // of which some may be about what cannot be read
		return &m.result, nil
	}
	var err error
	m.result.sum, err = pass(file, m.survey)
	if err == nil {
		err = m.choose()
	}
	if err == nil && (!isSound || len(o.Providers) > 0) {
		err = m.resolve()
	}
	if err != nil || isSound {
		return &m.result, err
	}
	m.acyclic()
	m.sort()
	if o.Rename {
		m.rename()
	}
	m.report()
	if len(m.result.Unmended) > 0 {
		return &m.result, nil
	}
	return &m.result, m.cutOut()
}

// IsLossy reports whether something is lost that the options do not say: then somebody has
// to agree before the file is written.
func (r *Repaired) IsLossy() bool {
	return r != nil && slices.ContainsFunc(r.Mends, func(m Mend) bool { return m.Loses() && !m.Chosen })
}

type mender struct {
	options  RepairOptions
	findings []Finding // errors
	result   Repaired

	records   []*mended            // in the order of the file
	byURN     map[string][]*mended // those that stay, as withFirst keeps them
	providers map[reference][]*mended
	names     map[string]string // URNs and references, each kept once
	sorted    []*mended         // in the order of the result
}

// mended is what is kept of a record.
type mended struct {
	number          int
	urn, typ, id    string
	record          int // which of those with its URN
	isDeleted       bool
	mayLackProvider bool
	offset, end     int64
	digest          [sha256.Size]byte
	bonds           []bond
	dropped         bool
	chosen          bool    // to be dropped, by the options
	before          *mended // moved before this one
	renamed         string  // the new URN; or empty
}

// bond is a reference with what happens to it.
type bond struct {
	link
	target *mended // that has to come before; nil: none has
	gone   bool
	now    string // another reference in its place; or empty
	chosen bool   // by the options
}

// survey reads the names of records, and what they refer to, apart from viewOf, at which engines
// do not look.
func (m *mender) survey(in io.Reader) error {
	_, err := m.read(in, func(l link) bool { return l.member != "viewOf" })
	return err
}

// read reads the names of records, and what they refer to where that counts.
func (m *mender) read(in io.Reader, counts func(l link) bool) (*File, error) {
	seen := map[string]int{}
	return new(rewriter).each(in, func(r *reading) error {
		if err := r.links(func(name string) bool { return isLink(name) || name == "delete" }); err != nil {
			return err
		}
		own := &mended{
			number: r.to.Number, urn: m.name(r.to.URN), typ: m.name(r.to.Type), id: strings.Clone(r.to.ID),
			isDeleted: r.to.Delete, mayLackProvider: r.to.PendingReplacement,
			offset: r.to.Offset, end: r.to.Offset + int64(len(r.source)), digest: sha256.Sum256([]byte(r.source)),
		}
		seen[own.urn]++
		own.record = seen[own.urn]
		for l := range r.to.links() {
			if counts(l) {
				l.key, l.to = m.name(l.key), m.name(l.to)
				own.bonds = append(own.bonds, bond{link: l})
			}
		}
		own.bonds = slices.Clip(own.bonds)
		m.records = append(m.records, own)
		return nil
	})
}

func (m *mender) name(text string) string {
	if known, ok := m.names[text]; ok {
		return known
	}
	text = strings.Clone(text)
	m.names[text] = text
	return text
}

// choose drops records as the options say, and makes the others known.
func (m *mender) choose() error {
	live := map[string][]*mended{}
	for _, r := range m.records {
		if !r.isDeleted {
			live[r.urn] = append(live[r.urn], r)
		}
	}
	if err := m.keep(live); err != nil {
		return err
	}

	for _, all := range live {
		isChosen := all[0].dropped || all[len(all)-1].dropped // of two or more, all but one are then
		if isChosen || all[0].id != "" || !areTwins(all) {
			continue
		}
		for _, r := range all[1:] {
			r.dropped = true
		}
	}
	for _, r := range m.records {
		if r.dropped {
			continue
		}
		m.byURN[r.urn] = withFirst(m.byURN[r.urn], r)
		if isProviderType(r.typ) && isProviderURN(r.urn) {
			ref := referenceTo(r)
			m.providers[ref] = withFirst(m.providers[ref], r)
		}
	}
	return nil
}

// withFirst adds a record to those with the same name, unless two like it are there, of which
// one is as good for any other record.
func withFirst(all []*mended, r *mended) []*mended {
	alike := 0
	for _, other := range all {
		if other.isDeleted == r.isDeleted {
			alike++
		}
	}
	if alike == 2 {
		return all
	}
	return append(all, r)
}

func areTwins(all []*mended) bool {
	return !slices.ContainsFunc(all, func(r *mended) bool { return r.digest != all[0].digest })
}

// keep drops the records that Keep decides about.
func (m *mender) keep(live map[string][]*mended) error {
	all := newNaming(m.options.Keep)
	for _, r := range m.records {
		all.visit(&Resource{URN: r.urn, ID: r.id, Number: r.number})
	}
	kept := map[string]*mended{}
	for _, name := range slices.Sorted(maps.Keys(all.names)) {
		number, err := all.one(name)
		if err != nil {
			return err
		}
		own := m.records[number]
		switch other := kept[own.urn]; {
		case own.isDeleted:
			return refused("%s cannot be kept instead of others: it is pending deletion", name)
		case len(live[own.urn]) == 1:
			return refused("%s is the only one that is not pending deletion", name)
		case other != nil && other != own:
			return refused("only one of those with the URN %s can be kept", own.urn)
		}
		kept[own.urn] = own
	}

	for urn, own := range kept {
		for _, r := range live[urn] {
			r.dropped, r.chosen = r != own, r != own
		}
	}
	return nil
}
